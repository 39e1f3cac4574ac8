"""From the scores of labels to spans: Viterbi over words, with hints of rules, and one type for one spelling."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from kg.linking.tagger.labels import BEGIN, INSIDE, LABELS, TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.linking.tagger.encoding import Word
    from kg.linking.tagger.settings import Settings

__all__ = ["Found", "Hint", "Span", "hinted", "key", "spans_of", "spread", "viterbi"]

_PAIRS = tuple(zip(BEGIN.tolist(), INSIDE.tolist(), strict=True))
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Hint:
    """A span that a rule takes for a name: fields[field][start:end]; `type` is None where the rule does not say.

    `bonus` (nats) is what the labels of that span gain over the model's own.
    """

    field: int
    start: int
    end: int
    type: str | None
    bonus: float


@dataclass(frozen=True, slots=True)
class Span:
    """A name found: fields[field][start:end]. Spans of one `group` are spelled alike and share a type."""

    field: int
    start: int
    end: int
    type: str
    probability: float
    group: int


def hinted(logp: np.ndarray, cut: Sequence[Word], hints: Iterable[Hint]) -> np.ndarray:
    """Return the log-probabilities after each hint whose ends are ends of words has given its bonus."""
    begins = {(w.field, w.start): i for i, w in enumerate(cut)}
    ends = {(w.field, w.end): i + 1 for i, w in enumerate(cut)}
    scores = logp.copy()
    for hint in hints:
        first, last = begins.get((hint.field, hint.start)), ends.get((hint.field, hint.end))
        if first is None or last is None:
            continue
        kinds = range(len(TYPES)) if hint.type is None else [TYPES.index(hint.type)]
        for kind in kinds:
            scores[first, BEGIN[kind]] += hint.bonus
            scores[first + 1 : last, INSIDE[kind]] += hint.bonus
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def viterbi(scores: np.ndarray, breaks: Iterable[int] = ()) -> list[int]:
    """Return the best labels such that no I stands without its B; none goes on across the words in `breaks`."""
    if not len(scores):
        return []
    stops = set(breaks) | {0}
    # Plain lists, because numpy takes longer to begin than to work on as few numbers as there are labels.
    best = [0.0] * len(LABELS)
    back: list[list[int]] = []
    for w, row in enumerate(scores.tolist()):
        highest = max(best)
        new = [highest + score for score in row]
        steps = [best.index(highest)] * len(new)
        for begin, inside in _PAIRS:
            if w in stops:
                new[inside] = -math.inf
            else:
                before = begin if best[begin] >= best[inside] else inside
                steps[inside], new[inside] = before, best[before] + row[inside]
        back.append(steps)
        best = new
    label = best.index(max(best))
    path = [label]
    for steps in reversed(back[1:]):
        label = steps[label]
        path.append(label)
    return path[::-1]


@lru_cache(maxsize=8192)
def key(name: str) -> str:
    """Return what two spellings of one name share: letters and digits, without case or a plural s.

    >>> key("Diffusion Transformers") == key("diffusion-transformer")
    True
    """
    text = _NO_LETTER.sub("", unicodedata.normalize("NFKC", name).casefold())
    return text[:-1] if len(text) > 4 and text.endswith("s") else text


@dataclass(frozen=True, slots=True)
class Found:
    """A span over words [first, last) before spelling is taken into account."""

    first: int
    last: int
    type: int
    probability: float


def spans_of(logp: np.ndarray, cut: Sequence[Word], settings: Settings) -> list[Found]:
    """Decode the labels of words into spans with their probabilities before bias and cost."""
    starts = [w for w in range(len(cut)) if w == 0 or cut[w].field != cut[w - 1].field]
    scores = logp.astype(np.float64)
    scores[:, 0] += settings.o_bias
    scores[:, BEGIN] -= settings.name_cost
    path = viterbi(scores, starts)
    found, w = [], 0
    while w < len(path):
        if path[w] == 0:
            w += 1
            continue
        kind, first = (path[w] - 1) // 2, w
        w += 1
        while w < len(path) and path[w] == INSIDE[kind]:
            w += 1
        log = float(logp[first, BEGIN[kind]] + logp[first + 1 : w, INSIDE[kind]].sum())
        found.append(Found(first, w, kind, float(np.exp(log))))
    return found


def spread(found: Sequence[Found], fields: Sequence[str], cut: Sequence[Word]) -> list[tuple[Found, int]]:
    """Give all spans of one spelling one type, and find each spelling everywhere. Returns spans and their groups."""

    def surface(f: Found) -> str:
        return fields[cut[f.first].field][cut[f.first].start : cut[f.last - 1].end]

    votes: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(len(TYPES)))
    spellings: dict[str, str] = {}
    for f in found:
        text = surface(f)
        group = key(text) or text
        votes[group][f.type] += f.probability
        spellings[text] = group
    taken = np.zeros(len(cut), dtype=bool)
    result = []
    numbers = {group: n for n, group in enumerate(votes)}
    surest: dict[str, float] = defaultdict(float)
    for f in found:
        group = spellings[surface(f)]
        taken[f.first : f.last] = True
        result.append((replace(f, type=int(votes[group].argmax())), numbers[group]))
        surest[group] = max(surest[group], f.probability)
    begins = {(w.field, w.start): i for i, w in enumerate(cut)}
    ends = {(w.field, w.end): i + 1 for i, w in enumerate(cut)}
    for text in sorted(spellings, key=lambda s: (-len(s), s)):
        if len(text) < 2:
            continue
        group = spellings[text]
        for number, whole in enumerate(fields):
            for start in _places(text, whole):
                first, last = begins.get((number, start)), ends.get((number, start + len(text)))
                if first is None or last is None or taken[first:last].any():
                    continue
                taken[first:last] = True
                result.append((Found(first, last, int(votes[group].argmax()), surest[group]), numbers[group]))
    return sorted(result, key=lambda pair: pair[0].first)


def _places(text: str, whole: str) -> Iterator[int]:
    """Yield where a text stands in another, not overlapping."""
    at = whole.find(text)
    while at >= 0:
        yield at
        at = whole.find(text, at + len(text))
