"""Which spellings in one paper name one thing: initials, coined short forms, and names that stand in longer ones.

The rules are those of which at least two thirds of the pairs that they join belong together in the annotated papers.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.draft import draft_of
from kg.linking.tagger.decoding import key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spacy.tokens import Doc

    from kg.linking.draft import Draft, Found

__all__ = ["find_coreferent", "one_thing"]

_MOST = 200
"""Of how many spellings each is compared with each; a paper with more is a list of names."""
_OPENING = re.compile(r"[\s*}_$'\"”]{0,4}\([\s*{_$'\"“]{0,3}")
_CLOSING = re.compile(r"[\s*}_$'\"”]{0,3}\)")
_APPOSITION = re.compile(
    r"\s?:\s(?:(?:an?|the)\s)?|"
    r",?\s(?:or|an?|the|our|called|named|dubbed|termed|namely|denoted as|which we call|i\.e\.,?)\s(?:(?:novel|new)\s)?"
)

SMALL = frozenset({"of", "the", "and", "for", "in", "to", "with", "on", "a", "an", "via"})
CONTAINED = {
    "Method": frozenset({"prefix", "middle"}),
    "Dataset": frozenset({"prefix", "suffix"}),
    "Hardware": frozenset({"prefix", "suffix", "suffix-word", "prefix-word"}),
    "Task": frozenset({"prefix", "prefix-word", "suffix", "suffix-word", "middle", "scattered"}),
    "Metric": frozenset({"prefix", "prefix-word", "suffix", "suffix-word", "middle"}),
}
"""The ways in which a shorter name may stand in a longer one of the same thing, by type."""


def tokens(name: str) -> list[str]:
    """Return the words of a name without case and plural s.

    >>> tokens("Vision Transformers")
    ['vision', 'transformer']
    """
    found = [w.casefold() for w in re.findall(r"[^\W_]+", name)]
    return [w[:-1] if len(w) > 3 and w.endswith("s") else w for w in found]


def in_order(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether all of the short sequence stands in the long one in the same order."""
    rest = iter(long)
    return all(item in rest for item in short)


def containment(a: str, b: str) -> str | None:
    """Say how the shorter of two names stands in the longer one, if it does.

    >>> containment("instance segmentation", "aerial instance segmentation")
    'suffix'
    """
    short, long = sorted((tokens(a), tokens(b)), key=len)
    if not short or len(short) == len(long):
        return None
    several = len(short) > 1
    if long[-len(short) :] == short:
        return "suffix" if several else "suffix-word"
    if long[: len(short)] == short:
        return "prefix" if several else "prefix-word"
    if in_order(short, long):
        return "middle" if several and short[-1] == long[-1] else "scattered"
    return None


def letters(name: str) -> str:
    """Return the letters and digits of a short form without plural s."""
    bare = re.sub(r"[\W_]+", "", name)
    return (bare[:-1] if len(bare) > 2 and bare[-1] == "s" and bare[-2].isupper() else bare).casefold()


def is_initials(short: str, long: str) -> bool:
    """Tell whether a short form is made of the first letters of the words of a long one.

    >>> is_initials("WER", "word error rate")
    True
    """
    parts = [w.casefold() for w in re.findall(r"[^\W_]+", long)]
    if len(parts) < 2 or len(re.findall(r"[^\W_]+", short)) != 1:
        return False
    return letters(short) in ("".join(w[0] for w in parts), "".join(w[0] for w in parts if w not in SMALL))


def is_short_form(short: str, long: str) -> bool:
    """Tell whether each letter of a short form stands in the long form in order, the first at its beginning.

    >>> is_short_form("3DGS", "3D Gaussian Splatting"), is_short_form("GAN", "Diffusion")
    (True, False)
    """
    wanted, whole = letters(short), key(long)
    return 2 <= len(wanted) <= 12 and len(wanted) < len(whole) and wanted[0] == whole[:1] and in_order(wanted, whole)


