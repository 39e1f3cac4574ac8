"""Things of a graph that are likely one and were not merged, best first, each with the reason.

Only things that share a signature are compared: a spelling, a spelling but for one letter, the words, or initials and
their short form. No signature brings more than `_MOST` things together, so the work grows with the number of things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from kg.model import EntityType
from kg.names import bare, compare, normal
from kg.resolution.forms import alike, stems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.review.built import Built, Thing

__all__ = ["Duplicate", "duplicates"]

_MOST = 40
_LEAST = 0.5
_LONG_ENOUGH = 6
_INITIALS = 3
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_GENERIC = frozenset(
    {"data", "dataset", "benchmark", "corpus", "model", "network", "method", "framework", "loss", "task"}
)
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "to", "with", "by", "via", "as", "from"})
_KIND = {EntityType.TASK: EntityType.METHOD}


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two things that are likely one: how likely, in [0, 1], and why."""

    score: float
    one: Thing
    other: Thing
    reason: str


def duplicates(built: Built, *, of: Thing | None = None) -> list[Duplicate]:
    """Return the likely duplicates of a graph, or of one of its things, best first.

    Versions of one family, and things that a number tells apart, are none.
    """
    found = []
    for one, other in sorted(_candidates(built, of)):
        judged = _judge(built.things[one], built.things[other])
        if judged is not None:
            found.append(Duplicate(judged[0], built.things[one], built.things[other], judged[1]))
    return sorted(found, key=lambda each: (-each.score, -_papers(each), each.one.iri, each.other.iri))


def _papers(pair: Duplicate) -> int:
    return min(len(pair.one.papers), len(pair.other.papers))


def _candidates(built: Built, of: Thing | None) -> set[tuple[str, str]]:
    blocks: dict[str, list[Thing]] = {}
    wanted = set(_signatures(of)) if of is not None else None
    for thing in built.things.values():
        for signature in sorted(set(_signatures(thing))):
            if wanted is None or signature in wanted:
                blocks.setdefault(signature, []).append(thing)
    pairs = set()
    for things in blocks.values():
        some = sorted(things, key=lambda thing: (-len(thing.papers), thing.iri))[:_MOST]
        if of is None:
            pairs |= {(min(a.iri, b.iri), max(a.iri, b.iri)) for a, b in combinations(some, 2)}
        else:
            pairs |= {(min(of.iri, b.iri), max(of.iri, b.iri)) for b in some if b.iri != of.iri}
    return pairs


def _signatures(thing: Thing) -> Iterator[str]:
    for spelling in thing.spellings:
        form = normal(spelling)
        yield f"form {form}"
        telling = _words(spelling)
        if len(telling) > 1:
            yield f"words {' '.join(sorted(word[:5] for word in telling))} {_numbers(spelling)}"
            initials = "".join(word[0] for word in telling if word not in _SMALL)
            if len(initials) >= _INITIALS:
                yield f"form {initials}"
        if telling:
            yield f"form {normal(' '.join(telling))}"
    form = normal(thing.name)
    if _LONG_ENOUGH <= len(form) <= 60:
        yield f"near {form}"
        for place in range(len(form)):
            yield f"near {form[:place]}{form[place + 1 :]}"


def _numbers(name: str) -> str:
    return " ".join(_NUMBER.findall(normal(name)))


def _judge(one: Thing, other: Thing) -> tuple[float, str] | None:
    if other.iri == one.family or one.iri == other.family or (one.family is not None and one.family == other.family):
        return None
    found = max(_reasons(one, other), default=None)
    if found is None:
        return None
    score, reason = found
    if _KIND.get(one.type, one.type) != _KIND.get(other.type, other.type):
        score, reason = score * 0.85, f"{reason}, though one is a {one.type} and one a {other.type}"
    both = sorted(one.papers & other.papers)
    if both:
        score, reason = score * 0.6, f"{reason}, though {both[0]} names both"
    return (round(score, 3), reason) if score >= _LEAST else None


def _reasons(one: Thing, other: Thing) -> Iterator[tuple[float, str]]:
    """Yield what speaks for two things being one, each with how much it does."""
    if normal(one.name) == normal(other.name):
        yield 0.6, "one name, told apart by what their papers say"
        return
    if _numbers(one.name) == _numbers(other.name):
        relation = compare(one.name, other.name)
        if relation == "version":
            return
        short = min(one.name, other.name, key=lambda name: len(normal(name)))
        if relation == "same" and min(map(len, (_words(one.name), _words(other.name)))) > 1 and not _short(short):
            yield 0.95, "the names say the same"
        elif relation == "same" and not (_long(one) and _long(other)):
            yield min(0.8, 0.3 + 0.07 * len(normal(short))), f"{short!r} may stand for the longer name"
        words, others = _words(one.name), _words(other.name)
        if len(words) > 1 and sorted(words) == sorted(others):
            yield 0.85, "the same words"
        likeness = fuzz.ratio(normal(one.name), normal(other.name)) / 100
        if likeness >= 0.88 and _spelled_alike(words, others):
            yield round(0.9 * likeness, 3), f"spelled alike ({likeness:.2f})"
    shared = sorted({normal(name) for name in one.spellings} & {normal(name) for name in other.spellings})
    if shared and not all(_short(form) for form in shared):
        yield 0.9, f"both are called {shared[-1]!r}"
    elif shared and any(alike(a, b) for a in _long(one) for b in _long(other)):
        yield 0.8, f"both are called {shared[-1]!r}, and their long forms are alike"


def _spelled_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names have as many words, each spelled nearly as the other: one differing word tells things apart."""
    return len(one) == len(other) and all(
        a == b or (a[0] == b[0] and len(a) >= _LONG_ENOUGH and fuzz.ratio(a, b) >= 88)
        for a, b in zip(one, other, strict=True)
    )


def _long(thing: Thing) -> list[str]:
    return [name for name in thing.spellings if len(_words(name)) > 1]


def _words(name: str) -> tuple[str, ...]:
    words = (word.casefold() for word in _WORD.findall(bare(name)))
    singular = (word.removesuffix("s") or word for word in words)
    return tuple(word for word in singular if word not in _GENERIC)


def _short(name: str) -> bool:
    return len(normal(name)) < _LONG_ENOUGH and not stems(name) - {normal(name)[:5]}
