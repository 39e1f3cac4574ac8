"""Which spellings in one paper may name one thing: definitions, initials, coined short forms, the same words.

The rules are those of which at least two thirds of the pairs that they join belong together in the annotated papers;
names that stand in longer ones are judged in `containment`, and what is kept apart all the same in `groups`.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.apart import differ_in_one_detail
from kg.linking.containment import in_order, likely_the_same
from kg.linking.draft import Alike, draft_of
from kg.linking.tagger.decoding import key
from kg.linking.wording import is_compound_of, say_the_same, spelled_out, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spacy.tokens import Doc

    from kg.linking.draft import Draft, Found
    from kg.model import EntityType

__all__ = ["find_coreferent", "one_thing", "spellings"]

_MOST = 200
"""Of how many spellings each is compared with each; a paper with more is a list of names."""
_OPENING = re.compile(r"[\s*}_$'\"”]{0,4}\([\s*{_$'\"“]{0,3}")
_CLOSING = re.compile(r"[\s*}_$'\"”]{0,3}\)")
_APPOSITION = re.compile(
    r"\s?:\s(?:(?:an?|the)\s)?|"
    r",?\s(?:or|an?|the|our|called|named|dubbed|termed|namely|denoted as|which we call|i\.e\.,?)\s(?:(?:novel|new)\s)?"
)

SMALL = frozenset({"of", "the", "and", "for", "in", "to", "with", "on", "a", "an", "via"})


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


def has_initials_of(short: str, long: str) -> bool:
    """Tell whether two names have the same words, but for some of which one has the initials as a word.

    >>> has_initials_of("AD planning", "autonomous driving planning"), has_initials_of("AD planning", "route planning")
    (True, False)
    """
    words: list[str] = re.findall(r"[^\W_]+", short)
    whole = tokens(long)
    for i, word in enumerate(words):
        initials = word.removesuffix("s")
        before, after = tokens(" ".join(words[:i])), tokens(" ".join(words[i + 1 :]))
        rest = len(before) + len(after)
        if not initials.isupper() or not initials.isalpha() or len(initials) != len(whole) - rest or rest == 0:
            continue
        spelled = whole[i : i + len(initials)]
        if len(initials) > 1 and whole == (*before, *spelled, *after):
            return "".join(word[0] for word in spelled) == initials.casefold()
    return False


def is_short_form(short: str, long: str) -> bool:
    """Tell whether each letter of a short form stands in the long form in order, the first at its beginning.

    >>> is_short_form("3DGS", "3D Gaussian Splatting"), is_short_form("GAN", "Diffusion")
    (True, False)
    """
    wanted, whole = letters(short), key(long)
    return 2 <= len(wanted) <= 12 and len(wanted) < len(whole) and wanted[0] == whole[:1] and in_order(wanted, whole)


def is_coined(short: str, long: str) -> bool:
    """Tell whether a word of capitals and small letters is made of the beginnings of all the words of a long form.

    A word of capitals alone has to be their initials, for its letters stand in many a name.

    >>> is_coined("DeiT", "Data-efficient image Transformers"), is_coined("CoEV", "Counter-Evidence Verification")
    (True, True)
    >>> is_coined("CoT", "confidence-aware fine-tuning"), is_coined("DynaTrust", "Dynamic Trust Graphs")
    (False, False)
    """
    mixed = sum(map(str.isupper, short)) > 1 and not short.rstrip("s").isupper()
    if not mixed or len(short) < 3 or not re.fullmatch(r"[^\W_]+", short):
        return False
    words = tuple(w.casefold() for w in re.findall(r"[^\W_]+", long))
    return len(words) > 1 and _made_of(letters(short), words)


def _made_of(wanted: str, words: tuple[str, ...]) -> bool:
    """Tell whether letters are the beginnings of words, one after the other, small words being left out or not."""
    ends = {0}
    for word in words:
        longest = {end: _shared(wanted[end:], word) for end in ends}
        taken = {end + length for end, most in longest.items() for length in range(1, most + 1)}
        ends = taken | ends if word in SMALL else taken
    return len(wanted) in ends


def _shared(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def one_thing(a: str, b: str) -> bool:
    """Tell whether two spellings of one type that stand anywhere in a paper name one thing by their letters."""
    if (key(a) and key(a) == key(b)) or (tokens(a) and tokens(a) == tokens(b)):
        return True
    return any(test(*pair) for test in (is_initials, has_initials_of, is_coined) for pair in ((a, b), (b, a)))


def spellings(draft: Draft) -> dict[EntityType, list[str]]:
    """Return the spellings of each type that the paper has, in the order of the text, at most two hundred in all."""
    several = dict.fromkeys((draft.surface(found), found.type) for found in draft.found)
    names: dict[EntityType, list[str]] = {}
    for name, kind in list(several)[:_MOST]:
        if kind is not None:
            names.setdefault(kind, []).append(name)
    return names


def _marks(name: str) -> tuple[int, bool]:
    """Return the signs that tell a name from a shorter one, where letters do not: LoRA+ from LoRA, SAM2S from SAM2."""
    return name.count("+"), re.search(r"\dS$", name) is not None


@Language.component("kg_coreference")
def find_coreferent(doc: Doc) -> Doc:
    """Add the pairs of spellings that name one thing to the Doc's draft, the longer one first."""
    draft = draft_of(doc)
    long_forms = {short: long for long, short in draft.same}
    draft.same += sorted(set(_definitions(draft)))
    draft.alike = sorted(set(_alike(draft, long_forms)))
    return doc


def _definitions(draft: Draft) -> Iterator[tuple[str, str]]:
    for a, b in pairwise(draft.found):
        if a.end <= b.start and _defines(draft, a, b):
            yield _longer_first(draft.surface(a), draft.surface(b))


def _alike(draft: Draft, long_forms: Mapping[str, str]) -> Iterator[Alike]:
    names = spellings(draft)
    full = {name: spelled_out(name, long_forms) for several in names.values() for name in several}
    for kind, several in names.items():
        for one, other in combinations(several, 2):
            if _marks(one) == _marks(other) and (
                one_thing(one, other)
                or say_the_same(full[one], full[other], kind)
                or differ_in_one_detail(one, other, kind, several)
            ):
                yield Alike(0.0, *_longer_first(one, other), kind)
    yield from (pair for pair in likely_the_same(draft, names) if _marks(pair.long) == _marks(pair.short))


def _defines(draft: Draft, a: Found, b: Found) -> bool:
    """Tell whether two neighbouring spans say that one is short for the other: in parentheses, or in apposition."""
    long, short = _longer_first(draft.surface(a), draft.surface(b))
    if is_compound_of(long, short):
        return False
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
