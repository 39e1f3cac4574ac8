"""Which normal forms stand for one thing across papers: short forms and the long forms that papers give them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.names import bare, normal
from kg.names.abbreviations import long_form_start

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Entity

__all__ = [
    "Forms",
    "LongForm",
    "alike",
    "by_initials",
    "coined",
    "core",
    "expansions",
    "inner_long_form",
    "long_forms",
    "narrower",
    "spellings",
    "spells_out",
    "stems",
]

_MAX_SHORT = 12
_MAX_COMPARED = 64
_LONGER_WORD = re.compile(r"[^\W\d_]{4,}")
_CAPITALS = re.compile(r"[A-Z].*[A-Z]|\d")
_ANY_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "to", "with", "by", "a", "an", "via", "as", "at", "from"})


def spellings(entity: Entity) -> tuple[str, ...]:
    """Return the name and the aliases of an entity that are not blank."""
    return tuple(name for name in (entity.name, *entity.aliases) if normal(name))


@lru_cache(maxsize=65536)
def expansions(entity: Entity) -> frozenset[tuple[str, str]]:
    """Return the pairs of normal forms (short, long) among an entity's spellings."""
    return frozenset((short, normal(long)) for short, long in long_forms(entity))


@lru_cache(maxsize=65536)
def long_forms(entity: Entity) -> frozenset[tuple[str, str]]:
    """Return the pairs (normal form of the short form, long form as it is written) among an entity's spellings.

    Where every long form of a short form has words before it, they are left out: "obstructive coronary artery
    disease" spells out CAD.
    """
    names = spellings(entity)
    pairs: set[tuple[str, str]] = set()
    for short in {bare(name) for name in names if _is_short(bare(name))}:
        begins = {
            bare(long): long_form_start(short, bare(long))
            for long in names
            if normal(short) != normal(long) and " " in bare(long).replace("-", " ") and not has_word(long, short)
        }
        whole = {long for long, start in begins.items() if start == 0}
        inner = {long[start:] for long, start in begins.items() if start and " " in long[start:]}
        pairs |= {(normal(short), long) for long in whole or inner}
    return frozenset(pairs)


def has_word(name: str, word: str) -> bool:
    """Whether a name has another as one of its words.

    >>> has_word("OCR understanding", "OCR"), has_word("SVD-based", "SVD"), has_word("SVDQuant", "SVD")
    (True, True, False)
    """
    return normal(word) in {normal(one) for one in re.split(r"[\s\-()]+", bare(name)) if normal(one)}


def core(entity: Entity) -> str | None:
    """Return what an entity is called in short where its name only adds words to that: ``OCR`` of "OCR understanding".

    A name that adds a coined word (``SAM-Med2D``) is a name of its own. A word with no more than the capital that any
    word has in a title is no short form.

    >>> from kg.model import Entity, EntityType
    >>> core(Entity("e", EntityType.TASK, "OCR understanding", ("OCR",)))
    'OCR'
    >>> core(Entity("e", EntityType.TASK, "Lidar localisation", ("Lidar",)))
    """
    name = bare(entity.name)
    for alias in map(bare, entity.aliases):
        if _is_short(alias) and _CAPITALS.search(alias) and normal(alias) != normal(name) and has_word(name, alias):
            rest = [word for word in re.split(r"[\s\-()]+", name) if word and normal(word) != normal(alias)]
            if not any(coined(word) and word[1:] != word[1:].lower() for word in rest):
                return alias
    return None


def inner_long_form(entity: Entity) -> str | None:
    """Return the long form that an entity's name adds words to, where one of its short forms says so."""
    name = bare(entity.name)
    longs = sorted(long for _, long in long_forms(entity) if name != long and name.endswith(long))
    return longs[0] if longs and not any(long == name for _, long in long_forms(entity)) else None


def coined(name: str) -> bool:
    """Whether a name is one that a paper coins, rather than words that describe.

    >>> [coined(name) for name in ("DISCO", "FlashMask-3", "Flexformer", "Flow Matching", "flow matching")]
    [True, True, True, False, False]
    """
    text = bare(name)
    words = re.split(r"[\s\-]+", text)
    telling = any(char.isdigit() or char.isupper() for word in words for char in word[1:])
    return telling or (len(words) == 1 and not text.islower())


def _is_short(name: str) -> bool:
    return " " not in name and 2 <= len(name) <= _MAX_SHORT and any(char.isupper() for char in name)


@lru_cache(maxsize=65536)
def stems(name: str) -> frozenset[str]:
    """Return the beginnings of the longer words of a name.

    >>> sorted(stems("Exponential moving averages of a net"))
    ['avera', 'expon', 'movin']
    """
    return frozenset(word.casefold()[:5] for word in _LONGER_WORD.findall(bare(name)))


@lru_cache(maxsize=65536)
def _words(name: str) -> tuple[str, ...]:
    found = (word.casefold() for word in _ANY_WORD.findall(bare(name)))
    return tuple(word for word in found if word not in _SMALL)


