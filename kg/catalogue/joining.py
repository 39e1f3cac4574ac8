"""Which spellings of a listing are one thing: what they hold beside the name itself tells no things apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.catalogue.families import family_in
from kg.model import EntityType
from kg.names import compare
from kg.names.normal import bare, normal
from kg.names.parse import MAKERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["known_as", "plain_form", "without_gloss", "without_makers"]

_MAKERS = MAKERS | {
    "altera", "amazon", "aws", "geforce", "gigabyte", "habana", "instinct", "radeon", "samsung", "tesla", "xilinx"
}  # fmt: skip
_NOUN = re.compile(r"(?<=\w)[\s\-](?:datasets?|data set|benchmark|corpus|algorithm|chip)$", re.IGNORECASE)
_GLOSS = re.compile(r"(?<=\w)\s+\([^()]*\)$")
_UNIT = re.compile(r"(?<=\d)\s+(?=[GT]i?B\b)")


def known_as(name: str, type_: EntityType, catalogue: Catalogue) -> KnownThing | None:
    """Return the one known thing of a type that a name is a spelling of, or None.

    >>> from kg.catalogue import load
    >>> known_as("NVIDIA Tesla K80", EntityType.HARDWARE, load()).name
    'NVIDIA K80'
    >>> known_as("Optical Character Recognition (OCR)", EntityType.TASK, load()).name
    'optical character recognition'
    >>> known_as("Tesla M40 24GB", EntityType.HARDWARE, load()).name
    'NVIDIA M40'
    """
    for spelling in _spellings(name, type_):
        found = [thing for thing in catalogue.find(spelling) if thing.type == type_]
        if found:
            return found[0] if len(found) == 1 else None
    begins = family_in(name, type_, catalogue)
    return begins if begins is not None and compare(name, begins.name, type_) == "same" else None


def without_gloss(name: str) -> str:
    """Return a name without what closes it in parentheses.

    >>> without_gloss("Baidu Kunlun R100 (75W)"), without_gloss("LLM.int8()")
    ('Baidu Kunlun R100', 'LLM.int8()')
    """
    return _GLOSS.sub("", bare(name))


def plain_form(name: str, type_: EntityType) -> str:
    """Return the form that is equal for the spellings of one thing within a listing.

    >>> plain_form("NVIDIA A100 SXM4 80 GB", EntityType.HARDWARE) == plain_form("A100-SXM4-80GB", EntityType.HARDWARE)
    True
    """
    *_, last = _spellings(name, type_)
    return normal(last)


def without_makers(name: str) -> str:
    """Return the name of a piece of hardware without its makers and product lines, unless nothing else is left.

    >>> without_makers("NVIDIA Tesla K80"), without_makers("AMD Radeon Instinct")
    ('K80', 'Instinct')
    """
    words = bare(name).split()
    while len(words) > 1 and words[0].casefold() in _MAKERS:
        words = words[1:]
    return " ".join(words)


def _spellings(name: str, type_: EntityType) -> Iterator[str]:
    """Yield a name, and what is left of it as one thing after another goes that tells no things apart."""
    yield name
    text = bare(name)
    gloss = _GLOSS.search(text)
    if gloss is not None and (type_ == EntityType.HARDWARE or _abbreviates(gloss.group(), text[: gloss.start()])):
        text = text[: gloss.start()]
        yield text
    if _NOUN.search(text):
        text = _NOUN.sub("", text)
        yield text
    if type_ == EntityType.HARDWARE:
        text = _UNIT.sub("", text)
        yield text
        words = text.split()
        while len(words) > 1 and words[0].casefold() in _MAKERS:
            words = words[1:]
            yield " ".join(words)


def _abbreviates(gloss: str, name: str) -> bool:
    """Say whether a gloss is made of the initials of a name, of some of them or more."""
    short = gloss.strip(" ()")
    initials = {word[0].casefold() for word in re.findall(r"\w+", name)}
    return short.isalpha() and not short.islower() and {char.casefold() for char in short if char.isupper()} <= initials
