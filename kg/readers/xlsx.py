"""Spreadsheets: XLSX, XLS and ODS. Each sheet that is a table is read as `kg.readers.table` reads CSV."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from itertools import dropwhile
from typing import TYPE_CHECKING

from python_calamine import CalamineError, CalamineWorkbook

from kg.errors import InputError
from kg.readers.mapping import NAMES, plain_name
from kg.readers.source import Source
from kg.readers.table import read_table
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime, time, timedelta
    from pathlib import Path

    from kg.readers.sniffing import Head
    from kg.readers.values import RawPaper

    _Cell = int | float | str | bool | time | date | datetime | timedelta

__all__ = ["is_spreadsheet", "read_spreadsheet"]

_MAGICS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MAX_BYTES = 1024**3
#: Rows in which a header is looked for, under the name of a list and notes on it.
_BANNER_ROWS = 20
_TITLES = frozenset({*NAMES["title"], *NAMES["abstract"]})


def is_spreadsheet(head: Head) -> bool:
    """Say whether this may be a spreadsheet: its bytes are those of an office document."""
    return head.data.startswith(_MAGICS)


def read_spreadsheet(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each row of each sheet; the library reads a sheet whole.

    Raises:
        InputError: the file is no spreadsheet, or no sheet is a table with a title or an abstract.
    """
    with source.on_disk() as path:
        _check(path)
        try:
            book = CalamineWorkbook.from_path(path)
        except (CalamineError, OSError, ValueError) as error:
            raise InputError(f"not a spreadsheet that can be read: {error}") from None
        with book:
            yield from _sheets(book)


def _check(path: Path) -> None:
    """Refuse a file that unpacks to more than memory may hold; XLS is no archive."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise InputError(f"not a spreadsheet that can be read: {error}") from None
    if size > _MAX_BYTES:
        raise InputError(f"the spreadsheet unpacks to {size:,} bytes, more than {_MAX_BYTES:,}")


def _sheets(book: CalamineWorkbook) -> Iterator[RawPaper | NotAPaper]:
    number = 0
    others: list[str] = []
    for name in book.sheet_names:
        try:
            rows = [row for row in book.get_sheet_by_name(name).iter_rows() if any(cell != "" for cell in row)]
            for record in read_table(_as_table(rows)) if rows else ():
                number += 1
                yield replace(record, number=number)
        except (CalamineError, ValueError) as error:
            number += 1
            yield NotAPaper(number, name, f"the sheet {name!r} cannot be read: {error}")
        except InputError:
            others.append(name)
    if not number:
        raise InputError("no sheet is a table with a title or an abstract")
    for name in others:
        number += 1
        yield NotAPaper(number, name, f"the sheet {name!r} is no table with a title or an abstract")


def _as_table(rows: Sequence[Sequence[_Cell]]) -> Source:
    """The rows of a sheet from its header on, as CSV."""
    texts = [[_text(cell) for cell in row] for row in rows]
    under_banner = list(dropwhile(lambda row: not _is_header(row), texts[:_BANNER_ROWS]))
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows((under_banner or texts[:_BANNER_ROWS]) + texts[_BANNER_ROWS:])
    data = written.getvalue().encode("utf-8", "replace")
    return Source("sheet", lambda: io.BytesIO(data))


def _is_header(row: Sequence[str]) -> bool:
    return sum(bool(cell) for cell in row) > 1 and any(plain_name(cell) in _TITLES for cell in row)


def _text(cell: _Cell) -> str:
    """The text of a cell; ``2025.0`` is a year, and a line break is one however it is written."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).replace("\r\n", "\n").replace("_x000D_", "")