def alike(one: str, other: str) -> bool:
    """Whether two long forms of one short form say the same in other words.

    Words are alike that share nearly the half that they begin with. The words of the shorter form are all in the
    longer one, or three in five of all words are in both and the last one is.

    >>> alike("automatic program repair", "Automated Program Repair"), alike("vision encoder", "visual encoders")
    (True, True)
    >>> alike("reinforcement fine-tuning", "rejection fine-tuning"), alike("backpressure", "backpropagation")
    (False, False)
    """
    short, long = sorted((_words(one), _words(other)), key=len)
    if not short:
        return False
    if len(short) == 1:
        return "".join(long).startswith(short[0].removesuffix("s"))
    both = 0
    head = _same_word(short[-1], long[-1])
    rest = list(long)
    for word in short:
        same = next((found for found in rest if _same_word(word, found)), None)
        if same is not None:
            rest.remove(same)
            both += 1
    return both == len(short) or (head and both >= 0.6 * (len(short) + len(long) - both))


def _same_word(one: str, other: str) -> bool:
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one == other or (shared >= 3 and shared >= 0.45 * max(len(one), len(other)))


def spells_out(short: str, long: str) -> bool:
    """Whether a long form has no more words than a short form's normal form has letters, and as many begin with these.

    One that has more is a narrower thing than the short form may stand for in other papers. Small words do not count.

    >>> spells_out("ctr", "click-through rate"), spells_out("videollm", "video large language models")
    (True, True)
    >>> spells_out("lm", "contextual language model"), spells_out("dnn", "deep spiking networks")
    (False, False)
    """
    return by_initials(short, long) if len(_words(long)) == len(short) else 1 < len(_words(long)) < len(short)


def narrower(one: str, other: str) -> bool:
    """Whether a name has more words than another, small words aside.

    >>> narrower("deep spiking neural networks", "deep neural network"), narrower("vision models", "large models")
    (True, False)
    """
    return len(_words(one)) > len(_words(other))


def by_initials(short: str, long: str) -> bool:
    """Whether a short form's letters are those that the words of a long form begin with, small words aside.

    >>> by_initials("dpt", "Declaration-based Prompt Tuning"), by_initials("ctr", "click-through rate")
    (True, True)
    """
    joined = re.sub(r"(?<=\w)-(?=\w)", "", long)
    return short in {"".join(word[0] for word in _words(text)) for text in (long, joined)}


@dataclass(frozen=True, slots=True)
class LongForm:
    """What papers spell a short form out as: the form that stands for all that are alike, and these papers."""

    form: str
    text: str
    papers: frozenset[str]


class Forms:
    """The forms of the corpus: long forms of one short form that are alike are one form.

    The form that most papers use stands for the others; a short form that all papers spell out alike is one with it,
    unless it is one of `shared`, that several things have. A short form with several is ambiguous.
    """

    def __init__(self, told: Iterable[tuple[str, Entity]], shared: frozenset[str] = frozenset()) -> None:
        """`told` are pairs of a paper's key and one of its entities."""
        longs: dict[str, dict[str, tuple[set[str], set[str]]]] = {}
        for paper, entity in told:
            for short, long in long_forms(entity):
                texts, papers = longs.setdefault(short, {}).setdefault(normal(long), (set(), set()))
                texts.add(bare(long))
                papers.add(paper)
        self._above: dict[str, str] = {}
        self._long_forms: dict[str, tuple[LongForm, ...]] = {}
        for short in sorted(longs):
            groups = _groups(longs[short])
            self._long_forms[short] = tuple(LongForm(forms[0], text, papers) for forms, text, papers in groups)
            for forms, _, _ in groups:
                for form in forms[1:]:
                    self._above.setdefault(form, forms[0])
        self._told = {one.form: one for found in self._long_forms.values() for one in found}
        self.ambiguous = shared | {short for short, found in self._long_forms.items() if len(found) > 1}
        for short, found in self._long_forms.items():
            if short not in self.ambiguous:
                self._above.setdefault(short, found[0].form)

    def long_forms(self, short: str) -> tuple[LongForm, ...]:
        """Return what papers spell a short form out as, one for all that are alike."""
        return self._long_forms.get(short, ())

    def text(self, form: str) -> str:
        """Return a long form as a paper writes it; another form as it is."""
        return self._told[form].text if form in self._told else form

    def paper(self, form: str) -> str | None:
        """Return the first paper that spells out a short form as this long form."""
        return min(self._told[form].papers) if form in self._told else None

    def canonical(self, form: str) -> str:
        """Return the form that stands for a form: its long form, else itself."""
        seen = {form}
        while form in self._above and self._above[form] not in seen:
            form = self._above[form]
            seen.add(form)
        return form


_Group = tuple[list[str], str, frozenset[str]]


def _groups(longs: dict[str, tuple[set[str], set[str]]]) -> list[_Group]:
    """Return groups of long forms that are alike, each with its first form's text and the papers of all.

    Forms go to the first group that they fit, those of many papers first; a form is compared with no more than
    `_MAX_COMPARED` groups that have a word that begins like one of its own.
    """
    groups: list[_Group] = []
    by_beginning: dict[str, list[int]] = {}
    for form in sorted(longs, key=lambda form: (-len(longs[form][1]), len(form), form)):
        texts, papers = longs[form]
        text = min(texts)
        beginnings = sorted({word[:3] for word in _words(text)})
        near = sorted({number for start in beginnings for number in by_beginning.get(start, ())})[:_MAX_COMPARED]
        fitting = next((number for number in near if alike(groups[number][1], text)), None)
        if fitting is None:
            for start in beginnings:
                by_beginning.setdefault(start, []).append(len(groups))
            groups.append(([form], text, frozenset(papers)))
        else:
            forms, first, known = groups[fitting]
            groups[fitting] = ([*forms, form], first, known | papers)
    return groups
