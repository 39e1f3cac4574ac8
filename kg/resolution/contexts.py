"""What papers are about, as weighted words: by this a name that several things share finds its own.

A paper's context is the set of its word stems and of the names that it speaks of; a thing's is the mean of some of
its papers'. Words weigh by their inverse document frequency over all papers, so a context is a function of the set
of records. Papers are read once each, and no more than `_MOST` papers make the context of a thing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log, sqrt
from typing import TYPE_CHECKING

from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from kg.model import PaperRecord

__all__ = ["Contexts", "Mean", "likeness", "words_of_name"]

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6
_MOST = 40
_FEW = 8
_NOTHING = 1e-9


class Contexts:
    """The contexts of the papers of a corpus, by their keys."""

    def __init__(self, records: Iterable[PaperRecord]) -> None:
        self._records = {record.paper.key: record for record in records}
        self._made: dict[str, dict[str, float]] = {}
        self._usual: dict[str, float] = {}

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {key: _words(record) for key, record in self._records.items()}

    @cached_property
    def _weights(self) -> dict[str, float]:
        counts: Counter[str] = Counter()
        for words in self._words.values():
            counts.update(words)
        papers = len(self._words)
        return {word: log((papers + 1) / count) for word, count in counts.items()}

    def of_paper(self, key: str) -> Mapping[str, float]:
        """Return a paper's context, a vector of length 1 (empty where the paper has no words)."""
        if key not in self._made:
            self._made[key] = _unit({word: self._weights[word] for word in sorted(self._words[key])})
        return self._made[key]

    def usual(self, key: str, papers: int) -> float:
        """Return how like a paper is to that many papers taken at random; 0 where there are too few to say.

        The mean context of n papers that have nothing to do with each other is shorter than that of alike ones; its
        length follows from how like any two papers are.
        """
        others = [one for one in self._sample if one != key]
        if len(others) < _FEW:
            return 0.0
        own = self.of_paper(key)
        if key not in self._usual:
            self._usual[key] = sum(likeness(own, self.of_paper(one)) for one in others) / len(others)
        n = min(papers, _MOST)
        return self._usual[key] / sqrt(1 / n + (1 - 1 / n) * self._any_two)

    @cached_property
    def _sample(self) -> tuple[str, ...]:
        keys = sorted(self._records)
        return tuple(keys[:: max(1, len(keys) // _MOST)][:_MOST])

    @cached_property
    def _any_two(self) -> float:
        pairs = list(combinations(self._sample, 2))
        return sum(likeness(self.of_paper(one), self.of_paper(other)) for one, other in pairs) / len(pairs)

    def of_papers(self, keys: Iterable[str]) -> Mean:
        """Return the mean context of papers, or of the first of many."""
        first = tuple(sorted(set(keys))[:_MOST])
        total: dict[str, float] = {}
        for key in first:
            for word, weight in self.of_paper(key).items():
                total[word] = total.get(word, 0.0) + weight
        return Mean(frozenset(first), total)

    def without(self, mean: Mean, key: str) -> Mapping[str, float]:
        """Return a mean context, of length 1, as it is without one of its papers."""
        if key not in mean.papers:
            return mean.unit
        own = self.of_paper(key)
        rest = ((word, weight - own.get(word, 0.0)) for word, weight in mean.total.items())
        return _unit({word: weight for word, weight in rest if weight > _NOTHING})


@dataclass(frozen=True)
class Mean:
    """The sum of the contexts of papers."""

    papers: frozenset[str]
    total: Mapping[str, float]

    @cached_property
    def unit(self) -> Mapping[str, float]:
        """The mean context, of length 1."""
        return _unit(self.total)


def likeness(one: Mapping[str, float], other: Mapping[str, float], without: Collection[str] = ()) -> float:
    """Return the cosine of two contexts, in [0, 1], rounded so that no order of adding shows in it.

    Words in `without` do not count: those of the name that is judged.
    """
    small, large = sorted((one, other), key=len)
    shared = (weight * large[word] for word, weight in small.items() if word in large and word not in without)
    return round(sum(shared), 6)


def words_of_name(name: str) -> frozenset[str]:
    """Return what a name adds to the context of a paper that has it."""
    return frozenset({word[:_STEM] for word in _WORD.findall(name.casefold())} | {f"={normal(name)}"})


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _words(record: PaperRecord) -> frozenset[str]:
    words = {word[:_STEM] for _, text in record.paper.fields() for word in _WORD.findall(text.casefold())}
    return frozenset(words | {f"={normal(entity.name)}" for entity in record.entities})
