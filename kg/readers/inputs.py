"""From what a user names to sources: files, folders, standard input."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kg.errors import InputError
from kg.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from typing_extensions import Buffer

__all__ = ["sources"]

_STDIN = "-"
_IN_MEMORY = 1024 * 1024


def sources(inputs: Sequence[str | Path]) -> Iterator[Source]:
    """Yield a source for each file: those of a folder in the order of their names, hidden ones left out."""
    for given in inputs:
        path = Path(given)
        if str(given) == _STDIN:
            yield Source("standard input", _Kept(sys.stdin.buffer))
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            yield from (_file(p) for p in inside or [path])
        else:
            yield _file(path)


def _file(path: Path) -> Source:
    return Source(path.as_posix(), partial(_open, path), path)


def _open(path: Path) -> BinaryIO:
    if path.is_dir():
        raise InputError("the folder holds no files")
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError("no such file or folder") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None


class _Kept:
    """A stream that can be read once, kept in a temporary file so that it can be opened again and again."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._file: BinaryIO | None = None

    def __call__(self) -> BinaryIO:
        if self._file is None:
            self._file = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - goes with us
            shutil.copyfileobj(self._stream, self._file)
        self._file.seek(0)
        return cast("BinaryIO", io.BufferedReader(_Borrowed(self._file)))


class _Borrowed(io.RawIOBase):
    """Reads a file that stays open when this is closed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)
