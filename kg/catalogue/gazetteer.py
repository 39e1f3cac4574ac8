"""The gazetteer: the surface forms to look for in a text, each with what it names and whether its case counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kg.catalogue.reading import DATA
from kg.model import EntityType
from kg.names.normal import normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["GazetteerEntry", "counts_case", "gazetteer", "learned_names", "marked_names"]

_SHORT = 6
_LEARNED = DATA / "learned.tsv"
_MARKED = DATA / "marked.tsv"


@dataclass(frozen=True, slots=True, order=True)
class GazetteerEntry:
    """A surface form. `key` is the known thing's key, or the normal form of a name that is only learned.

    Where one surface names several things, each has an entry; `exact_case` says that only this case counts.
    """

    surface: str
    key: str
    type: EntityType
    exact_case: bool


def gazetteer(catalogue: Catalogue) -> tuple[GazetteerEntry, ...]:
    """Return the surface forms of the catalogue and those learned from annotated papers, sorted."""
    entries = {
        GazetteerEntry(surface, thing.key, thing.type, counts_case(surface, thing))
        for thing in catalogue.things
        for surface in thing.spellings
    }
    known = {entry.surface.casefold() for entry in entries}
    for surface, type_ in learned_names():
        things = [thing for thing in catalogue.find(surface) if thing.type == type_]
        if surface.casefold() not in known:
            key = things[0].key if things else normal(surface)
            entries.add(GazetteerEntry(surface, key, type_, _needs_case(surface)))
    return tuple(sorted(entries))


@cache
def learned_names() -> tuple[tuple[str, EntityType], ...]:
    """Return the names that annotated papers share, with their types.

    They are those of `learned.tsv`, which training/make_gazetteer.py writes: name, type, papers.
    """
    return tuple((name, EntityType(type_)) for name, type_, _ in _rows(_LEARNED))


@cache
def marked_names() -> Mapping[str, tuple[EntityType, float]]:
    """Return the short names that annotators mark nearly wherever they stand, with their type and how often they do.

    They are those of `marked.tsv`, which training/make_gazetteer.py writes: name, type, papers, of so many.
    """
    return {name: (EntityType(type_), int(told) / int(of)) for name, type_, told, of in _rows(_MARKED)}


def _rows(path: Path) -> Iterator[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines if line and not line.startswith("#"))


def counts_case(surface: str, thing: KnownThing) -> bool:
    """Say whether a spelling of a thing names it only in the case that it is written in."""
    return (thing.exact_case and " " not in surface) or _needs_case(surface)


def _needs_case(surface: str) -> bool:
    """Whether a surface may be a common word or a chance string in another case: short, an acronym, a word.

    >>> [_needs_case(surface) for surface in ("SAM", "Falcon", "softmax", "FlashAttention-3", "The Pile")]
    [True, True, False, False, True]
    """
    if surface.islower():
        return False
    if " " in surface:
        return all(word[0].isupper() and word[1:].islower() for word in surface.split())
    return len(surface) <= _SHORT or surface.isupper() or surface[1:].islower()
