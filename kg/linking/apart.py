"""What keeps two names of one paper apart: they are versions that the paper tells apart.

A size, or the year of a data set, that the paper gives of a thing once does not tell it apart; of the pairs in the
annotated papers that differ in nothing else, five in six are one thing. Of those that differ in a version or a
variant, four in five are two things.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kg.model import EntityType
from kg.names import Name, compare, normal, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["are_versions", "differ_in_one_detail", "told_apart"]

_compare = lru_cache(maxsize=65536)(compare)
_SIZE, _YEAR = 1, 3
"""Where the two stand among the details of a name."""


def told_apart(a: str, b: str, kind: EntityType, names: Iterable[str]) -> bool:
    """Tell whether two names of one type are versions that a paper with these names tells apart."""
    return are_versions(a, b, kind) and not differ_in_one_detail(a, b, kind, names)


def are_versions(a: str, b: str, kind: EntityType) -> bool:
    """Tell whether two names of one type say that they are two versions of one family.

    >>> are_versions("Llama 2", "Llama 2-Chat", EntityType.METHOD), are_versions("LoRA", "LoRA+", EntityType.METHOD)
    (True, True)
    >>> are_versions("Llama 2", "Llama-2", EntityType.METHOD), are_versions("A100", "NVIDIA A100", EntityType.HARDWARE)
    (False, False)
    """
    if kind is EntityType.TASK or _compare(a, b, kind) != "version":
        return False
    return kind is not EntityType.HARDWARE or parse(a).details != parse(b).details


def differ_in_one_detail(a: str, b: str, kind: EntityType, others: Iterable[str]) -> bool:
    """Tell whether two names differ in a size or a year that one of them gives, and no other name gives another.

    >>> differ_in_one_detail("ROBIN", "ROBIN-3B", EntityType.METHOD, ["ROBIN", "ROBIN-3B"])
    True
    >>> differ_in_one_detail("ROBIN", "ROBIN-3B", EntityType.METHOD, ["ROBIN", "ROBIN-3B", "ROBIN-7B"])
    False
    """
    one, other = parse(a), parse(b)
    if normal(one.family) != normal(other.family):
        return False
    differing = [i for i, (mine, its) in enumerate(zip(one.details, other.details, strict=True)) if mine != its]
    if differing not in ([_SIZE], [_YEAR]) or (one.details[differing[0]] and other.details[differing[0]]):
        return False
    return _compare(a, b, kind) == "version" and len(_details_of_kin(one, others)) <= 2


def _details_of_kin(one: Name, others: Iterable[str]) -> set[tuple[str, ...]]:
    family = normal(one.family)
    return {name.details for name in map(parse, others) if normal(name.family) == family}
