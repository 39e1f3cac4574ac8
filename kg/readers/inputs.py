"""From what a user names to sources: files, folders, standard input, and what archives hold."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kg.errors import InputError
from kg.readers.archives import is_archive, is_hidden, opened
from kg.readers.compression import decompressed
from kg.readers.decoding import clean
from kg.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

    from typing_extensions import Buffer

    from kg.readers.archives import Contents

__all__ = ["sources"]

_STDIN = "-"
_IN_MEMORY = 1024 * 1024
_MAX_DEPTH = 3
_ALWAYS_WRITTEN = ("annotations.jsonl", "links.jsonl", "graph.nt")
_OUTPUTS = frozenset({*_ALWAYS_WRITTEN, "graph.ttl", "graph.jsonld", "graph.html", "report.json", "rejects.jsonl"})
_STORES = frozenset({"store", "cypher"})


def sources(inputs: Sequence[str | Path]) -> Iterator[Source]:
    """Yield a source for each file, in the order of the names inside a folder or archive; hidden ones are left out.

    A source can be opened until the next one is asked for.
    """
    for given in inputs:
        path = Path(given)
        if str(given) == _STDIN:
            yield from _opened_up(_source("standard input", _Kept(sys.stdin.buffer)))
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not is_hidden(p.relative_to(path).parts))
            inside = [p for p in inside if not _is_written_by_us(p)]
            for one in inside or [path]:
                yield from _opened_up(_file(one))
        else:
            yield from _opened_up(_file(path))


def _is_written_by_us(path: Path) -> bool:
    """Whether a file is an output of a build, told by those that stand beside it: they are no input."""
    if path.name in _OUTPUTS:
        return all((path.parent / name).is_file() for name in _ALWAYS_WRITTEN)
    return any(
        folder.name in _STORES and all((folder.parent / name).is_file() for name in _ALWAYS_WRITTEN)
        for folder in path.parents
    )


def _file(path: Path) -> Source:
    return _source(path.as_posix(), partial(_open, path), path)


def _open(path: Path) -> BinaryIO:
    if path.is_dir():
        raise InputError("the folder holds no files")
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError("no such file or folder") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None


def _source(name: str, opener: Callable[[], BinaryIO], path: Path | None = None) -> Source:
    """A source of the decompressed bytes; it has the path only where they are not compressed."""
    try:
        stream, compressed = decompressed(opener())
        stream.close()
    except (InputError, OSError):
        compressed = True  # the reading will meet the same error, and tell it
    return Source(clean(name), partial(_decompressed, opener), None if compressed else path)


def _decompressed(opener: Callable[[], BinaryIO]) -> BinaryIO:
    return decompressed(opener())[0]


def _opened_up(source: Source, depth: int = 0) -> Iterator[Source]:
    """Yield the members of an archive, deep; anything else as it is."""
    try:
        head = source.head
    except (InputError, OSError):
        head = b""  # the reading will meet the same error, and tell it
    if not is_archive(head):
        yield source
        return
    with ExitStack() as stack:
        try:
            contents = stack.enter_context(opened(stack.enter_context(source.on_disk()), head))
        except InputError as error:
            yield _failing(source.name, str(error))
        except OSError as error:
            yield _failing(source.name, f"cannot be unpacked: {error.strerror or error}")
        else:
            yield from _members(source, contents, depth)


def _members(source: Source, contents: Contents, depth: int) -> Iterator[Source]:
    if contents.is_document:
        yield source
    elif contents.members and depth >= _MAX_DEPTH:
        yield _failing(source.name, f"archives are nested more than {_MAX_DEPTH} deep")
    else:
        for one in contents.members:
            yield from _opened_up(_source(f"{source.name}/{one.name}", one.opener), depth + 1)
        if contents.damage or not contents.members:
            yield _failing(source.name, contents.damage or "the archive holds no files")


def _failing(name: str, reason: str) -> Source:
    def fail() -> BinaryIO:
        raise InputError(reason)

    return Source(name, fail)


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
        """Yes."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Read from the file."""
        view = memoryview(buffer)
        data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)
