"""CSV and TSV, whatever the delimiter and the names of the columns; without a header the columns are told by
what they hold."""

from __future__ import annotations

import csv
import re
from itertools import islice
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.mapping import NAMES, plain_name, raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["header", "is_table", "read_table"]

_DELIMITERS = ",\t;|"
_MAX_CELL_CHARACTERS = 16 * 1024 * 1024
_SAMPLE_ROWS = 50
_SEPARATOR = re.compile(r"sep=(.)\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_TITLES = frozenset({*NAMES["title"], *NAMES["abstract"], "name", "paper"}) - {"resume", "summary"}


def header(line: str) -> tuple[str, list[str]] | None:
    """Return (delimiter, column names) where the line is the header of a table of papers, else None.

    >>> header("Titel;Zusammenfassung;Jahr")
    (';', ['Titel', 'Zusammenfassung', 'Jahr'])
    >>> header("We propose X, a method.")
    """
    for delimiter in _DELIMITERS if not line.startswith("|") else "":
        columns = next(csv.reader([line], delimiter=delimiter), [])
        if len(columns) > 1 and any(plain_name(column) in _TITLES for column in columns):
            return delimiter, columns
    return None


def is_table(head: Head) -> bool:
    """Whether the text is a table with a header that names a title or an abstract, or one whose rows are alike."""
    lines = _without_separator(head.lines)
    if not lines:
        return False
    return header(lines[0]) is not None or _headless(lines) is not None


def _without_separator(lines: Sequence[str]) -> list[str]:
    """The lines without empty ones at the head, and without Excel's ``sep=;``."""
    start = next((at for at, line in enumerate(lines) if line.strip() and not _SEPARATOR.match(line)), len(lines))
    return list(lines[start:])


def _headless(lines: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return (delimiter, names for the columns) of a table without a header, else None."""
    for delimiter in _DELIMITERS if not lines[0].startswith("|") else "":
        rows = list(islice(_rows(lines, delimiter), _SAMPLE_ROWS + 1))[:_SAMPLE_ROWS]
        width = max(map(len, rows), default=0)
        quoted = any(line.startswith('"') or f'{delimiter}"' in line for line in lines)
        if width > 1 and len(rows) > 1 and all(len(row) == width for row in rows) and (quoted or delimiter == "\t"):
            names = _names(rows)
            if "title" in names or "abstract" in names:
                return delimiter, names
    return None


def _rows(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_MAX_CELL_CHARACTERS)
    try:
        yield from (row for row in csv.reader((f"{line}\n" for line in lines), delimiter=delimiter) if any(row))
    except csv.Error:
        return


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Name the columns by what they hold: the longest text is the abstract, one of the length of a title the title."""
    columns = [[cell.strip() for cell in column] for column in zip(*rows, strict=True)]
    lengths = [sum(map(len, column)) / len(column) for column in columns]
    spaces = [sum(cell.count(" ") for cell in column) / len(column) for column in columns]
    names = [f"column {at}" for at in range(1, len(columns) + 1)]
    longest = max(range(len(columns)), key=lambda at: lengths[at])
    others = sorted(length for at, length in enumerate(lengths) if at != longest and spaces[at] >= 2)
    if lengths[longest] > 200 or (others and lengths[longest] > max(60, 2 * others[-1])):
        names[longest] = "abstract"
    for at, column in enumerate(columns):
        filled = [cell for cell in column if cell]
        if names[at] == "abstract" or not filled:
            continue
        if all(cell.startswith(("http://", "https://")) for cell in filled):
            names[at] = "url"
        elif all(_YEAR.fullmatch(cell) for cell in filled):
            names[at] = "year"
        elif "title" not in names and 15 <= lengths[at] <= 250 and spaces[at] >= 2:
            names[at] = "title"
        elif "id" not in names and len(set(filled)) == len(column) and not any(" " in cell for cell in filled):
            names[at] = "id"
    return names


def read_table(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each row's paper, or why it is none; the header is no row.

    Raises:
        InputError: the rows have no header that names a title or an abstract, and are not alike.
    """
    sample = _without_separator(list(islice(source.lines(), 2000)))
    found = (header(sample[0]) if sample else None) or _headless(sample)
    if found is None:
        raise InputError("no header line that names a title or an abstract, and rows that are not alike")
    delimiter, columns = found
    yield from _papers(source, delimiter, columns, has_header=header(sample[0]) is not None)


def _papers(
    source: Source, delimiter: str, columns: Sequence[str], *, has_header: bool
) -> Iterator[RawPaper | NotAPaper]:
    csv.field_size_limit(_MAX_CELL_CHARACTERS)
    number = -1 if has_header else 0
    for row in _mended_rows(source, delimiter, len(columns)):
        if isinstance(row, str):
            number += 1
            yield NotAPaper(number, None, f"not a row of a table: {row}")
            continue
        if not any(cell.strip() for cell in row):
            continue
        number += 1
        if number == 0:
            continue
        if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
            yield NotAPaper(number, None, f"{len(row)} cells in a row, {len(columns)} columns in the header")
            continue
        yield raw_paper(dict(zip(columns, row, strict=False)), number)


def _mended_rows(source: Source, delimiter: str, width: int) -> Iterator[list[str] | str]:
    """Yield each row, or why it is none. A quote that nothing closes makes one row of many: they are taken apart."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in source.lines():
            if not _SEPARATOR.match(line):
                taken.append(f"{line}\n")
                yield taken[-1]

    rows = csv.reader(lines(), delimiter=delimiter)
    while True:
        taken.clear()
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield str(error)
            continue
        whole = sum(line.count(delimiter) == width - 1 for line in taken)
        if len(taken) > 2 and width > 2 and 10 * whole >= 8 * len(taken):
            yield from csv.reader(taken, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        else:
            yield row
