"""CSV and TSV with a header, whatever the delimiter and the names of the columns."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.mapping import NAMES, raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["header", "is_table", "read_table"]

_DELIMITERS = ",\t;|"
_MAX_CELL_CHARACTERS = 16 * 1024 * 1024


def header(line: str) -> tuple[str, list[str]] | None:
    """Return (delimiter, column names) where the line is the header of a table of papers, else None.

    >>> header("Titel;Zusammenfassung;Jahr")
    (';', ['Titel', 'Zusammenfassung', 'Jahr'])
    >>> header("We propose X, a method.")
    """
    known = {name for field in ("title", "abstract") for name in NAMES[field]}
    for delimiter in _DELIMITERS:
        columns = next(csv.reader([line], delimiter=delimiter), [])
        if len(columns) > 1 and any(_plain(column) in known for column in columns):
            return delimiter, columns
    return None


def _plain(column: str) -> str:
    return "".join(filter(str.isalnum, column)).lower()


def is_table(head: Head) -> bool:
    """Whether the first line is the header of a table of papers."""
    return header(head.text.split("\n", 1)[0]) is not None


def read_table(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each row's paper, or (row number, reason) where it is none; the header is no row.

    Raises:
        InputError: the first line is not a header that names a title or an abstract.
    """
    csv.field_size_limit(_MAX_CELL_CHARACTERS)
    text = source.text()
    found = header(text.split("\n", 1)[0])
    if found is None:
        raise InputError("no header line that names a title or an abstract")
    delimiter, columns = found
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    next(rows)
    number = 0
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            number += 1
            yield NotAPaper(number, None, f"not a row of a table: {error}")
            continue
        if not any(cell.strip() for cell in row):
            continue
        number += 1
        if len(row) > len(columns):
            yield NotAPaper(number, None, f"{len(row)} cells in a row, {len(columns)} columns in the header")
            continue
        yield raw_paper(dict(zip(columns, row, strict=False)), number)
