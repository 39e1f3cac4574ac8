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


def respelled(named: Sequence[Named], leads: Mapping[Place, Lead], catalogue: Catalogue) -> dict[Place, Lead]:
    """Lead each name that leads to the node of its normal form to that of a known thing, or of most papers, written so.

    The reason is ``spelling`` with the name as it is written there.
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
    known = _known(catalogue, frozenset(groups))
    found = dict(leads)
    for place, one in mine.items():
        letters = _letters(names[leads[place][0]])
        for key, name in (*known.get(letters, ()), *groups[letters]):
            if key == leads[place][0]:
                break
            if compare(one.name, name, one.entity.type) == "same":
                found[place] = key, f"spelling: {name!r}"
                break
    return found


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
