"""Which of the things that share a name a paper means where it does not spell the name out.

A sense of a form is a known thing of that name, what some papers spell it out as, or what a paper proposes under it.
A paper that uses the bare name is led to the sense whose papers are most like it in their words, in the other names
that they speak of, and in the type; where none is like enough, to none of them.

How like a paper and a sense are is told in multiples of how like the paper is to any other papers, as many as the
sense has, so that one measure serves short lists and long ones. The bounds were set on 219 names of the annotated
papers (`benchmarks/linking.py` counts what they do).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.model import EntityType
from kg.resolution.contexts import likeness, words_of_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from kg.resolution.contexts import Contexts, Mean

__all__ = ["Bare", "Senses"]

_KIND = {EntityType.TASK: EntityType.METHOD}
"""The same technique is a task here and a method there, so these two tell nothing apart."""

_OTHER_KIND = 0.6
_LIKE = 1.35
_LIKE_THE_ONLY_ONE = 0.8
_LIKE_THE_ONLY_ONE_OF_A_PAPER = 1.25
_MOST_OF = 3
_LIKE_THOUGH_PROPOSED = 2.0
_MORE_LIKE_THAN_KNOWN = 1.5
_LIKE_THE_ONLY_PAPER = 2.6
_UNLIKE = 0.6
_UNLIKE_BY_NAME_ALONE = 1.0
"""What the record itself does not link, and uses as another type, is the known thing only where that is like it."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A bare name in a paper: its form, its type there, and the node that it leads to by its name alone.

    `known` says that this node is a known thing, of which the type was taken; `proposed` that the paper proposes it,
    `coined` that its words give it the name. `namesakes` are the known things of the name, of which the type told one.
    """

    paper: str
    form: str
    type: EntityType
    key: str
    known: bool
    proposed: bool
    coined: bool
    namesakes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Sense:
    key: str
    papers: set[str] = field(default_factory=set)
    telling: set[str] = field(default_factory=set)
    spelling: set[str] = field(default_factory=set)
    kinds: Counter[EntityType] = field(default_factory=Counter)

    @property
    def narrow(self) -> bool:
        """Whether all that papers spell the form out as here has more words than the form has letters."""
        return not self.spelling & self.papers


class Senses:
    """The senses of all forms of a corpus."""

    def __init__(self, contexts: Contexts, words: Callable[[str], Collection[str]]) -> None:
        """`words` gives what is known of a node beforehand, as words of a context."""
        self._contexts = contexts
        self._words = words
        self._senses: dict[str, dict[str, _Sense]] = {}
        self._means: dict[tuple[str, str], Mean] = {}

    def add(
        self, form: str, key: str, paper: str, type_: EntityType, *, told: bool = True, narrow: bool = False
    ) -> None:
        """Note that in a paper a form means what a node is, as this type: its words tell, or its name alone.

        `narrow` says that what the paper spells the form out as has more words than the form has letters.
        """
        sense = self._senses.setdefault(form, {}).setdefault(key, _Sense(key))
        sense.papers.add(paper)
        if told:
            sense.telling.add(paper)
        if not narrow:
            sense.spelling.add(paper)
        sense.kinds[_KIND.get(type_, type_)] += 1
        self._means.pop((form, key), None)

    def remove(self, form: str, key: str, paper: str, type_: EntityType) -> None:
        """Note that in a paper a form does not mean what a node is that it seemed to be."""
        sense = self._senses.get(form, {}).get(key)
        if sense is not None and paper in sense.papers:
            sense.papers.discard(paper)
            sense.kinds[_KIND.get(type_, type_)] -= 1
            if not sense.papers:
                del self._senses[form][key]
            self._means.pop((form, key), None)

    def claimed(self, bare: Bare) -> bool:
        """Whether a paper that is led to a known thing by its name alone is much more like another of that name.

        How like it is to the known thing is told here by the papers whose words tell, and by that thing's names.
        """
        senses = self._senses.get(bare.form, {})
        own = senses.get(bare.key)
        others = [sense for key, sense in senses.items() if key != bare.key and sense.papers != {bare.paper}]
        if own is None or not others or not bare.known or bare.paper in own.telling:
            return False
        best = max(others, key=lambda sense: (self._like(bare, sense), sense.key))
        words = self._words(bare.key)
        told = self._contexts.of_papers(own.telling, words)
        default = self._times(bare, told.unit, len(own.telling) or 1)
        return self._like(bare, best) >= max(_LIKE_THE_ONLY_PAPER, _MORE_LIKE_THAN_KNOWN * default)

    def lead(self, bare: Bare, reason: str) -> tuple[str, str]:
        """Return the node that a bare name leads to, and the reason: the given one where its own node stands."""
        senses = [sense for sense in self._senses.get(bare.form, {}).values() if sense.papers != {bare.paper}]
        others = [sense for sense in senses if sense.key != bare.key]
        if not senses or (not others and bare.known and not bare.proposed):
            return bare.key, reason
        likes = {sense.key: self._like(bare, sense) for sense in senses}
        best = min(likes, key=lambda key: (-likes[key], key))
        if bare.known or bare.key == bare.form:
            return self._from_default(bare, reason, likes, best)
        if likes[best] >= self._bound(bare, best):
            return best, _kept(reason, best, likes) if best == bare.key else _told("context", best, likes)
        if len(senses) == 1 and not senses[0].narrow and not self._contexts.telling(bare.paper):
            return bare.key, reason
        return bare.form, _told("unlike", best, likes)

    def _from_default(self, bare: Bare, reason: str, likes: Mapping[str, float], best: str) -> tuple[str, str]:
        """Lead away from the known thing, or from the plain name, only where another sense is clearly more like."""
        default = likes.get(bare.key)
        if best != bare.key:
            bound = self._bound(bare, best)
            if bare.known and default is not None:
                bound = max(bound, _MORE_LIKE_THAN_KNOWN, _MORE_LIKE_THAN_KNOWN * default)
            elif bare.known:
                bound = max(bound, _MORE_LIKE_THAN_KNOWN)
            if bare.known and len(self._senses[bare.form][best].papers) == 1:
                bound = max(bound, _LIKE_THE_ONLY_PAPER)
            if likes[best] >= bound:
                return best, _told("context", best, likes)
        unlike = _UNLIKE_BY_NAME_ALONE if reason == "alias" else _UNLIKE
        if default is not None and default < unlike and self._otherwise(bare):
            other = bare.paper if bare.coined or bare.proposed else "other"
            return f"{bare.form}~{other}", _told("unlike", bare.key, likes)
        if bare.known or best == bare.key:
            return bare.key, _kept(reason, bare.key, likes)
        return bare.key, _told("unlike", best, likes)

    def _otherwise(self, bare: Bare) -> bool:
        """Whether more than the words of its paper says that a name is not its default: its kind, or a proposal."""
        sense = self._senses[bare.form][bare.key]
        kinds = sense.kinds
        if bare.known and bare.coined and len(sense.papers - {bare.paper}) > 1:
            return True
        return not kinds[_KIND.get(bare.type, bare.type)]

    def _bound(self, bare: Bare, key: str) -> float:
        """Return how like a paper must be to a sense: less where most papers that spell the form out mean this."""
        senses = self._senses[bare.form]
        papers = {each: len(sense.papers - {bare.paper}) for each, sense in senses.items()}
        if bare.proposed:
            return _LIKE_THOUGH_PROPOSED
        if papers[key] == 1 and senses[key].narrow:
            return _LIKE_THE_ONLY_PAPER
        others = sum(papers.values()) - papers[key]
        if papers[key] == 1 and not others:
            return _LIKE_THE_ONLY_ONE_OF_A_PAPER
        return _LIKE_THE_ONLY_ONE if papers[key] > 1 and papers[key] >= _MOST_OF * others else _LIKE

    def _like(self, bare: Bare, sense: _Sense) -> float:
        words = self._words(sense.key)
        papers = len(sense.papers - {bare.paper})
        if (bare.form, sense.key) not in self._means:
            self._means[bare.form, sense.key] = self._contexts.of_papers(sense.papers, words)
        mean = self._contexts.without(self._means[bare.form, sense.key], bare.paper)
        like = self._times(bare, mean, papers)
        if bare.known and (sense.key == bare.key or not {bare.key, sense.key} <= bare.namesakes):
            return round(like, 4)
        shared = sense.kinds[_KIND.get(bare.type, bare.type)] / sum(sense.kinds.values())
        return round(like * (_OTHER_KIND + (1 - _OTHER_KIND) * min(1.0, 2 * shared)), 4)

    def _times(self, bare: Bare, mean: Mapping[str, float], papers: int) -> float:
        like = likeness(self._contexts.of_paper(bare.paper), mean, words_of_name(bare.form))
        return self._contexts.times(bare.paper, like, papers)


def _told(reason: str, key: str, likes: Mapping[str, float]) -> str:
    """Return a reason with the node it is about and how like the paper is to that and to each other thing weighed."""
    others = sorted((other for other in likes if other != key), key=lambda other: (-likes[other], other))
    weighed = [f"{likes[key]:.2f}"] if key in likes else []
    weighed += [f"{other}: {likes[other]:.2f}" for other in others]
    return f"{reason}: {key} ({'; '.join(weighed)})"


def _kept(reason: str, key: str, likes: Mapping[str, float]) -> str:
    """Return the reason of a link that stands, with what else was weighed where other things have the name."""
    if not likes.keys() - {key}:
        return reason
    told = _told("", key, likes).removeprefix(": ")
    return f"{reason} {told.removeprefix(key).strip()}" if ": " in reason else f"{reason}: {told}"
