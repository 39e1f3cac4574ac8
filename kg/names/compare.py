"""Whether two names denote one thing, two versions of one family, or two things.

The names alone are judged, with what the shipped catalogue knows of them. In order: what the catalogue says of
both; other words for one thing; what the catalogue says of the known beginning of each (``A100`` in ``A100-80GB``);
the parts of the two names; a short form and its long form. A gloss in parentheses picks the sense of the name before
it, or is one of two ways to say it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from kg.model import EntityType
from kg.names.abbreviations import long_form_start
from kg.names.initials import spells_out
from kg.names.normal import bare, normal
from kg.names.parse import MAKERS, Name, parse
from kg.names.wording import reworded

if TYPE_CHECKING:
    from kg.catalogue import KnownThing

__all__ = ["Relation", "compare", "family"]

Relation = Literal["same", "version", "different"]

_HEAD_NOUNS = frozenset({"dataset", "datasets", "data", "benchmark", "benchmarks", "corpus", "suite", "gpu", "gpus"})
_CHALLENGES = frozenset({"challenge", "challenges"})
_MODEL_NOUNS = frozenset({"model", "models", "modeling", "algorithm", "framework", "method", "optimizer"})
_MAX_SHORT = 12
_LONGER = 1.5
_SYMBOLS = frozenset("+*#")
_MEMORY = re.compile(r"\d+(?:gb|gib|g)", re.IGNORECASE)
_GLOSS = re.compile(r"^(?P<before>[^()]*[^()\s])\s+\((?P<gloss>[^()]+)\)\s*(?P<after>[^()]*)$")
_NUMBER = re.compile(r"\d+")
_OPTIONAL = re.compile(r"(?:(?<=-)|\b)\(([A-Z])\)(?=[A-Z])")
_WORD = re.compile(r"[^\s\-_/‐‑–—:,]+")


def compare(a: str, b: str, type: EntityType | None = None) -> Relation:  # noqa: A002 - the name that users give
    """Return how two names relate: ``same`` (one node), ``version`` (two nodes of one family) or ``different``.

    `type` may say what both denote; it helps where a name is known in several types.

    >>> compare("NVIDIA A100", "A100 GPUs"), compare("Llama 3", "Llama 3.1"), compare("SAM", "SAC")
    ('same', 'version', 'different')
    >>> compare("MAE", "MAE (mean absolute error)")
    'different'
    """
    glossed = _by_gloss(a, b)
    if glossed is not None:
        return glossed
    left, right = _known(a, type), _known(b, type)
    told = _by_spelling(a, b, known=bool(left))
    if told is None and left and right:
        told = "version" if _is_line_of(a, b, left, right) else _by_things(left, right)
    if told is None and (reworded(a, b) or _is_reworded(left, b) or _is_reworded(right, a)):
        told = "same"
    told = told or _by_beginnings(a, b, type) or _by_parts(parse(a), parse(b), type)
    if told is not None:
        return told
    return "same" if _abbreviates(a, b, left) or _abbreviates(b, a, right) else "different"


def family(name: str) -> str | None:
    """Return the display name of the family that a name is a version of, or None where it is none.

    The catalogue's family comes first, then what the name says.

    >>> family("FlashAttention-3"), family("CIFAR-10"), family("A100"), family("word2vec")
    ('FlashAttention', 'CIFAR', None, None)
    """
    known = _known(name, None)
    if known:
        return known[0].family
    parsed = parse(name)
    if not (parsed.version or parsed.year or parsed.variant or parsed.split or parsed.size) or "@" in name:
        return None
    if len(normal(parsed.family)) < 2 or normal(parsed.family) == normal(name):
        return None
    return parsed.family


@lru_cache(maxsize=65536)
def _known(name: str, type_: EntityType | None) -> tuple[KnownThing, ...]:
    # The catalogue's own index is made with names, hence the late import; what is shipped needs no look at families.
    from kg.catalogue import load

    things = load().find(name)
    return tuple(thing for thing in things if thing.type == type_) or things


def _is_reworded(things: tuple[KnownThing, ...], other: str) -> bool:
    """Whether a name says in other words how known things are spelled ("Direct Preference Optimisation", DPO)."""
    return any(reworded(spelling, other) for thing in things for spelling in thing.spellings)


def _by_things(left: tuple[KnownThing, ...], right: tuple[KnownThing, ...]) -> Relation:
    if {thing.key for thing in left} & {thing.key for thing in right}:
        return "same"
    if any(_families(one) & _families(other) for one in left for other in right):
        return "version"
    return "different"


def _is_line_of(a: str, b: str, left: tuple[KnownThing, ...], right: tuple[KnownThing, ...]) -> bool:
    """Whether one of two names of hardware goes on from the other, which is no maker (``Blackwell B200``)."""
    short, long = sorted((bare(a).casefold(), bare(b).casefold()), key=len)
    if {thing.key for thing in left} & {thing.key for thing in right}:
        return False
    hardware = {thing.type for thing in (*left, *right)} == {EntityType.HARDWARE}
    return hardware and long.startswith(f"{short} ") and normal(short) not in MAKERS


def _families(thing: KnownThing) -> frozenset[str]:
    """The keys of a thing and of what it is a version of, all the way up."""
    keys: list[str] = [normal(thing.name)]
    if thing.type == EntityType.HARDWARE and thing.family is not None and " " in thing.family:
        line = normal(thing.family.split()[0])
        keys += [] if line in MAKERS else [line]
    while thing.family is not None and normal(thing.family) not in keys:
        keys.append(normal(thing.family))
        above = [found for found in _known(thing.family, thing.type) if normal(found.name) == keys[-1]]
        if not above:
            break
        thing = above[0]
    return frozenset(keys)


def _by_gloss(a: str, b: str) -> Relation | None:
    left, right = _GLOSS.match(bare(a)), _GLOSS.match(bare(b))
    if left is not None and right is not None:
        if normal(left["before"]) != normal(right["before"]) or normal(left["gloss"]) == normal(right["gloss"]):
            return None
        return "different"
    if left is not None:
        return _by_reading(left, b)
    return _by_reading(right, a) if right is not None else None


def _by_reading(glossed: re.Match[str], other: str) -> Relation | None:
    """Compare a name with a gloss to one without: either side of the parenthesis may be left out, what follows not."""
    before, gloss, after = glossed["before"], glossed["gloss"], glossed["after"]
    known, meant = _known(other, None), _known(gloss, None)
    if known and meant and normal(before) == normal(other):
        return "same" if known[0].key == meant[0].key else "different"
    without = f"{before} {after}".strip()
    if after and normal(other) == normal(without):
        return "same"
    short, long = sorted((gloss, before), key=len)
    loosely = _NUMBER.findall(short) == _NUMBER.findall(long) and long_form_start(short, long) is not None
    if not loosely and not spells_out(short, long):
        return None
    readings = {compare(without, other), compare(f"{gloss} {after}".strip(), other)}
    return "same" if "same" in readings else None


def _by_spelling(a: str, b: str, *, known: bool) -> Relation | None:
    if _optional_apart(bare(a), bare(b)):
        return "version"
    if normal(a) != normal(b):
        return None
    return "different" if _coined_apart(bare(a), bare(b), known=known) else "same"


def _optional_apart(a: str, b: str) -> bool:
    """Whether one of two names stands for two by a letter in parentheses (``Pre-(C)RMSNorm``), and the other is one."""
    return any(
        _OPTIONAL.search(one) and normal(other) in {normal(_OPTIONAL.sub("", one)), normal(_OPTIONAL.sub(r"\1", one))}
        for one, other in ((a, b), (b, a))
        if "(" in one and _OPTIONAL.search(other) is None
    )


def _coined_apart(a: str, b: str, *, known: bool) -> bool:
    """Whether two one-word names that differ in case alone are an acronym and a word (``ARGUS``, ``Argus``).

    Those of known things are not, but for two letters (``HE``, ``He``).
    """
    if a.casefold() != b.casefold() or a == b or not a.isalpha() or (known and len(a) > 2):
        return False
    return (a.isupper() and not b.islower()) or (b.isupper() and not a.islower())


def _by_beginnings(a: str, b: str, type_: EntityType | None) -> Relation | None:
    left, right = _beginning(a, type_), _beginning(b, type_)
    if left is None or right is None:
        return None
    (things, rest), (others, other_rest) = left, right
    if not {thing.key for thing in things} & {thing.key for thing in others}:
        return _by_things(things, others)
    if rest == other_rest:
        return "same"
    differing = (set(rest) | set(other_rest)) - (set(rest) & set(other_rest))
    one_sided = set(rest) <= set(other_rest) or set(other_rest) <= set(rest)
    return "same" if one_sided and all(_MEMORY.fullmatch(word) for word in differing) else "version"


def _beginning(name: str, type_: EntityType | None) -> tuple[tuple[KnownThing, ...], tuple[str, ...]] | None:
    """Return the known things that a name begins with and the details after them, where nothing else follows."""
    text = bare(name)
    if re.match(r"the\s", text, re.IGNORECASE):
        text = text[4:]
    ends = [found.end() for found in _WORD.finditer(text)]
    for end in reversed(ends):
        things = _known(text[:end], type_)
        if not things:
            continue
        rest = [word.lower() for word in _WORD.findall(text[end:])]
        details = [word for word in rest if word not in _HEAD_NOUNS | _CHALLENGES]
        parsed = parse(f"X {' '.join(details)}")
        one_word = len(details) == 1 or len(text[end:].split()) == 1
        if details and parsed.family != "X" and not (things[0].type == EntityType.DATASET and one_word):
            return None
        return things, tuple(details)
    return None


def _by_parts(left: Name, right: Name, type_: EntityType | None) -> Relation | None:
    one, other = _head(left), _head(right)
    if one == other and len(one) > 2:
        return "same" if left.details == right.details else "version"
    if one == other:
        # Two letters stand for too much: with a number they are a version of something else (FA, FA4).
        return "same" if left.details == right.details else "version" if left.is_version and right.is_version else None
    if one.rstrip("+") == other.rstrip("+"):
        return "version"
    if EntityType.HARDWARE in {type_, *_types(left), *_types(right)}:
        first, its_first = _WORD.search(left.family), _WORD.search(right.family)
        if first and its_first and normal(first[0]) == normal(its_first[0]) not in MAKERS:
            return "version"
    if type_ == EntityType.DATASET and (_extends(left.text, right.text) or _extends(right.text, left.text)):
        return "version"
    return None


def _types(name: Name) -> set[EntityType]:
    return {thing.type for thing in _known(name.family, None)}


def _extends(short: str, long: str) -> bool:
    """Whether `long` is the data set's name `short` and one word more (``GAR-Bench-VQA``, "multilingual X")."""
    more = _WORD.findall(long)[len(_WORD.findall(short)) :]
    if len(more) != 1:
        return False
    modified = re.fullmatch(r"[a-z\-]+\s" + re.escape(short), long) is not None
    return modified or re.match(re.escape(short) + r"[\s\-_]", long) is not None


