"""What is wrong in a catalogue: clashes, duplicate aliases, families that go in a circle or lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.catalogue.families import circle, wrong_family
from kg.catalogue.gazetteer import counts_case
from kg.catalogue.joining import without_makers
from kg.catalogue.reading import merged, read
from kg.model import EntityType
from kg.names import normal, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["Finding", "check", "check_files"]

_MAY_BE_SHARED = 3


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something to look at: a fault, or (`fault` is false) what may be meant so, and the keys of its things.

    `place` is the file and the entry, where it is one of the user's.
    """

    fault: bool
    text: str
    keys: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        """The finding with its weight.

        >>> print(Finding(False, "Dataset X and Task X have one name"))
        note: Dataset X and Task X have one name
        """
        return ": ".join(filter(None, ("fault" if self.fault else "note", self.place, self.text)))


def check_files(files: Iterable[Path]) -> list[Finding]:
    """Return what is wrong in the shipped catalogue, or, where files are given, in theirs together with it.

    Raises:
        CatalogueError: a file cannot be read or does not hold known things.
    """
    files = list(files)
    catalogue = merged(*files)
    findings = check(catalogue)
    if not files:
        return findings
    known = {(normal(thing.name), thing.type): thing.key for thing in catalogue.things}
    places: dict[str, str] = {}
    twice: list[Finding] = []
    for file in files:
        entries: dict[str, int] = {}
        for number, thing in enumerate(read(file), start=1):
            key, place = known[normal(thing.name), thing.type], f"{file.as_posix()}: entry {number} ({thing.name})"
            places.setdefault(key, place)
            before = entries.setdefault(key, number)
            if before != number:
                text = f"{_shown(thing)} stands twice in the file, as entry {before}, too"
                twice.append(Finding(True, text, (key,), place))
    theirs = ((finding, [places[key] for key in finding.keys if key in places]) for finding in findings)
    return _sorted([*twice, *(replace(finding, place=told[0]) for finding, told in theirs if told)])


def check(catalogue: Catalogue) -> list[Finding]:
    """Return what is wrong in a catalogue, faults first."""
    return _sorted(
        {
            *_shared_names(catalogue),
            *_shared_but_for_the_maker(catalogue),
            *_repeats(catalogue),
            *_families(catalogue),
            *_versions(catalogue),
        }
    )


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (not finding.fault, finding.text))


def _shown(thing: KnownThing) -> str:
    return f"{thing.type} {thing.name!r}"


def _shared_names(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the names that several things have: a fault where they are of one type, for then they name neither.

    A short form of up to three letters may well have several long forms; that it names none by itself is meant so.
    """
    owners: dict[str, dict[str, tuple[KnownThing, str]]] = {}
    for thing in catalogue.things:
        for spelling in reversed(thing.spellings):
            owners.setdefault(normal(spelling), {})[thing.key] = (thing, spelling)
    for form, found in owners.items():
        things = [thing for thing, _ in found.values()]
        for number, one in enumerate(things):
            for other in things[number + 1 :]:
                spelling = found[one.key][1]
                is_name = form in {normal(one.name), normal(other.name)}
                kind = "a clash: the name of one is an alias of the other" if is_name else "a duplicate alias"
                fault = one.type == other.type and (is_name or len(form) > _MAY_BE_SHARED)
                text = f"{_shown(one)} and {_shown(other)} are both called {spelling!r}" + (
                    f", {kind}" if one.type == other.type else ""
                )
                yield Finding(fault, text, (one.key, other.key))


def _shared_but_for_the_maker(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the hardware whose name or alias is another's but for the maker, which one of the two does not tell.

    A product's number names it; where both tell a maker, they may well be two (``NVIDIA A16``, ``Apple A16``).
    """
    owners: dict[str, dict[str, tuple[KnownThing, bool]]] = {}
    for thing in catalogue.things:
        for spelling in thing.spellings if thing.type == EntityType.HARDWARE else ():
            form = normal(without_makers(spelling))
            if any(map(str.isdigit, form)):
                bare = form == normal(spelling) or owners.get(form, {}).get(thing.key, (thing, False))[1]
                owners.setdefault(form, {})[thing.key] = (thing, bare)
    for form, found in owners.items():
        things = list(found.values())
        for number, (one, bare) in enumerate(things):
            for other, also_bare in things[number + 1 :]:
                if bare != also_bare:
                    text = f"{_shown(one)} and {_shown(other)} are both called {form!r} but for the maker"
                    yield Finding(True, text, (one.key, other.key))


def _repeats(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the aliases that say nothing new: they stand twice, or another spelling counts in any case."""
    for thing in catalogue.things:
        of_any_case: dict[str, str] = {}
        for spelling in thing.spellings:
            if not counts_case(spelling, thing):
                of_any_case.setdefault(spelling.casefold(), spelling)
        for alias in thing.aliases:
            other = of_any_case.get(alias.casefold(), alias)
            if thing.spellings.count(alias) > 1:
                yield Finding(True, f"{_shown(thing)} has the alias {alias!r} twice", (thing.key,))
            elif other != alias:
                text = f"{_shown(thing)} has the alias {alias!r} twice, as {other!r} counts in any case"
                yield Finding(True, text, (thing.key,))


def _families(catalogue: Catalogue) -> Iterator[Finding]:
    for thing in catalogue.things:
        if thing.family is None:
            continue
        above = catalogue.find(thing.family)
        reason = wrong_family(thing, catalogue)
        if reason is not None:
            ring = circle(thing, catalogue)
            keys = tuple(sorted(map(normal, ring))) or (thing.key,)
            yield Finding(True, reason if ring else f"{_shown(thing)}: {reason}", keys)
        elif not above:
            text = f"{_shown(thing)}: its family {thing.family!r} is not in the catalogue itself"
            yield Finding(False, text, (thing.key,))
        elif normal(thing.family) not in {normal(one.name) for one in above}:
            text = f"{_shown(thing)}: its family {thing.family!r} is there under the name {above[0].name!r}"
            yield Finding(False, text, (thing.key,))


def _versions(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the aliases that say more or less than the thing's name does: they may name another version."""
    for thing in catalogue.things:
        told = [parse(spelling) for spelling in thing.spellings]
        for alias in told[1:]:
            others = [one for one in told if one is not alias and normal(one.family) == normal(alias.family)]
            if others and alias.details not in {one.details for one in others}:
                text = f"{_shown(thing)}: its alias {alias.text!r} reads as a version of {others[0].text!r}"
                yield Finding(False, text, (thing.key,))