def is_coined(short: str, long: str) -> bool:
    """Tell whether a word of capitals and small letters can be the short form of several words.

    A word of capitals alone has to be their initials, for its letters stand in many a name.

    >>> is_coined("DeiT", "Data-efficient image Transformers"), is_coined("Deit", "Data-efficient image Transformers")
    (True, False)
    >>> is_coined("CNNs", "cross-layer attention")
    False
    """
    mixed = sum(map(str.isupper, short)) > 1 and not short.rstrip("s").isupper()
    whole = len(short) > 2 and mixed and re.fullmatch(r"[^\W_]+", short)
    return bool(whole) and len(long.split()) > 1 and is_short_form(short, long)


def one_thing(a: str, b: str, kind: str) -> bool:
    """Tell whether two spellings of one type that stand anywhere in a paper name one thing."""
    if _marks(a) != _marks(b):
        return False
    if key(a) == key(b) or tokens(a) == tokens(b):
        return True
    if any(test(*pair) for test in (is_initials, is_coined) for pair in ((a, b), (b, a))):
        return True
    return containment(a, b) in CONTAINED[kind]


def _marks(name: str) -> tuple[int, bool]:
    """Return the signs that tell a name from a shorter one, where letters do not: LoRA+ from LoRA, SAM2S from SAM2."""
    return name.count("+"), re.search(r"\dS$", name) is not None


@Language.component("kg_coreference")
def find_coreferent(doc: Doc) -> Doc:
    """Add the pairs of spellings that name one thing to the Doc's draft, the longer one first."""
    draft = draft_of(doc)
    draft.same += sorted(set(_pairs(draft)))
    return doc


def _pairs(draft: Draft) -> Iterator[tuple[str, str]]:
    for a, b in pairwise(draft.found):
        if a.end <= b.start and _defines(draft, a, b):
            yield _longer_first(draft.surface(a), draft.surface(b))
    spellings = dict.fromkeys((draft.surface(found), found.type) for found in draft.found if found.type is not None)
    long_forms = {short: long for long, short in draft.same}
    full = {name: _spelled_out(name, long_forms) for name, _ in spellings}
    for (one, kind), (other, its_kind) in combinations(list(spellings)[:_MOST], 2):
        if kind == its_kind and (one_thing(one, other, kind.value) or _say_the_same(full[one], full[other])):
            yield _longer_first(one, other)


def _spelled_out(name: str, long_forms: Mapping[str, str]) -> tuple[str, bool]:
    """Return a name with the short forms among its words that the paper defines spelled out, and whether it has any."""
    words = name.split()
    return " ".join(long_forms.get(word, word) for word in words), not long_forms.keys().isdisjoint(words)


def _say_the_same(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Tell whether two names are one by a short form in one of them (AD planning, autonomous driving planning)."""
    return (one[1] or other[1]) and _marks(one[0]) == _marks(other[0]) and tokens(one[0]) == tokens(other[0])


def _defines(draft: Draft, a: Found, b: Found) -> bool:
    """Tell whether two neighbouring spans say that one is short for the other: in parentheses, or in apposition."""
    long, short = _longer_first(draft.surface(a), draft.surface(b))
    fits = is_short_form(short, long)
    if _OPENING.fullmatch(draft.text, a.end, b.start):
        closed = _CLOSING.match(draft.text, b.end) is not None
        if fits:
            return a.type == b.type or closed
        return a.type == b.type and closed and _is_loose_short_form(short, long)
    capitals = sum(map(str.isupper, short)) > 1
    return a.type == b.type and fits and capitals and _APPOSITION.fullmatch(draft.text, a.end, b.start) is not None


def _is_loose_short_form(short: str, long: str) -> bool:
    """Tell whether two in three letters of a short form stand in a long one: enough where parentheses join the two.

    >>> _is_loose_short_form("rCM", "consistency distillation with score regularization")
    True
    >>> _is_loose_short_form("MoCo", "stochastic multi-objective gradient correction")
    True
    >>> _is_loose_short_form("LoRA", "parameter-efficient fine-tuning")
    False
    """
    wanted, whole = letters(short), key(long)
    if len(tokens(long)) < 2 or sum(letter.isupper() or letter.isdigit() for letter in short) < 2:
        return False
    return 3 * sum(letter in whole for letter in wanted) >= 2 * len(wanted)


def _longer_first(one: str, other: str) -> tuple[str, str]:
    return (one, other) if (len(one), one) >= (len(other), other) else (other, one)
