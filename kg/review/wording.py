"""How alike two names are written: by their words, without endings, and without the words that name a kind or a maker.

A name that has a word more than another, or another word, names something else ("personalized federated learning"),
unless the word only says what kind of thing it is ("Gaussian process model").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from kg.names import bare, normal
from kg.names.abbreviations import long_form_start
from kg.text.stems import american, stem

__all__ = ["Wording", "in_short", "is_acronym", "is_coined", "letters", "likeness", "wording"]

_WORD = re.compile(r"[^\W_]+")
_PLURAL = re.compile(r"(?<=[A-Z\d])s(?![^\W_])")
_VERSION = re.compile(r"(?<![^\W_])[vV](?=\d)")
_SYMBOL = re.compile(r"\d+|[+*#]")
_KINDS = frozenset({
    "model", "modeling", "method", "approach", "algorithm", "framework", "technique", "problem", "task", "dataset",
    "data", "benchmark", "corpus", "suite", "challenge", "metric", "score", "loss", "gpu", "chip", "accelerator",
    "processor",
})  # fmt: skip
_LOOSER_KINDS = frozenset({"network", "architecture", "system"})
_MAKERS = frozenset({
    "nvidia", "amd", "intel", "google", "qualcomm", "apple", "huawei", "meta", "openai", "microsoft", "aws", "amazon",
})  # fmt: skip
_ONE_MAKER = {"aws": "amazon"}
_SMALL = frozenset({"the", "a", "an", "of", "and", "for", "in", "s", "based"})
_DIRECTED = frozenset({"to", "2", "from", "into"})
_INFLECTED = frozenset({"", "s", "e", "es", "ed", "d", "ing", "y", "ies", "al", "r", "er", "rs", "ers"})
_ACTIONS = frozenset({"ing", "ings", "ion", "ions"})
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W_]")
_LONG_WORD, _LONG_PART, _LONG_NAME = 6, 5, 7

_SAME_BUT_ENDINGS = 0.96
_DERIVED = 0.84
_ONE_LETTER, _OTHER_LETTER, _ONE_LETTER_OF_A_NAME = 0.88, 0.76, 0.72
_KIND, _LOOSER_KIND, _OTHER_KINDS = 0.88, 0.76, 0.5
_OTHER_ORDER, _OTHER_ORDER_DERIVED = 0.84, 0.6
_PLURAL_OF_A_NAME = 0.8


@dataclass(frozen=True, slots=True)
class Wording:
    """A name in words: their stems, all and those that tell it apart; those that name a kind.

    `maker` is the name of a maker before a name with a number. `written` are the telling words with their endings,
    `marks` the numbers and symbols, which always tell apart; `based` says that it has this word.
    """

    words: tuple[str, ...]
    telling: tuple[str, ...]
    kinds: tuple[str, ...]
    maker: str
    written: tuple[str, ...]
    marks: tuple[str, ...]
    based: bool

    @property
    def joined(self) -> str:
        """The telling words without what stands between them."""
        return "".join(self.telling)


@lru_cache(maxsize=65536)
def wording(name: str) -> Wording:
    """Return the words of a name.

    >>> wording("NVIDIA A100s").telling, wording("Zorb v2").joined, wording("expectation-maximisation models").telling
    (('a100',), 'zorb2', ('expect', 'maxim'))
    """
    text = _VERSION.sub("", _PLURAL.sub("", bare(name)))
    every = _WORD.findall(text)
    found = [word for at, word in enumerate(every) if word not in _SMALL or (at == 0 and word == "in")] or [text]
    kinds: list[str] = []
    while len(found) > 1 and _kind(found[-1]):
        kinds.insert(0, _stem(found.pop()))
    maker = ""
    if len(found) > 1 and found[0].casefold() in _MAKERS and any(map(str.isdigit, "".join(found[1:]))):
        maker = _ONE_MAKER.get(found[0].casefold(), found[0].casefold())
        found.pop(0)
    telling = tuple(map(_stem, found))
    written = tuple(normal(word) or word for word in found)
    words = (*((maker,) if maker else ()), *telling, *kinds)
    return Wording(words, telling, tuple(kinds), maker, written, tuple(_SYMBOL.findall(text)), "based" in every)


def _kind(word: str) -> bool:
    return _stem(word) in _stems_of_kinds()


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    """Return a word without its ending; one with capitals or digits within has none."""
    if not word.isalpha() or any(map(str.isupper, word[1:])):
        return normal(word) or word
    return stem(normal(word))


@lru_cache(maxsize=1)
def _stems_of_kinds() -> dict[str, str]:
    """Return the words that name a kind, by their stems."""
    return {_stem(word): word for word in sorted(_KINDS | _LOOSER_KINDS, reverse=True)}


def letters(name: str) -> str:
    """Return the first letters of a name's words, and all letters of a short form among them.

    >>> letters("explainable AI"), letters("Explainable artificial intelligence")
    ('eai', 'eai')
    """
    words = [word for word in _WORD.findall(_PLURAL.sub("", bare(name))) if word.casefold() not in _SMALL]
    return "".join(word.casefold() if is_acronym(word) else word[0].casefold() for word in words)


def in_short(one: str, other: str) -> bool:
    """Whether two names are the same but for words that one of them has in short.

    >>> in_short("explainable AI", "Explainable artificial intelligence"), in_short("3D grasp", "3D Gaussian splatting")
    (True, False)
    """
    mine, its = (_WORD.findall(_PLURAL.sub("", bare(name))) for name in (one, other))
    stems, others = (set(map(_stem, words)) for words in (mine, its))
    rest, other_rest = [w for w in mine if _stem(w) not in others], [w for w in its if _stem(w) not in stems]
    few, many = sorted((rest, other_rest), key=len)
    if not stems & others or len(few) != 1 or len(many) < 2 or not is_acronym(few[0]):
        return False
    return long_form_start(few[0], " ".join(many)) == 0


@lru_cache(maxsize=65536)
def is_acronym(name: str) -> bool:
    """Whether a name is one word of capitals, but for what stands between them.

    >>> is_acronym("RKHS"), is_acronym("GANs"), is_acronym("ZetaFormer"), is_acronym("regret")
    (True, True, False, False)
    """
    text = bare(name)
    letters = [char for char in _PLURAL.sub("", text) if char.isalpha()]
    capitals = sum(map(str.isupper, letters))
    return " " not in text and len(letters) <= 12 and capitals >= 2 and 2 * capitals > len(letters)


def is_coined(name: str) -> bool:
    """Whether a name is one word that somebody made up, with capitals or digits within it, and no acronym.

    A short one (``DisCo``) is none: it stands for as many things as an acronym.

    >>> [is_coined(name) for name in ("ZetaFormer", "word2vec", "Task-Oriented", "RKHS", "DisCo")]
    [True, True, False, False, False]
    """
    text = bare(name)
    if len(normal(name)) < _LONG_NAME:
        return False
    within = any(char.isupper() or char.isdigit() for part in _WORD.findall(text) for char in part[1:])
    return " " not in text and within and not is_acronym(name)


def likeness(one: str, other: str) -> tuple[float, str] | None:
    """Return how alike two names are written, in [0, 1], and in what they differ; None where they are not alike.

    >>> likeness("Expectation-Maximisation", "expectation maximization")
    (0.96, 'the names differ in spelling or endings alone')
    >>> likeness("federated learning", "personalized federated learning") is None
    True
    """
    mine, its = wording(one), wording(other)
    if mine.marks != its.marks or is_acronym(one) != is_acronym(other):
        return None
    if "".join(mine.words) == "".join(its.words):
        what = "in 'based'" if mine.based != its.based else "in spelling or endings"
        return _by_endings(mine, its), f"the names differ {what} alone"
    if mine.joined == its.joined and (len(mine.telling) > 1 or is_coined(mine.written[0]) or mine.marks):
        return _by_kinds(mine, its)
    if sorted(mine.telling) == sorted(its.telling) and len(mine.telling) > 1 and not _DIRECTED & set(mine.words):
        return _by_order(mine, its), "the names have the same words in another order"
    if len(mine.telling) == len(its.telling) == 1:
        near = is_coined(one) and is_coined(other) and _nearly_coined(one, other)
        return (_ONE_LETTER_OF_A_NAME, "the names differ in one letter") if near else None
    return _nearly(mine, its)


def _by_endings(mine: Wording, its: Wording) -> float:
    if len(mine.words) == len(its.words) == 1 and not mine.marks:
        return _PLURAL_OF_A_NAME
    if mine.based != its.based:
        return _DERIVED
    if len(mine.written) != len(its.written):
        return _SAME_BUT_ENDINGS
    return min(_ending(a, b) for a, b in zip(mine.written, its.written, strict=True))


def _by_order(mine: Wording, its: Wording) -> float:
    forms, others = (sorted(zip(each.telling, each.written, strict=True)) for each in (mine, its))
    endings = [_ending(a, b) for (_, a), (_, b) in zip(forms, others, strict=True)]
    return _OTHER_ORDER if min(endings) == _SAME_BUT_ENDINGS else _OTHER_ORDER_DERIVED


def _ending(one: str, other: str) -> float:
    """Return how much two words of one stem say the same: "probe" as "probing", less "interactive" as "interaction"."""
    one, other = american(one), american(other)
    begin = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    endings = {one[begin:], other[begin:]}
    return _SAME_BUT_ENDINGS if endings <= _INFLECTED or _is_action(endings, one[:begin]) else _DERIVED


def _is_action(endings: set[str], begin: str) -> bool:
    """Whether two endings make a verb's action of it ("detecting", "detection")."""
    return endings <= _ACTIONS or (begin.endswith("i") and endings <= {ending[1:] for ending in _ACTIONS})


