"""How likely a name that stands within a longer one of its paper names the same thing.

A logistic regression says so, by type of thing: from how the shorter name stands in the longer one, and how both stand
in the paper. Its weights lie in ``containment.json`` and are fitted to the pairs of the annotated papers by
``training/containment.py``.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

from kg.linking.draft import Alike
from kg.linking.wording import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.linking.draft import Draft, Found
    from kg.model import EntityType

__all__ = ["Contained", "contained", "likely_the_same"]

_WEIGHTS = Path(__file__).with_name("containment.json")
_NAME_SHAPED = re.compile(r"[A-Z]{2}|[a-z][A-Z]|\d")
EVEN = 0.5
"""The chance from which on a pair is taken for one thing."""


@dataclass(frozen=True, slots=True)
class Contained:
    """A pair of names of one type, the shorter standing in the longer one, and what tells whether they are one."""

    short: str
    long: str
    type: EntityType
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a name stands in its paper."""

    spans: tuple[Found, ...]
    sentences: frozenset[tuple[int, int]]
    in_title: bool
    other_form: str | None


def in_order(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether all of the short sequence stands in the long one in the same order."""
    rest = iter(long)
    return all(item in rest for item in short)


def containment(short: str, long: str) -> str | None:
    """Say how a name stands in a longer one, if it does.

    >>> containment("instance segmentation", "aerial instance segmentation")
    'suffix'
    """
    few, many = tokens(short), tokens(long)
    if not few or len(few) >= len(many):
        return None
    several = len(few) > 1
    if many[-len(few) :] == few:
        return "suffix" if several else "suffix-word"
    if many[: len(few)] == few:
        return "prefix" if several else "prefix-word"
    if in_order(few, many):
        return "middle" if several and few[-1] == many[-1] else "scattered"
    return None


def contained(draft: Draft, spellings: Mapping[EntityType, Sequence[str]]) -> Iterator[Contained]:
    """Yield the pairs of the spellings of each type of which the shorter one stands in the longer one."""
    standings = _standings(draft)
    for kind, names in spellings.items():
        ways = {(a, b): way for a, b in permutations(names, 2) if (way := containment(a, b)) is not None}
        holders: dict[str, int] = {}
        for short, _ in ways:
            holders[short] = holders.get(short, 0) + 1
        for (short, long), way in ways.items():
            features = _features(short, long, standings[short], standings[long])
            yield Contained(short, long, kind, {**features, way: 1.0, "holders": math.log(holders[short])})


def likely_the_same(draft: Draft, spellings: Mapping[EntityType, Sequence[str]]) -> Iterator[Alike]:
    """Yield the pairs of a name and a longer one that are more likely one thing than two."""
    for pair in contained(draft, spellings):
        weights = _weights()[pair.type.value]
        nats = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in sorted(pair.features.items()))
        chance = 1 / (1 + math.exp(-nats))
        if chance >= EVEN:
            yield Alike(1 - chance, pair.long, pair.short, pair.type)


def _features(short: str, long: str, its: _Standing, longs: _Standing) -> dict[str, float]:
    words = long.split()
    own = {word.casefold() for word in short.split()}
    more = " ".join(word for word in words if word.casefold() not in own)
    told = {
        "short-first": its.spans[0].start < longs.spans[0].start,
        "one-sentence": not its.sentences.isdisjoint(longs.sentences),
        "short-defined": its.other_form is not None,
        "long-defined": longs.other_form is not None,
        "each-defined": its.other_form is not None
        and longs.other_form is not None
        and its.other_form != longs.other_form,
        "short-in-title": its.in_title,
        "long-in-title": longs.in_title,
        "in-parentheses": f"({short})" in long,
        "more-name-shaped": _NAME_SHAPED.search(more) is not None,
        "short-name-shaped": _NAME_SHAPED.search(short) is not None,
        "long-unspaced": len(words) == 1,
    }
    return {
        **{name: 1.0 for name, holds in told.items() if holds},
        "more-words": math.log(len(tokens(long)) - len(tokens(short))),
        "long-often": math.log(len(longs.spans)),
        "short-words": float(len(tokens(short))),
        "capitals": sum(word[:1].isupper() for word in words) / len(words),
    }


def _standings(draft: Draft) -> dict[str, _Standing]:
    spans: dict[str, list[Found]] = {}
    for found in sorted(draft.found, key=lambda found: (found.start, found.end)):
        spans.setdefault(draft.surface(found), []).append(found)
    others: dict[str, str] = {}
    for long, short in draft.same:
        others.setdefault(long, short)
        others.setdefault(short, long)
    return {
        name: _Standing(
            tuple(mine),
            frozenset(draft.sentence(found.start) for found in mine),
            draft.part_of(mine[0].start).field == "title",
            others.get(name),
        )
        for name, mine in spans.items()
    }


@lru_cache(maxsize=1)
def _weights() -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, float]] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return weights
