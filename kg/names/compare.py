"""Whether two names denote one thing, two versions of one family, or two things: what the names alone say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from kg.names.abbreviations import long_form_start
from kg.names.normal import bare, normal
from kg.names.parse import MAKERS, Name, parse

if TYPE_CHECKING:
    from kg.model import EntityType

__all__ = ["Relation", "compare", "family"]

Relation = Literal["same", "version", "different"]

_HEAD_NOUNS = frozenset({"dataset", "datasets", "data", "benchmark", "benchmarks", "corpus", "suite", "gpu", "gpus"})
_MODEL_NOUNS = frozenset({"model", "models", "modeling", "modelling", "algorithm", "framework", "method", "optimizer"})


def compare(a: str, b: str, type: EntityType | None = None) -> Relation:  # noqa: A002
    """Return how two names relate: ``same`` (one node), ``version`` (two nodes of one family) or ``different``.

    >>> compare("NVIDIA A100", "A100 GPUs"), compare("Llama 3", "Llama 3.1"), compare("SAM", "SAC")
    ('same', 'version', 'different')
    """
    if normal(a) == normal(b):
        return "same"
    left, right = parse(a), parse(b)
    if _head(left) == _head(right):
        return _by_details(left, right)
    if _expands(a, b) or _expands(b, a):
        return "same"
    return "different"


def family(name: str) -> str | None:
    """Return the display name of the family that a name is a version of, or None where it is none.

    >>> family("FlashAttention-3"), family("CIFAR-10"), family("A100"), family("word2vec")
    ('FlashAttention', 'CIFAR', None, None)
    """
    parsed = parse(name)
    if not (parsed.version or parsed.year or parsed.variant or parsed.split or parsed.size):
        return None
    if "@" in name or normal(parsed.family) == normal(name) or len(normal(parsed.family)) < 2:
        return None
    return parsed.family


def _head(name: Name) -> str:
    words = [word for word in re.split(r"[\s\-_/]+", name.family) if word]
    while len(words) > 1 and words[-1].lower() in _HEAD_NOUNS:
        words.pop()
    while len(words) > 1 and words[0].lower() == "the":
        words.pop(0)
    return normal("".join(normal(word) for word in words))


def _by_details(left: Name, right: Name) -> Relation:
    if left.details == right.details:
        return "same"
    return "version"


def _expands(short: str, long: str) -> bool:
    """Whether `long` spells out `short`: the letters begin at its first word and none of its words is left over."""
    spelled = bare(long)
    if " " in bare(short) or len(short) > 12 or not any(char.isupper() for char in short):
        return False
    if len(re.findall(r"[^\W_]+", spelled)) < 2 or normal(short) in MAKERS:
        return False
    return long_form_start(bare(short), spelled) == 0
