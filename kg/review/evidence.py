"""What speaks for two things being one, weighed: how alike the names are, what both are called, company and types.

The weights follow the shares of pairs that were one, as judged by hand on graphs of abstracts; they order the pairs.
"""

from __future__ import annotations

from functools import cache
from math import log2, sqrt
from typing import TYPE_CHECKING

from kg.model import EntityType
from kg.names import bare, compare, normal
from kg.names.abbreviations import long_form_start
from kg.resolution.forms import alike
from kg.review.wording import in_short, is_acronym, is_coined, likeness, wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kg.review.built import Thing

__all__ = ["Evidence", "weigh"]

Evidence = tuple[float, str]
"""How much speaks for it, in [0, 1], and what."""

_KIND = {EntityType.TASK: EntityType.METHOD}
_COINED_BY_BOTH = 0.86
_SHORT_AND_LONG_FORMS = 0.78
_SHORT_FORM = {2: 0.4, 3: 0.52, 4: 0.62, 5: 0.7}
_LONG_SHORT_FORM = 0.76
_ONE_NAME = 0.5
_PART_IN_SHORT = 0.88
_WITH_ITS_KIND = 0.76
_TOGETHER = 0.62
_OTHER_TYPE = 0.85


def weigh(
    one: Thing, other: Thing, company: Callable[[Thing, Thing], float], *, rivals: int = 1, known: bool = False
) -> Evidence | None:
    """Return what speaks for two things being one; None where nothing does, or where they are told apart for good.

    `company` tells how alike what the papers of two things speak of besides them is; `rivals` how many
    things a short form may stand for; `known` says that both are known things.
    Versions of one family are told apart for good; so are things that one paper names, unless the names differ in
    spelling alone, and things of which a number is all that tells them apart.
    """
    if one.iri == other.family or other.iri == one.family:
        return None
    relation = compare(one.name, other.name, one.type if one.type == other.type else None)
    siblings = one.family is not None and one.family == other.family
    if relation == "version" or (relation != "same" and (known or siblings)):
        return None
    found = max(_evidence(one, other, relation, company, rivals), default=None)
    if found is None:
        return None
    score, reason = found
    if _KIND.get(one.type, one.type) != _KIND.get(other.type, other.type):
        score, reason = score * _OTHER_TYPE, f"{reason}; but one is a {one.type} and one a {other.type}"
    both = sorted(one.papers & other.papers)
    if both:
        if not _spelled_otherwise(one, other, relation):
            return None
        score, reason = score * _TOGETHER, f"{reason}; but {both[0]} names both"
    return round(score, 3), reason


def _spelled_otherwise(one: Thing, other: Thing, relation: str) -> bool:
    """Whether two names of several words say the same: a paper that has both need not mean two things."""
    mine, its = wording(one.name), wording(other.name)
    if min(len(mine.telling), len(its.telling)) < 2 or mine.marks != its.marks:
        return False
    return likeness(one.name, other.name) is not None or (relation == "same" and in_short(one.name, other.name))


def _evidence(
    one: Thing, other: Thing, relation: str, company: Callable[[Thing, Thing], float], rivals: int
) -> Iterator[Evidence]:
    near = cache(lambda: min(company(one, other), 0.2))
    if normal(one.name) == normal(other.name):
        yield (
            _ONE_NAME * (0.7 + 3 * near()),
            "one name, but the papers that use it were told apart by what they are about",
        )
        return
    told = likeness(one.name, other.name)
    if told is not None:
        yield told[0] * (0.95 + near() / 4), told[1]
    elif relation == "same":
        yield from _said_alike(one, other, near)
        yield from _short_for_long(one, other, near, rivals)
    yield from _called_alike(one, other, near)


