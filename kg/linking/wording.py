"""What a name says, apart from how it is written: its words without case and ending, short forms spelled out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.catalogue import load
from kg.model import EntityType
from kg.text.stems import stem

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["is_compound_of", "say_the_same", "spelled_out", "tokens"]

_WORD = re.compile(r"[^\W_]+")
_FIELDS_SHORT_FORM = re.compile(r"[A-Z]{2,5}")
_DIRECTED = frozenset({"to", "2", "from", "into"})
"""Words around which the order of the others matters (text-to-image)."""


@lru_cache(maxsize=65536)
def tokens(name: str) -> tuple[str, ...]:
    """Return the words of a name without case and plural s.

    >>> tokens("Vision Transformers")
    ('vision', 'transformer')
    """
    found = [word.casefold() for word in _WORD.findall(name)]
    return tuple(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found)


def is_compound_of(long: str, short: str) -> bool:
    """Tell whether a name without a space is put together of another and more, and so no long form of that.

    >>> is_compound_of("TensoRF-DS", "TensoRF"), is_compound_of("Linear Direct Preference Optimization", "Linear-DPO")
    (True, False)
    """
    return " " not in long and not set(tokens(short)).isdisjoint(tokens(long))


def spelled_out(name: str, long_forms: Mapping[str, str]) -> str:
    """Return a name with the short forms among its words spelled out: those of the paper, then those of the field.

    >>> spelled_out("AD planning with LLMs", {"AD": "autonomous driving"})
    'autonomous driving planning with large language models'
    """
    return " ".join(long_forms.get(word) or _long_forms().get(word, word) for word in name.split())


def say_the_same(one: str, other: str, kind: EntityType) -> bool:
    """Tell whether two names of one type have the same words, but for endings, and of tasks but for their order.

    >>> say_the_same("soft masking", "Soft Mask", EntityType.METHOD)
    True
    >>> say_the_same("learning fair representations", "fair representation learning", EntityType.TASK)
    True
    >>> say_the_same("text-to-speech", "speech-to-text", EntityType.TASK)
    False
    >>> say_the_same("YOLO", "YOLOE", EntityType.METHOD)
    False
    """
    mine, its = _stems(one), _stems(other)
    if not mine:
        return False
    if kind is EntityType.TASK and _DIRECTED.isdisjoint(mine):
        return sorted(mine) == sorted(its)
    return mine == its


@lru_cache(maxsize=65536)
def _stems(name: str) -> tuple[str, ...]:
    """Return the stems of the words of a name; what is written like a name of its own has none."""
    return tuple(
        stem(word) if word[1:].islower() or word.islower() else token
        for word, token in zip(_WORD.findall(name), tokens(name), strict=True)
    )


@lru_cache(maxsize=1)
def _long_forms() -> dict[str, str]:
    """Return the long forms of the short forms that everybody in the field uses in one sense, plurals too."""
    catalogue = load()
    forms: dict[str, str] = {}
    for thing in catalogue.things:
        long = max((name for name in thing.spellings if len(tokens(name)) > 1), key=len, default=None)
        for short in thing.spellings:
            if long and _FIELDS_SHORT_FORM.fullmatch(short) and len(catalogue.find(short)) == 1:
                forms.setdefault(short, long)
                forms.setdefault(f"{short}s", long if long.endswith("s") else f"{long}s")
    return forms
