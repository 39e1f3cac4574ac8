"""What the papers of a thing speak of besides it: by this, things of one name are told from one thing of two names.

A thing's company is the set of the other things in its papers and of the words of their titles, weighted by how few
papers have them. It follows from the links and the titles of a graph alone, without reading the papers.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.review.built import LinkTold, Thing

__all__ = ["Company"]

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6
_MOST = 30
_NOTHING = 1e-9


class Company:
    """The company of the things of a graph."""

    def __init__(self, links: Iterable[LinkTold], titles: Mapping[str, str]) -> None:
        found: dict[str, set[str]] = {
            paper: {word[:_STEM] for word in _WORD.findall(title.casefold())} for paper, title in titles.items()
        }
        for link in links:
            found.setdefault(link.paper, set()).add(link.iri)
        counts = Counter(each for company in found.values() for each in company)
        self._weights = {each: log((len(found) + 1) / count) for each, count in counts.items()}
        self._papers = found
        self._made: dict[str, dict[str, float]] = {}
        self._lengths: dict[str, float] = {}

    def likeness(self, one: Thing, other: Thing) -> float:
        """Return the cosine of the companies of two things, in [0, 1], of which they are themselves no part."""
        mine, its = self._of(one), self._of(other)
        own = {one.iri, other.iri}
        small, large = sorted((mine, its), key=len)
        shared = sum(
            weight * large[each] for each, weight in sorted(small.items()) if each in large and each not in own
        )
        length = sqrt(self._squares(one, own) * self._squares(other, own))
        return round(shared / length, 4) if length else 0.0

    def _of(self, thing: Thing) -> dict[str, float]:
        if thing.iri not in self._made:
            total: Counter[str] = Counter()
            for paper in sorted(thing.papers)[:_MOST]:
                total.update(self._papers.get(paper, ()))
            self._made[thing.iri] = {each: count * self._weights[each] for each, count in total.items()}
        return self._made[thing.iri]

    def _squares(self, thing: Thing, without: set[str]) -> float:
        company = self._of(thing)
        if thing.iri not in self._lengths:
            self._lengths[thing.iri] = sum(weight * weight for _, weight in sorted(company.items()))
        left = self._lengths[thing.iri] - sum(company.get(each, 0.0) ** 2 for each in sorted(without))
        return left if left > _NOTHING else 0.0