def _by_kinds(mine: Wording, its: Wording) -> tuple[float, str] | None:
    if mine.maker and its.maker and mine.maker != its.maker:
        return None
    if mine.kinds and its.kinds and mine.kinds != its.kinds:
        return _OTHER_KINDS, "the names differ in the words that name a kind"
    more = [*(set(mine.kinds) ^ set(its.kinds)), *({mine.maker, its.maker} - {""} if mine.maker != its.maker else ())]
    words = sorted(_stems_of_kinds().get(word, word) for word in more)
    named = "a maker or a kind" if set(words) & _MAKERS else "a kind"
    score = _LOOSER_KIND if _LOOSER_KINDS & set(words) else _KIND
    return score, f"the names differ in '{' '.join(words)}' alone, which names {named}"


def _nearly(mine: Wording, its: Wording) -> tuple[float, str] | None:
    """Judge names of which one word differs in one letter: one that is put in, left out, changed or moved."""
    if len(mine.telling) != len(its.telling):
        return None
    both = zip(mine.telling, its.telling, mine.written, its.written, strict=True)
    differing = [(a, b) for mine, its, a, b in both if mine != its]
    same = [(a, b) for a, b in zip(mine.written, its.written, strict=True) if (a, b) not in differing]
    if len(differing) != 1 or any(_ending(a, b) == _DERIVED for a, b in same):
        return None
    ((a, b),) = differing
    if not _one_letter_apart(a, b, least=_LONG_WORD):
        return None
    changed = len(a) == len(b) and sorted(a) != sorted(b)
    return (_OTHER_LETTER if changed else _ONE_LETTER), "the names differ in one letter"


def _one_letter_apart(one: str, other: str, *, least: int) -> bool:
    return min(len(one), len(other)) >= least and one[0] == other[0] and DamerauLevenshtein.distance(one, other) == 1


def _nearly_coined(one: str, other: str) -> bool:
    """Whether two names of parts (``ZetaBridgeNet``) differ in one letter of a longer part.

    In a shorter one they do so on purpose (``EfficientDet``).
    """
    mine, its = _PART.findall(bare(one)), _PART.findall(bare(other))
    if len(mine) != len(its):
        return False
    differing = [(a.casefold(), b.casefold()) for a, b in zip(mine, its, strict=True) if a.casefold() != b.casefold()]
    return len(differing) == 1 and _one_letter_apart(*differing[0], least=_LONG_PART)
