"""What a thing is a version of, within a catalogue: whether that can be, and what a new name is a version of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.model import EntityType
from kg.names.normal import bare
from kg.names.parse import parse

if TYPE_CHECKING:
    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["circle", "family_in", "wrong_family"]

_TYPES = frozenset({EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE})
_WORD_END = re.compile(r"(?<=\w)(?=[\s\-_/(])")


def wrong_family(thing: KnownThing, catalogue: Catalogue) -> str | None:
    """Return why the family of a thing cannot be one, or None: it goes in a circle, or is of another type."""
    ring = circle(thing, catalogue)
    if ring:
        return f"families go in a circle: {' → '.join((*ring, ring[0]))}"
    above = catalogue.find(thing.family) if thing.family is not None else ()
    if not above or thing.type in {one.type for one in above}:
        return None
    types = " and a ".join(sorted({one.type.value for one in above}))
    return f"its family {thing.family!r} is a {types}, not a {thing.type.value}"


def circle(thing: KnownThing, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the names on the circle that a thing's families make, from the first in the alphabet; empty if none."""
    names: list[str] = []
    step: KnownThing | None = thing
    while step is not None and step.name not in names:
        names.append(step.name)
        found = [one for one in catalogue.find(step.family) if one.type == thing.type] if step.family else []
        step = found[0] if found else None
    if step is None or step.name != thing.name:
        return ()
    first = names.index(min(names))
    return (*names[first:], *names[:first])


def family_in(name: str, type_: EntityType, catalogue: Catalogue) -> KnownThing | None:
    """Return the known thing with which a name begins, where only details of a version follow.

    What follows the name of a piece of hardware is one (``SXM2 16 GB``, ``E5-2650``); tasks and metrics have none.

    >>> from kg.catalogue import load
    >>> names = ("Tesla V100-SXM2-16GB", "NVIDIA A100X", "Intel Xeon E5-2650", "Raspberry Jam")
    >>> [thing and thing.name for name in names for thing in (family_in(name, EntityType.HARDWARE, load()),)]
    ['NVIDIA V100', None, 'Intel Xeon', None]
    """
    text = bare(name)
    for end in sorted((found.end() for found in _WORD_END.finditer(text)), reverse=True) if type_ in _TYPES else ():
        things = [thing for thing in catalogue.find(text[:end]) if thing.type == type_]
        if len(things) == 1 and (type_ == EntityType.HARDWARE or parse(f"X {text[end:]}").family == "X"):
            return things[0]
    return None