def _head(name: Name) -> str:
    words = _WORD.findall(name.family)
    words = [word for word in words if word.lower() != "based"] or words
    while len(words) > 1 and words[-1].lower() in _HEAD_NOUNS | _CHALLENGES:
        words.pop()
    if len(words) > 2 and words[-1].lower() in _MODEL_NOUNS:
        words.pop()
    if len(words) > 1 and words[0].lower() == "the":
        words.pop(0)
    return normal("".join(normal(word) for word in words))


def _abbreviates(short: str, long: str, known: tuple[KnownThing, ...]) -> bool:
    """Whether `long` spells out `short`: the letters begin at its first word and none of its words is left over.

    A short form of which the catalogue knows the long form has no other, and the name of a known thing with no capital
    but its first is a word, not a short form (Gopher).
    """
    spelled = bare(long)
    if " " in bare(short) or len(short) > _MAX_SHORT or not any(char.isupper() for char in short):
        return False
    if len(re.findall(r"[^\W_]+", spelled)) < 2 or normal(short) in MAKERS:
        return False
    letters = sum(char.isalnum() for char in long)
    if letters < _LONGER * len(normal(short)) or _SYMBOLS & (set(bare(short)) ^ set(spelled)):
        return False
    words = [normal(word) for word in _WORD.findall(spelled)]
    if normal(short) in {*words, *accumulate(words)}:
        return False
    is_word = known and sum(map(str.isupper, short)) < 2
    if is_word or any(" " in spelling for thing in known for spelling in thing.spellings):
        return False
    return spells_out(short, spelled)
