"""Things of a graph that are likely one and were not merged, best first, each with the reason.

Only things that share a signature are compared: a spelling, the words, the letters but for one, or initials and
their short form. No signature brings more than `_MOST` things together, so the work grows with the number of things.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kg.catalogue import load
from kg.names import normal
from kg.review.company import Company
from kg.review.evidence import weigh
from kg.review.wording import is_acronym, letters, wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.catalogue import Catalogue
    from kg.review.built import Built, Thing

__all__ = ["Duplicate", "duplicates"]

_MOST = 40
_LEAST = 0.5
_LONG_ENOUGH, _TOO_LONG = 6, 60
_INITIALS = 3


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two things that are likely one: how likely, in [0, 1], and why."""

    score: float
    one: Thing
    other: Thing
    reason: str


def duplicates(built: Built, *, of: Thing | None = None, catalogue: Catalogue | None = None) -> list[Duplicate]:
    """Return the likely duplicates of a graph, or of one of its things, best first.

    Of pairs that are as likely, those of which more papers speak come first. `catalogue` is the shipped one where none
    is given: two of its things are one only where their names say the same.
    """
    known = catalogue or load()
    company = Company(built.links, built.titles)
    blocks = _blocks(built, of)
    found = []
    for first, second in sorted(_candidates(blocks, of)):
        one, other = built.things[first], built.things[second]
        shared = (len(blocks.get(_form(thing.name), ())) - 1 for thing in (one, other) if is_acronym(thing.name))
        weighed = weigh(
            one,
            other,
            company.likeness,
            rivals=max(shared, default=1),
            known=known.get(one.key) is not None and known.get(other.key) is not None,
        )
        if weighed is not None and weighed[0] >= _LEAST:
            found.append(Duplicate(weighed[0], one, other, weighed[1]))
    return sorted(found, key=lambda each: (-each.score, -_papers(each), each.one.iri, each.other.iri))


def _papers(pair: Duplicate) -> int:
    return min(len(pair.one.papers), len(pair.other.papers))


def _blocks(built: Built, of: Thing | None) -> dict[str, list[Thing]]:
    """Return the things of each signature, or of those that one thing has."""
    blocks: dict[str, list[Thing]] = {}
    wanted = set(_signatures(of)) if of is not None else None
    for thing in built.things.values():
        for signature in sorted(set(_signatures(thing))):
            if wanted is None or signature in wanted:
                blocks.setdefault(signature, []).append(thing)
    return blocks


def _candidates(blocks: dict[str, list[Thing]], of: Thing | None) -> set[tuple[str, str]]:
    pairs = set()
    for things in blocks.values():
        some = sorted(things, key=lambda thing: (-len(thing.papers), thing.iri))[:_MOST]
        if of is None:
            pairs |= {(min(a.iri, b.iri), max(a.iri, b.iri)) for a, b in combinations(some, 2)}
        else:
            pairs |= {(min(of.iri, b.iri), max(of.iri, b.iri)) for b in some if b.iri != of.iri}
    return pairs


def _form(name: str) -> str:
    return f"form {normal(name)}"


def _signatures(thing: Thing) -> Iterator[str]:
    for spelling in thing.spellings:
        said = wording(spelling)
        yield _form(spelling)
        yield f"form {said.joined}"
        if len(said.words) > 1:
            yield f"words {' '.join(sorted(said.telling))}"
            initials = "".join(word[0] for word in said.words)
            if len(initials) >= _INITIALS:
                yield f"form {initials}"
            short = letters(spelling)
            for word in {said.telling[0], said.telling[-1]} if len(short) >= _INITIALS else ():
                yield f"letters {short} of {word}"
    form = "".join(wording(thing.name).written)
    if _LONG_ENOUGH <= len(form) <= _TOO_LONG:
        yield f"near {form}"
        for place in range(len(form)):
            yield f"near {form[:place]}{form[place + 1 :]}"
