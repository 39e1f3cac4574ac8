"""Leading names that are written in another way than others to the node of these.

Names meet by their letters without plural s, British endings, the v of a version and what stands in parentheses; they
are one where `kg.names.compare` says so, too.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.names import bare, compare, normal
from kg.text.stems import american

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.catalogue import Catalogue
    from kg.resolution.named import Lead, Named, Place

__all__ = ["respelled"]

_GLOSS = re.compile(r"\([^()]*\)")
_VERSION = re.compile(r"(?:(?<![^\W_])[vV]|(?<=[A-Z])v|(?<=[a-z])V)(?=\d)")
_POINT_ZERO = re.compile(r"(?<=\d)\.0(?![\d.])")
_WORD = re.compile(r"[^\W_]+|\+")
_LONG = 3
_MOST = 40
"""How many nodes of the same letters are compared with each other, those of most papers first."""


def respelled(named: Sequence[Named], leads: Mapping[Place, Lead], catalogue: Catalogue) -> dict[Place, Lead]:
    """Lead each name that leads to the node of its normal form to that of a known thing, or of most papers, written so.

    The reason is ``spelling`` with the name as it is written there. Names that are spelled out in several ways stay.
    """
    mine = {one.place: one for one in named if _leads_to_its_form(one, leads[one.place], catalogue)}
    papers: dict[str, set[str]] = {}
    written: dict[str, Counter[str]] = {}
    for place, one in mine.items():
        papers.setdefault(leads[place][0], set()).add(one.paper)
        written.setdefault(leads[place][0], Counter())[one.name] += 1
    names = {key: min(found, key=lambda name: (-found[name], name)) for key, found in written.items()}
    groups: dict[str, list[tuple[str, str]]] = {}
    for key in sorted(names, key=lambda key: (-len(papers[key]), key)):
        groups.setdefault(_letters(names[key]), []).append((key, names[key]))
    groups.pop("", None)
    known = _known(catalogue, frozenset(groups))
    kinds = {leads[place][0]: one.entity.type for place, one in mine.items()}
    led: dict[str, tuple[str, str]] = {}
    for letters, nodes in groups.items():
        glosses = {gloss for _, name in nodes for gloss in _GLOSS.findall(bare(name))}
        standing = list(known.get(letters, ()))
        for key, name in nodes[:_MOST]:
            same = (other for other in standing if compare(name, other[1], kinds[key]) == "same")
            several = len(glosses) > 1 and _GLOSS.search(bare(name)) is not None
            if not several and (found := next(same, None)) is not None:
                led[key] = found
            else:
                standing.append((key, name))
    moved = {place: led[leads[place][0]] for place in mine if leads[place][0] in led}
    return {**leads, **{place: (key, f"spelling: {name!r}") for place, (key, name) in moved.items()}}


def _leads_to_its_form(one: Named, lead: Lead, catalogue: Catalogue) -> bool:
    key, reason = lead
    return reason == "spelling" and key == normal(one.name) and catalogue.get(key) is None


def _known(catalogue: Catalogue, wanted: frozenset[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the keys and spellings of the known things with these letters, where one thing alone has them."""
    told: dict[str, dict[str, str]] = {}
    for letters, key, spelling in _spellings(catalogue):
        if letters in wanted:
            told.setdefault(letters, {}).setdefault(key, spelling)
    return {letters: list(things.items()) for letters, things in told.items() if len(things) == 1}


def _spellings(catalogue: Catalogue) -> Iterator[tuple[str, str, str]]:
    for thing in catalogue.things:
        for spelling in thing.spellings:
            yield _letters(spelling), thing.key, spelling


@lru_cache(maxsize=65536)
def _letters(name: str) -> str:
    """Return what of a name is compared first.

    >>> _letters("ZorbNet v2"), _letters("ZorbNetV2.0"), _letters("Mixtures of experts")
    ('zorbnet2', 'zorbnet2', 'mixtureofexpert')
    """
    text = _POINT_ZERO.sub("", _VERSION.sub("", _GLOSS.sub(" ", bare(name))))
    return "".join(_singular(american(word.casefold())) for word in _WORD.findall(text))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LONG and word.endswith("s") and not word.endswith("ss") else word
