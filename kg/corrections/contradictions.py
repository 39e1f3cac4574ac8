"""What corrections cannot all hold: told before anything is read, with the file and the entries.

Names are compared by their normal forms. A correction for one paper is an exception to those for all, so only
corrections of one paper, or for all papers, contradict each other.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations
from typing import TYPE_CHECKING

from kg.corrections.model import Action, Correction
from kg.errors import CorrectionsError
from kg.names import bare, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["refuse_contradictions"]


def refuse_contradictions(corrections: Sequence[Correction]) -> None:
    """Refuse corrections that contradict each other.

    Raises:
        CorrectionsError: two do, or several in a chain; the message names the last one and those before it.
    """
    for paper in dict.fromkeys(correction.paper for correction in corrections):
        scope = [correction for correction in corrections if correction.paper == paper]
        _merged_and_kept_apart(scope)
        _renamed_in_circles(scope)
        _told_twice(scope)
        _left_out_and_spoken_of(scope)


def _refused(correction: Correction, what: str, others: Iterable[Correction]) -> CorrectionsError:
    places = ", ".join(f"entry {other.entry} of {other.file}" for other in others)
    return CorrectionsError(f"{correction.file}: entry {correction.entry}: {what} ({places})")


def _merged_and_kept_apart(corrections: Sequence[Correction]) -> None:
    merges: dict[str, list[Correction]] = {}
    for correction in corrections:
        for name in dict.fromkeys(map(normal, correction.names)) if correction.action == Action.MERGE else ():
            merges.setdefault(name, []).append(correction)
    for correction in corrections:
        if correction.action != Action.KEEP_APART:
            continue
        for one, other in combinations(correction.names, 2):
            chain = _chain(normal(one), normal(other), merges) if normal(one) != normal(other) else []
            if chain:
                raise _refused(correction, f"keeps apart {one!r} and {other!r}, which are merged", chain)


def _chain(start: str, end: str, merges: Mapping[str, Sequence[Correction]]) -> list[Correction]:
    """Return the fewest merges, by the forms that they merge, that make two forms one; none where they do not."""
    before: dict[str, tuple[str, Correction]] = {}
    waiting = deque([start])
    while waiting and end not in before:
        form = waiting.popleft()
        for merge in merges.get(form, ()):
            new = [each for each in map(normal, merge.names) if each not in before and each != start]
            before |= dict.fromkeys(new, (form, merge))
            waiting += new
    found: list[Correction] = []
    while end in before:
        end, merge = before[end]
        found.append(merge)
    return sorted(found, key=lambda merge: (merge.file, merge.entry))


def _renamed_in_circles(corrections: Sequence[Correction]) -> None:
    """Refuse a name that is renamed twice, and one that comes back to itself."""
    renames: dict[str, Correction] = {}
    for correction in corrections:
        if correction.action != Action.RENAME or correction.to is None:
            continue
        name = correction.names[0]
        first = renames.setdefault(normal(name), correction)
        if bare(first.to or "") != bare(correction.to):
            raise _refused(
                correction, f"renames {name!r} to {correction.to!r}, which is renamed to {first.to!r}", [first]
            )
        seen: list[Correction] = []
        at = normal(correction.to)
        while at in renames and renames[at] not in seen and at != normal(name):
            seen.append(renames[at])
            at = normal(renames[at].to or "")
        if seen and at == normal(name):
            raise _refused(correction, f"renames {name!r} to {correction.to!r}, which is renamed back", seen)


def _told_twice(corrections: Sequence[Correction]) -> None:
    """Refuse two types of one thing, and a role that is both added and wrong."""
    types: dict[str, Correction] = {}
    roles: dict[tuple[str, str | None], Correction] = {}
    for correction in corrections:
        name = correction.names[0]
        if correction.action == Action.RETYPE:
            first = types.setdefault(normal(name), correction)
            if first.type != correction.type:
                raise _refused(correction, f"makes {name!r} a {correction.type}, which is made a {first.type}", [first])
        elif correction.action in {Action.ADD_ROLE, Action.WRONG_ROLE}:
            first = roles.setdefault((normal(name), correction.role), correction)
            if first.action != correction.action:
                what = f"the role {correction.role} of {name!r} is both added and wrong"
                raise _refused(correction, what, [first])


def _left_out_and_spoken_of(corrections: Sequence[Correction]) -> None:
    """Refuse to say anything else of what is no entity."""
    none = {normal(one.names[0]): one for one in corrections if one.action == Action.NOT_AN_ENTITY}
    for correction in corrections:
        for name in correction.names if correction.action not in {Action.NOT_AN_ENTITY, Action.WRONG_ROLE} else ():
            if normal(name) in none:
                what = f"is about {name!r}, which is said to be no entity"
                raise _refused(correction, what, [none[normal(name)]])
