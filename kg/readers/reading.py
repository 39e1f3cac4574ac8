"""Reading inputs: files, folders, archives and standard input, each record accounted for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kg.errors import InputError, UsageError
from kg.readers.formats import FORMATS
from kg.readers.identity import paper
from kg.readers.inputs import sources
from kg.readers.kinds import reason_against
from kg.readers.language import is_english
from kg.readers.repairs import repaired
from kg.readers.sniffing import Head, sniff
from kg.readers.source import HEAD_BYTES
from kg.readers.spool import Spool
from kg.readers.values import NotAPaper, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kg.model import Paper
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["Reading", "Record", "read", "records"]


@dataclass(frozen=True)
class Reading:
    """What was read: papers sorted by key, rejections by file and number, and how many records there were.

    ``records == len(papers) + duplicates + len(rejections)``, where a file that cannot be read, or not to its
    end, counts as one rejected record, number 0. `formats` counts records by the format they were read as,
    `not_english` the papers whose text is in another language. Both sequences lie on disk, and can be gone
    through any number of times.
    """

    papers: Sequence[Paper]
    rejections: Sequence[Rejection]
    records: int
    not_english: int = 0
    formats: tuple[tuple[str, int], ...] = ()

    @property
    def duplicates(self) -> int:
        """How many records were found to be a paper that another record holds."""
        return self.records - len(self.papers) - len(self.rejections)


def read(inputs: Sequence[str | Path], *, format: str | None = None) -> Reading:  # noqa: A002 - the option's name
    """Read every input: a file, a folder (all files in it, deep), or ``-`` for standard input.

    `format` is a key of `FORMATS`; without it each file's format is told by its content. Compressed files
    and archives are read as what they hold. Memory does not grow with the number of records.

    Raises:
        InputError: no input holds a paper; the message says why, for each.
        UsageError: no format has that name.
    """
    if format is not None and format not in FORMATS:
        raise UsageError(f"unknown format {format!r}; there are {', '.join(FORMATS)}")
    spool = Spool()
    rejected = 0
    failures: list[str] = []
    formats: Counter[str] = Counter()
    for source in sources(inputs):
        papers = 0
        first: Rejection | None = None
        for one in records(source, format=format):
            if one.format:
                formats[one.format] += 1
            if isinstance(one.result, Rejection):
                spool.reject(one.result)
                rejected += 1
                first = first or one.result
            else:
                spool.add(one.result, english=one.english)
                papers += 1
        if not papers:
            failures.append(_nothing_in(source.name, first))
    if not spool.records:
        raise InputError("; ".join(failures) or "no input was given")
    number = spool.records + rejected
    found = spool.papers()
    return Reading(found, spool.rejections(), number, spool.not_english, tuple(sorted(formats.items())))


class Record(NamedTuple):
    """What became of a record: the name of the format it was read as, a paper or a rejection, and its language."""

    format: str
    result: Paper | Rejection
    english: bool = True


def records(source: Source, *, format: str | None = None) -> Iterator[Record]:  # noqa: A002
    """Yield what became of each record of a source.

    A file that cannot be read, or not to its end, yields a rejection with the number 0, and no format.
    """
    number = 0
    try:
        if not source.head.strip():
            raise InputError("the file is empty")
        chosen = FORMATS[format] if format else sniff(Head.of(source, HEAD_BYTES), source.suffix, FORMATS.values())
        for raw in chosen.read(source):
            number = raw.number
            yield _judged(raw, source.name, chosen.name)
    except (InputError, UnicodeError) as error:
        where = f"; read as far as record {number}" if number else ""
        yield Record("", Rejection(source.name, 0, None, f"{error}{where}"))
    except OSError as error:
        yield Record("", Rejection(source.name, 0, None, f"cannot be read: {error.strerror or error}"))


def _judged(raw: RawPaper | NotAPaper, file: str, format: str) -> Record:  # noqa: A002
    if isinstance(raw, NotAPaper):
        return Record(format, Rejection(file, raw.number, raw.key, raw.reason))
    try:
        mended = repaired(raw)
        reason = None if raw.exact else reason_against(mended)
    except RecursionError:
        return Record(format, Rejection(file, raw.number, raw.id, "markup nested too deep"))
    if reason is None and not mended.title.strip() and not mended.abstract.strip():
        reason = "neither title nor abstract"
    if reason is not None:
        return Record(format, Rejection(file, raw.number, mended.id, reason))
    english = is_english(f"{mended.title} {mended.abstract}", told=mended.language)
    return Record(format, paper(mended, file), english)


def _nothing_in(name: str, first: Rejection | None) -> str:
    if first is None:
        return f"{name}: no papers in it"
    if first.record == 0:
        return f"{name}: {first.reason}"
    return f"{name}: no papers in it; record {first.record}: {first.reason}"
