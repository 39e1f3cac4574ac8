"""Reading inputs: files, folders and standard input, each record accounted for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.model import Paper
from kg.readers.formats import FORMATS
from kg.readers.identity import paper, unite
from kg.readers.inputs import sources
from kg.readers.sniffing import Head, sniff
from kg.readers.source import HEAD_BYTES
from kg.readers.values import NotAPaper, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kg.readers.source import Source

__all__ = ["Reading", "read"]


@dataclass(frozen=True)
class Reading:
    """What was read: papers sorted by key, rejections by file and number, and how many records there were.

    ``records == len(papers) + duplicates + len(rejections)``, where a file that cannot be read among
    others that can counts as one rejected record, number 0.
    """

    papers: tuple[Paper, ...]
    rejections: tuple[Rejection, ...]
    records: int

    @property
    def duplicates(self) -> int:
        """How many records were found to be a paper that another record holds."""
        return self.records - len(self.papers) - len(self.rejections)


def read(inputs: Sequence[str | Path], *, format: str | None = None) -> Reading:  # noqa: A002 - the option's name
    """Read every input: a file, a folder (all files in it, deep), or ``-`` for standard input.

    `format` is a key of `FORMATS`; without it each file's format is told by its content.

    Raises:
        InputError: no input holds a paper; the message says why, for each.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}; there are {', '.join(FORMATS)}")
    papers: list[Paper] = []
    rejections: list[Rejection] = []
    failures: list[str] = []
    for source in sources(inputs):
        found: list[Paper | Rejection] = []
        try:
            found.extend(_records(source, format))
        except InputError as error:
            failures.append(f"{source.name}: {error}")
            rejections.append(Rejection(source.name, 0, None, str(error)))
        rejected = [one for one in found if isinstance(one, Rejection)]
        rejections += rejected
        papers += (one for one in found if isinstance(one, Paper))
        if len(rejected) == len(found):
            failures.append(_nothing_in(source.name, rejected))
    if not papers:
        raise InputError("; ".join(failures) or "no input was given")
    rejections.sort(key=lambda one: (one.file, one.record))
    return Reading(unite(papers), tuple(rejections), len(papers) + len(rejections))


def _records(source: Source, format: str | None) -> Iterator[Paper | Rejection]:  # noqa: A002
    if not source.head.strip():
        raise InputError("the file is empty")
    chosen = FORMATS[format] if format else sniff(Head.of(source, HEAD_BYTES), source.suffix, FORMATS.values())
    for raw in chosen.read(source):
        if isinstance(raw, NotAPaper):
            yield Rejection(source.name, raw.number, raw.key, raw.reason)
        elif not raw.title.strip() and not raw.abstract.strip():
            yield Rejection(source.name, raw.number, raw.id, "neither title nor abstract")
        else:
            yield paper(raw, source.name)


def _nothing_in(name: str, rejected: list[Rejection]) -> str:
    if not rejected:
        return f"{name}: no papers in it"
    return f"{name}: no papers in it; record {rejected[0].record}: {rejected[0].reason}"
