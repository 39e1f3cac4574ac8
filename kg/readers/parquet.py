"""Parquet (https://parquet.apache.org/docs/file-format/): a table of named columns, read batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arro3.io import read_parquet as open_parquet

from kg.errors import InputError
from kg.readers.mapping import raw_paper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper, RawPaper

__all__ = ["is_parquet", "read_parquet"]

_MAGIC = b"PAR1"
_SMALLEST = 12
_ROWS = 256


def is_parquet(head: Head) -> bool:
    """Say whether this is a Parquet file."""
    return head.data.startswith(_MAGIC)


def read_parquet(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each row; columns may hold lists and structures.

    Raises:
        InputError: the file is cut off or damaged.
    """
    with source.on_disk() as path:
        _check(path)
        for number, row in enumerate(_rows(path), start=1):
            yield raw_paper(row, number)


def _check(path: Path) -> None:
    """Tell a file that is cut off before the library meets it: its index stands at the end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 2 * len(_MAGIC)))
        length, magic = int.from_bytes(file.read(len(_MAGIC)), "little"), file.read()
    if size < _SMALLEST or magic != _MAGIC or length > size - _SMALLEST:
        raise InputError("the Parquet file is cut off: it does not end in an index of its columns")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        for batch in open_parquet(path, batch_size=_ROWS):
            names = batch.column_names
            columns = [batch.column(index) for index in range(len(names))]
            for at in range(batch.num_rows):
                yield {name: column[at].as_py() for name, column in zip(names, columns, strict=True)}
    except BaseException as error:
        # arro3 raises plain Exception, and a panic of its Rust code, which is none, where the index is damaged.
        if type(error) is Exception or type(error).__name__ == "PanicException":
            told = " ".join(str(error).split())[:200]
            raise InputError(f"the Parquet file is damaged: {told}") from None
        raise
