"""One stream of records to read: a file, standard input, or a member of an archive, as bytes or as text.

A `Source` can be opened any number of times: its head is read to tell its format, then all of it to read the
records. Bytes come decompressed, text comes decoded and with ``\\n`` at the end of each line; both stream.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.decoding import decoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO, TextIO

__all__ = ["HEAD_BYTES", "MAX_LINE_CHARACTERS", "Source"]

HEAD_BYTES = 64 * 1024
MAX_LINE_CHARACTERS = 64 * 1024 * 1024


@dataclass(frozen=True)
class Source:
    """A stream of records and the name under which the report knows it.

    `name` is the input as it was given; a file in a folder or an archive has the path inside behind it:
    ``papers.zip/papers/papers.bib``. `opener` gives the decompressed bytes anew at each call. `path` is the
    file on disk where its bytes are those of the source: not for standard input, members of archives and
    compressed files.
    """

    name: str
    opener: Callable[[], BinaryIO]
    path: Path | None = None

    @property
    def suffix(self) -> str:
        """The ending of the name in lower case, that of a compression left out: ``.bib`` for ``a.bib.gz``."""
        path = PurePosixPath(self.name.lower())
        return PurePosixPath(path.stem).suffix if path.suffix in _COMPRESSIONS else path.suffix

    def open_binary(self) -> BinaryIO:
        """Open the decompressed bytes as a stream, which may not be seekable.

        Raises:
            InputError: the file is not there or cannot be read; also while reading, where it is damaged.
        """
        return self.opener()

    @cached_property
    def head(self) -> bytes:
        """The first `HEAD_BYTES` bytes."""
        try:
            with self.open_binary() as stream:
                return stream.read(HEAD_BYTES)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}") from None

    def open_text(self) -> TextIO:
        """Open the text as a stream: decoded as `kg.readers.decoding` tells, each line end as ``\\n``.

        Raises:
            InputError: as `open_binary`, and where the bytes are not text.
        """
        encoding, errors = decoder(self.head)
        return io.TextIOWrapper(self.open_binary(), encoding=encoding, errors=errors, newline=None)

    def lines(self) -> Iterator[str]:
        """Yield each line of the text without its end.

        Raises:
            InputError: as `open_text`, and where a line is longer than `MAX_LINE_CHARACTERS`.
        """
        with self.open_text() as stream:
            while line := stream.readline(MAX_LINE_CHARACTERS):
                if len(line) == MAX_LINE_CHARACTERS:
                    raise InputError(f"a line of more than {MAX_LINE_CHARACTERS:,} characters")
                yield line.removesuffix("\n")

    def text(self) -> str:
        """Return all of the text, for formats whose files hold one record or are read whole by their library.

        Raises:
            InputError: as `open_text`.
        """
        with self.open_text() as stream:
            return stream.read()

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Yield a path to the bytes, for libraries that need a file; a temporary copy where there is none."""
        if self.path is not None:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="kg-", ignore_cleanup_errors=True) as folder:
            copy = Path(folder, "source")
            with self.open_binary() as stream, copy.open("wb") as file:
                shutil.copyfileobj(stream, file)
            yield copy


_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
