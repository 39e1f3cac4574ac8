"""Whether two names say the same in other words: a head noun more, another ending, a part of the name in short."""

from __future__ import annotations

import re
from functools import lru_cache

from kg.names.initials import spells_out
from kg.names.normal import bare, normal
from kg.text.stems import stem

__all__ = ["reworded"]

# Nouns that say what kind of thing a name denotes, and no more ("attention mechanism").
_KINDS = frozenset({
    "algorithm", "approach", "approache", "architecture", "framework", "mechanism", "method", "metric", "model",
    "models", "paradigm", "problem", "scheme", "score", "strategy", "system", "task", "tasks", "technique",
})  # fmt: skip
_WORD = re.compile(r"[^\s\-_/‐‑–—:,]+")
_LEAST_STEM = 4


def reworded(one: str, other: str) -> bool:
    """Return whether two names differ by a noun of kind, an ending, or a part that one of them abbreviates alone.

    >>> reworded("attention", "attention mechanism"), reworded("pipeline parallel", "pipeline parallelism")
    (True, True)
    >>> reworded("LLM inference", "large language model inference"), reworded("SR network", "super network")
    (True, False)
    """
    short, long = sorted((_words(one), _words(other)), key=len)
    start, end = _shared(short, long)
    if start + end == 0:
        return False
    few, many = short[start : len(short) - end], long[start : len(long) - end]
    if len(few) == 0:
        return len(many) == 1 and not end and many[0][1] in _KINDS
    if len(few) == len(many):
        return all(_stem(mine) == _stem(its) for (_, mine), (_, its) in zip(few, many, strict=True))
    if len(few) == 1 and sum(char.isupper() for char in few[0][0]) > 1:
        return spells_out(few[0][0], " ".join(word for word, _ in many))
    return False


@lru_cache(maxsize=65536)
def _words(name: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a name, each as it is written and in its normal form."""
    return tuple((word, normal(word)) for word in _WORD.findall(bare(name)))


def _shared(short: tuple[tuple[str, str], ...], long: tuple[tuple[str, str], ...]) -> tuple[int, int]:
    """Return how many words two names share at their beginnings and, beyond these, at their ends."""
    start = 0
    while start < len(short) and short[start][1] == long[start][1]:
        start += 1
    end = 0
    while end < len(short) - start and short[-1 - end][1] == long[-1 - end][1]:
        end += 1
    return start, end


def _stem(word: str) -> str:
    return stem(word) if word.isalpha() and len(word) > _LEAST_STEM else word
