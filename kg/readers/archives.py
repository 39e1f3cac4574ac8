"""What zip and tar archives hold, told by their first bytes and read in place.

Nothing is ever written under a name that an archive has, and links in it are not followed.
"""

from __future__ import annotations

import tarfile
import zipfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from kg.errors import InputError
from kg.readers.compression import Guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["Contents", "Member", "is_archive", "is_hidden", "opened"]

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
#: POSIX and GNU; what is older than these has no mark.
_TAR = (b"ustar\0", b"ustar ")
_TAR_MARK = slice(257, 263)
#: Members that make a zip file a document (XLSX, DOCX, ODS, EPUB), which a format reads as a whole.
_DOCUMENT = frozenset({"[Content_Types].xml", "mimetype"})
_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, RuntimeError, NotImplementedError, EOFError, OverflowError)


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: its name, and what opens it anew at each call while the archive is open."""

    name: str
    opener: Callable[[], BinaryIO]


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of an archive by name, hidden ones left out; whether it is a document; what keeps the rest back."""

    members: tuple[Member, ...]
    is_document: bool = False
    damage: str | None = None


def is_archive(head: bytes) -> bool:
    """Tell an archive by the first bytes of a file."""
    return head.startswith(_ZIP) or head[_TAR_MARK] in _TAR


def is_hidden(parts: Sequence[str]) -> bool:
    """Tell whether a path leads to what a system hides."""
    return any((part.startswith(".") and part != "..") or part == "__MACOSX" for part in parts)


@contextmanager
def opened(path: Path, head: bytes) -> Iterator[Contents]:
    """Yield what an archive with these first bytes holds, to be read while the block runs.

    Raises:
        InputError: it cannot be opened, and why.
    """
    is_zip = head.startswith(_ZIP)
    with ExitStack() as stack:
        try:
            if is_zip:
                contents = _of_zip(stack.enter_context(zipfile.ZipFile(path)))
            else:
                contents = _of_tar(stack.enter_context(tarfile.open(path, "r:")))
        except (*_DAMAGE, OSError, ValueError) as error:
            raise InputError(f"not a {'zip' if is_zip else 'tar'} archive: {error}") from None
        yield contents


def _of_zip(archive: zipfile.ZipFile) -> Contents:
    inside = archive.infolist()
    files = [Member(one.filename, partial(_open_zipped, archive, one)) for one in inside if not one.is_dir()]
    return Contents(_shown(files), is_document=any(one.filename in _DOCUMENT for one in inside))


def _open_zipped(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> BinaryIO:
    try:
        stream = archive.open(member)
    except (*_DAMAGE, OSError, ValueError) as error:
        raise InputError(f"cannot be unpacked: {error}") from None
    return Guarded(cast("BinaryIO", stream), lambda: member.compress_size).buffered()


def _of_tar(archive: tarfile.TarFile) -> Contents:
    """Only files; where one name comes twice, the last one, which is the newer."""
    files, damage = {}, None
    try:
        for one in _headers(archive):
            if one.isreg():
                files[one.name] = Member(one.name, partial(_open_tarred, archive, one))
    except (*_DAMAGE, OSError, ValueError) as error:
        damage = f"the archive is damaged: {error}"
    return Contents(_shown(files.values()), damage=damage)


def _headers(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the members; the library itself goes round for ever at a size below zero, and stops at what is no header.

    Raises:
        tarfile.TarError: the archive does not go on, or not forwards, and is not at its end.
    """
    place = -1
    while (one := archive.next()) is not None:
        if one.size < 0 or one.offset <= place:
            raise tarfile.ReadError("a member of less than no bytes")
        place = one.offset
        yield one
    file = cast("BinaryIO", archive.fileobj)
    file.seek(archive.offset)
    if file.read(tarfile.BLOCKSIZE).strip(b"\0"):
        raise tarfile.ReadError(f"no header of a member at byte {archive.offset:,}")


def _open_tarred(archive: tarfile.TarFile, member: tarfile.TarInfo) -> BinaryIO:
    if member.issparse():  # A few bytes can tell of any number that are not there.
        raise InputError("cannot be unpacked: a sparse file")
    stream = archive.extractfile(member)
    if stream is None:
        raise InputError("cannot be unpacked: not a file")
    return Guarded(cast("BinaryIO", stream), lambda: member.size).buffered()


def _shown(files: Iterable[Member]) -> tuple[Member, ...]:
    """Return those that are not hidden, by name; a ``.`` in a path says nothing."""
    shown = []
    for one in files:
        parts = [part for part in one.name.split("/") if part != "."]
        if not is_hidden(parts):
            shown.append(Member("/".join(parts), one.opener))
    return tuple(sorted(shown, key=lambda one: one.name))