def _said_alike(one: Thing, other: Thing, near: Callable[[], float]) -> Iterator[Evidence]:
    """Yield that two names are the same but for a part in short, or are a name and the name with its kind."""
    mine, its = wording(one.name), wording(other.name)
    if in_short(one.name, other.name) and mine.marks == its.marks:
        yield _PART_IN_SHORT * (0.95 + near() / 4), "the names are the same, but for a part in short"
    elif mine.joined == its.joined and mine.marks == its.marks and is_acronym(one.name) == is_acronym(other.name):
        yield _WITH_ITS_KIND * (0.95 + near() / 4), "the names differ in a word that names a kind alone"


def _short_for_long(one: Thing, other: Thing, near: Callable[[], float], rivals: int) -> Iterator[Evidence]:
    """Yield that one name may spell out the other, of which no paper gives a long form.

    By chance many names fit a few letters, so it counts how many do, and in how many papers both are met.
    """
    for short, long in ((one, other), (other, one)):
        if not is_acronym(short.name) or _long_forms(short) or "~" in short.key or not _fits(short.name, long.name):
            continue
        form = normal(short.name)
        shorts = {normal(name) for name in long.aliases if is_acronym(name)} - {form}
        initials = "".join(word[0] for word in wording(long.name).words) == form
        weight = _SHORT_FORM.get(len(form), _LONG_SHORT_FORM if len(form) > 5 else 0.0)
        weight *= (1 if initials else 0.8) * (0.7 if shorts else 1) / sqrt(max(1, rivals))
        met = log2(len(short.papers) + len(long.papers)) if short.papers and long.papers else 0
        often = 0.07 * met * (1 if min(len(short.papers), len(long.papers)) > 1 else 0.5)
        yield (
            min(0.9, weight * (0.8 + 2 * near() + often)),
            f"'{bare(short.name)}' may be short for '{bare(long.name)}'",
        )


def _called_alike(one: Thing, other: Thing, near: Callable[[], float]) -> Iterator[Evidence]:
    """Yield the names that both have: a coined one, or a short form spelled out alike. A phrase says nothing."""
    mine = {normal(name): name for name in reversed(one.spellings)}
    its = {normal(name): name for name in reversed(other.spellings)}
    for form in sorted(mine.keys() & its.keys()):
        name = bare(mine[form])
        if is_acronym(name) or (" " not in name and any(map(str.isupper, name[1:])) and not is_coined(name)):
            yield from _spelled_out_alike(name, one, other, near)
        elif is_coined(name) and not _narrower(one.name, other.name) and _marks_agree(one, other, name):
            yield _COINED_BY_BOTH * (0.9 + near() / 2), f"papers call both '{name}'"


def _spelled_out_alike(short: str, one: Thing, other: Thing, near: Callable[[], float]) -> Iterator[Evidence]:
    pairs = [(a, b) for a in _long_forms(one) for b in _long_forms(other) if alike(a, b)]
    fitting = [(a, b) for a, b in pairs if _fits(short, a) and _fits(short, b)]
    if fitting and _marks_agree(one, other, short):
        a, b = fitting[0]
        own = all(
            normal(thing.name) == normal(short) or (_fits(short, thing.name) and alike(thing.name, a))
            for thing in (one, other)
        )
        weight = _SHORT_AND_LONG_FORMS * (0.6 if _narrower(one.name, other.name) or not own else 1)
        yield weight * (0.9 + near() / 2), f"'{short}' is short for both, '{bare(a)}' and '{bare(b)}'"


def _marks_agree(one: Thing, other: Thing, shared: str) -> bool:
    """Whether no number tells two things apart, but for the numbers in a name that both have."""
    own = set(wording(shared).marks)
    return set(wording(one.name).marks) - own == set(wording(other.name).marks) - own


def _fits(short: str, long: str) -> bool:
    return long_form_start(bare(short).removesuffix("s") or short, bare(long)) == 0


def _narrower(one: str, other: str) -> bool:
    """Whether one name is the other with more words."""
    mine, its = set(wording(one).telling), set(wording(other).telling)
    return mine < its or its < mine


def _long_forms(thing: Thing) -> list[str]:
    return [name for name in thing.spellings if len(wording(name).words) > 1]
