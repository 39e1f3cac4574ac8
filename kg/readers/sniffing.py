"""Telling a file's format by its content; the ending of its name only breaks ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.decoding import decode_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kg.readers.source import Source
    from kg.readers.values import NotAPaper, RawPaper

__all__ = ["Format", "Head", "sniff"]


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a source before it is read: its first bytes (64 KiB at most), and as text.

    `text` is empty where the bytes are not text; its lines end in ``\\n``, and it starts at the first
    character that is no white space. `whole` tells that there is nothing after it.
    """

    data: bytes
    text: str
    whole: bool

    @classmethod
    def of(cls, source: Source, size: int) -> Head:
        """Return the head of a source, of which `size` bytes are looked at."""
        data = source.head[:size]
        return cls(data, decode_head(data).lstrip(), len(data) < size)

    @property
    def lines(self) -> list[str]:
        """The lines of the text; the last one is left out where the file goes on after the head."""
        lines = self.text.split("\n")
        return lines if self.whole or len(lines) == 1 else lines[:-1]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the name that ``--format`` takes, its reader, and a cheap test of a head.

    Of the formats that fit, those of the highest priority are taken: 100 for what a magic number or a root
    element tells, 50 for what the form of the first records tells, 10 and less for what fits almost
    anything. Of several the one with the file's suffix (``.bib``), else the first registered.
    """

    name: str
    read: Callable[[Source], Iterator[RawPaper | NotAPaper]]
    fits: Callable[[Head], bool]
    priority: int = 50
    suffixes: tuple[str, ...] = ()


def sniff(head: Head, suffix: str, formats: Iterable[Format]) -> Format:
    """Return the format of a source.

    Raises:
        InputError: no format fits, so the bytes are not text.
    """
    fitting = [one for one in formats if one.fits(head)]
    if not fitting:
        raise InputError("not a text file, and of no other format that can be read")
    highest = max(one.priority for one in fitting)
    best = [one for one in fitting if one.priority == highest]
    return next((one for one in best if suffix in one.suffixes), best[0])
