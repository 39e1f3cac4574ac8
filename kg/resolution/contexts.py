"""What papers are about, as weighted words: by this a name that several things share finds its own.

A paper's context is the set of its word stems and of the names that it speaks of; a thing's is the mean of some of
its papers'. Words weigh by their inverse document frequency over all papers, so a context is a function of the set
of records. Papers are read once each, and no more than `_MOST` papers make the context of a thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from math import log, sqrt
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from kg.model import PaperRecord

__all__ = ["Contexts", "Mean", "background", "likeness", "words_of_name", "words_of_text"]

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6
_MOST = 40
_FEW = 10
_SPREAD = 2.4
_BACKGROUND = 500
_COUNTS = Path(__file__).with_name("background.tsv")
_NOTHING = 1e-9


class Contexts:
    """The contexts of the papers of a corpus, by their keys."""

    def __init__(self, records: Iterable[PaperRecord]) -> None:
        self._records = {record.paper.key: record for record in records}
        self._made: dict[str, dict[str, float]] = {}

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {key: _words(record) for key, record in self._records.items()}

    @cached_property
    def _shares(self) -> dict[str, float]:
        """The share of papers, of the corpus and of the background, that have a word."""
        papers, counts = background()
        share = _BACKGROUND / papers
        found = {word: count * share for word, count in counts.items()}
        for words in self._words.values():
            for word in words:
                found[word] = found.get(word, 0.0) + 1
        return {word: count / self._all for word, count in found.items()}

    @cached_property
    def _all(self) -> int:
        return len(self._words) + _BACKGROUND

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {word: log(1 / share + 1 / (share * self._all)) for word, share in self._shares.items()}

    def of_paper(self, key: str) -> Mapping[str, float]:
        """Return a paper's context, a vector of length 1 (empty where the paper has no words)."""
        if key not in self._made:
            self._made[key] = _unit({word: self._weights[word] for word in sorted(self._words[key])})
        return self._made[key]

    def telling(self, key: str) -> bool:
        """Whether a paper has enough words to say what it is like."""
        return len(self._words[key]) >= _FEW

    def times(self, key: str, like: float, papers: int) -> float:
        """Return how like a paper is to the mean of that many papers, in multiples of how like it is to any.

        The mean context of n papers that have nothing to do with each other is shorter than that of alike ones; its
        length follows from how like any two papers are. A paper of few words is like others by chance, so that what it
        is over or under the usual counts in multiples of that chance where this is more; one of no words is as usual.
        """
        any_paper, any_two, length = self._any
        own = self.of_paper(key)
        n = min(papers, _MOST)
        mean = sqrt(1 / n + (1 - 1 / n) * any_two)
        usual = sum(weight * any_paper.get(word, 0.0) for word, weight in own.items()) / mean
        chance = sum(self._shares[word] * (weight * self._weights[word] / length) ** 2 for word, weight in own.items())
        unit = max(usual, _SPREAD * sqrt(chance / n) / mean)
        return 1 + (like - usual) / unit if unit else 1.0

    @cached_property
    def _any(self) -> tuple[dict[str, float], float, float]:
        """The context of a paper taken at random, how like two such papers are, and the length before it is made 1.

        All are as expected by the shares.
        """
        expected = {word: self._weights[word] * share for word, share in sorted(self._shares.items())}
        length = sqrt(sum(weight * self._weights[word] for word, weight in expected.items()))
        any_paper = {word: weight / length for word, weight in expected.items()}
        return any_paper, sum(weight * weight for weight in any_paper.values()), length

    def of_papers(self, keys: Iterable[str], words: Collection[str] = ()) -> Mean:
        """Return the mean context of papers, or of the first of many, and of some words, as of one paper more."""
        first = tuple(sorted(set(keys))[:_MOST])
        rare = log(self._all + 1)
        total = _unit({word: self._weights.get(word, rare) for word in sorted(words)})
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
    return frozenset(words_of_text(name) | {f"={normal(name)}"})


def words_of_text(text: str) -> set[str]:
    """Return the beginnings of the longer words of a text."""
    return {word[:_STEM] for word in _WORD.findall(text.casefold())}


@cache
def background() -> tuple[int, Mapping[str, int]]:
    """Return how many papers were counted beforehand, and how many of them have each word or name."""
    first, *lines = _COUNTS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t", 1) for line in lines)
    return int(first), MappingProxyType({word: int(count) for count, word in pairs})


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _words(record: PaperRecord) -> frozenset[str]:
    words = {word for _, text in record.paper.fields() for word in words_of_text(text)}
    return frozenset(words | {f"={normal(entity.name)}" for entity in record.entities})
