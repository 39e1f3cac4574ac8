"""Bytes as they were before compression, told by their first bytes and streamed; damage and bombs are errors."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING, cast

import zstandard

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from typing_extensions import Buffer

__all__ = ["Guarded", "decompressed"]

#: Text shrinks by 3 to 30; what grows by more than this, and to more than that many bytes, is a bomb.
_MAX_RATIO = 200
_MAX_UNTOLD_BYTES = 256 * 1024 * 1024
_MAX_LAYERS = 3
#: So few bytes at a time that what they may grow to is bounded: a block of 128 KiB takes four.
_ZSTD_CHUNK = 1024
_DAMAGE = (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, tarfile.TarError, zstandard.ZstdError)


def _zstd(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", io.BufferedReader(_Zstandard(stream)))


def _gzip(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=stream))


def _bzip2(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", bz2.BZ2File(stream))


def _xz(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", lzma.LZMAFile(stream))


_BY_MAGIC: tuple[tuple[bytes, Callable[[BinaryIO], BinaryIO]], ...] = (
    (b"\x1f\x8b\x08", _gzip),
    (b"BZh", _bzip2),
    (b"\xfd7zXZ\0", _xz),
    (b"\x28\xb5\x2f\xfd", _zstd),
)


def decompressed(stream: BinaryIO) -> tuple[BinaryIO, bool]:
    """Return the stream without its compressions, and whether it had one.

    Raises:
        InputError: while reading: the data are damaged or cut off, or grow like a bomb.
    """
    compressed = False
    for _ in range(_MAX_LAYERS):
        buffered = io.BufferedReader(cast("io.RawIOBase", stream)) if isinstance(stream, io.RawIOBase) else stream
        start = cast("io.BufferedReader", buffered).peek(6)[:6]
        stream = buffered
        unpack = next((unpack for magic, unpack in _BY_MAGIC if start.startswith(magic)), None)
        if unpack is None:
            break
        counted = _Counted(stream)
        stream = Guarded(unpack(cast("BinaryIO", counted)), counted.told).buffered()
        compressed = True
    return stream, compressed


class _Zstandard(io.RawIOBase):
    """The frames of a file one after another; the library's own reader does not tell where one is cut off."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._is_open = False
        self._ready = b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Read what is ready, or decompress on.

        Raises:
            EOFError: the last frame is cut off.
            zstandard.ZstdError: it is damaged.
        """
        view = memoryview(buffer)
        while not self._ready:
            data = self._stream.read(_ZSTD_CHUNK)
            if not data and self._is_open:
                raise EOFError("the last frame is cut off")
            if not data:
                return 0
            self._ready = self._decompressed(data)
        part, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(part)] = part
        return len(part)

    def _decompressed(self, data: bytes) -> bytes:
        done = []
        while data:
            done.append(self._frame.decompress(data))
            self._is_open = not self._frame.eof
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
        return b"".join(done)

    def close(self) -> None:
        """Close the stream below too."""
        self._stream.close()
        super().close()


class _Counted(io.RawIOBase):
    """Counts the bytes that are read through it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._count = 0

    def told(self) -> int:
        """How many bytes were read."""
        return self._count

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Read, and count."""
        view = memoryview(buffer)
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self._count += len(data)
        return len(data)

    def close(self) -> None:
        """Close the stream below too."""
        self._stream.close()
        super().close()


class Guarded(io.RawIOBase):
    """A stream of decompressed bytes that raises `InputError` where they are damaged or too many.

    `compressed` tells how many bytes they were before.
    """

    def __init__(self, stream: BinaryIO, compressed: Callable[[], int]) -> None:
        self._stream = stream
        self._compressed = compressed
        self._count = 0

    def buffered(self) -> BinaryIO:
        """This stream with a buffer."""
        return cast("BinaryIO", io.BufferedReader(self, 128 * 1024))

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Read, and check.

        Raises:
            InputError: the data are damaged or cut off, or grow like a bomb.
        """
        view = memoryview(buffer)
        try:
            data = self._stream.read(len(view))
        except _DAMAGE as error:
            raise InputError(f"the compressed data are damaged: {error}") from None
        view[: len(data)] = data
        self._count += len(data)
        if self._count > _MAX_UNTOLD_BYTES and self._count > _MAX_RATIO * self._compressed():
            raise InputError(f"the compressed data grow by more than {_MAX_RATIO} times")
        return len(data)

    def close(self) -> None:
        """Close the stream below too."""
        self._stream.close()
        super().close()
