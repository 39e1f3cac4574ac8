"""Reading inputs: files, folders and standard input, each record accounted for."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.model import Paper
from kg.readers.decoding import decode
from kg.readers.identity import paper, unite
from kg.readers.sniffing import FORMATS, sniff
from kg.readers.values import RawPaper, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Reading", "read"]

_STDIN = "-"


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
    for name, path in _files(inputs):
        try:
            found = list(_records(name, path, format))
        except InputError as error:
            failures.append(str(error))
            rejections.append(Rejection(name, 0, None, str(error).removeprefix(f"{name}: ")))
            continue
        rejected = [one for one in found if isinstance(one, Rejection)]
        rejections += rejected
        papers += (one for one in found if isinstance(one, Paper))
        if len(rejected) == len(found):
            failures.append(_nothing_in(name, rejected))
    if not papers:
        raise InputError("; ".join(failures) or "no input was given")
    rejections.sort(key=lambda one: (one.file, one.record))
    return Reading(unite(papers), tuple(rejections), len(papers) + len(rejections))


def _files(inputs: Sequence[str | Path]) -> Iterator[tuple[str, Path | None]]:
    """Yield (name, path) of each file, or of the folder itself where it holds none; None is standard input."""
    for given in inputs:
        path = Path(given)
        if str(given) == _STDIN:
            yield "standard input", None
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            yield from ((p.as_posix(), p) for p in inside or [path])
        else:
            yield path.as_posix(), path


def _bytes(name: str, path: Path | None) -> bytes:
    if path is None:
        return sys.stdin.buffer.read()
    if path.is_dir():
        raise InputError(f"{name}: the folder holds no files")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file or folder") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def _records(name: str, path: Path | None, format: str | None) -> Iterator[Paper | Rejection]:  # noqa: A002
    data = _bytes(name, path)
    if not data.strip():
        raise InputError(f"{name}: the file is empty")
    text = decode(data, name).replace("\r\n", "\n").replace("\r", "\n")
    reader = FORMATS[format or sniff(text)]
    try:
        for raw in reader(text):
            if not isinstance(raw, RawPaper):
                yield Rejection(name, raw[0], None, raw[1])
            elif not raw.title.strip() and not raw.abstract.strip():
                yield Rejection(name, raw.number, raw.id, "neither title nor abstract")
            else:
                yield paper(raw, name)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _nothing_in(name: str, rejected: list[Rejection]) -> str:
    if not rejected:
        return f"{name}: no papers in it"
    return f"{name}: no papers in it; record {rejected[0].record}: {rejected[0].reason}"
