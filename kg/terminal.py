"""What a person sees on a terminal: progress bars on standard error, tables on standard output."""

from __future__ import annotations

import csv
import errno
import json
import os
import sys
from contextlib import contextmanager
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, TypeVar

import rich.box
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.table import Table as RichTable
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kg.stores import NamedQuery, Table

__all__ = ["NOBODY_READS", "Bars", "bars", "drop_output", "named_queries", "prepare", "table"]

T = TypeVar("T")

NOBODY_READS = 141
"""The exit status of a program whose output nobody reads any more: a shell shows it of one that a closed pipe ends."""

_NARROWEST = 30
"""Into how many characters a column of long texts may be pressed: some four words a line."""


class _Stream(TextIOWrapper):
    """Standard output or error. Where whoever reads it has left (`kg … | head`), the program ends and says nothing."""

    def write(self, text: str) -> int:
        """Write text."""
        with _ending():
            return super().write(text)

    def flush(self) -> None:
        """Write what waits."""
        with _ending():
            super().flush()


@contextmanager
def _ending() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        # Windows tells a closed pipe as an invalid argument.
        if not (isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)):
            raise
        drop_output()
        raise SystemExit(NOBODY_READS) from None


def drop_output() -> None:
    """Send what is still to be written nowhere: it cannot be written, and the end of the program would try again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, _Stream):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def prepare() -> None:
    """Write UTF-8 whatever the console's code page, so that no name of a paper can break a command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            mine = _Stream(stream.buffer, encoding="utf-8", errors="replace", line_buffering=stream.line_buffering)
            setattr(sys, name, mine)


class Bars:
    """Progress as bars; implements `kg.progress.Progress`."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown
        self._step = shown.add_task("", total=None, visible=False)

    def track(self, items: Iterable[T], description: str, total: int) -> Iterable[T]:
        """Pass the items through, one step of the bar each."""
        self._shown.update(self._step, visible=False)
        return self._shown.track(items, total=total, description=description)

    def step(self, description: str) -> None:
        """Name the step that begins, with a spinner."""
        self._shown.update(self._step, description=description, visible=True)

    def count(self, description: str) -> Callable[[int, int], None]:
        """Return a function of (done, total) that moves a bar of its own."""
        task = self._shown.add_task(description, total=None)

        def move(done: int, total: int) -> None:
            self._shown.update(task, completed=done, total=total)

        return move


@contextmanager
def bars() -> Iterator[Bars]:
    """Show bars while the block runs; nothing where standard error is no terminal."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield Bars(shown)


def table(answers: Table, form: str) -> None:
    """Write the answers of a query as a table to read, as CSV (RFC 4180) or as JSON (a list of objects)."""
    if form == "json":
        rows = [dict(zip(answers.columns, row, strict=True)) for row in answers.rows]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    elif form == "csv":
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(answers.columns)
        writer.writerows([_cell(value) for value in row] for row in answers.rows)
        sys.stdout.write(text.getvalue())
    else:
        _print(answers.columns, [[_cell(value) for value in row] for row in answers.rows])
        count = len(answers.rows)
        sys.stdout.write(f"{count} row{'' if count == 1 else 's'}\n")


def _print(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows as a table, or, where its columns would be too narrow to read, each row as a record of its own."""
    console = Console()
    cells = list(zip(columns, *rows, strict=True))
    widths = [max(map(_width, column)) for column in cells]
    # A word that is broken, such as an IRI, can be neither read nor copied.
    words = [max(map(_width, " ".join(column).split()), default=0) for column in cells]
    least = [max(min(width, _NARROWEST), word) for width, word in zip(widths, words, strict=True)]
    if rows and sum(least) + 3 * len(columns) + 1 > console.width:
        _print_records(console, columns, rows)
        return
    shown = RichTable(box=rich.box.SIMPLE_HEAD)
    for column, width, enough in zip(columns, widths, least, strict=True):
        shown.add_column(Text(column), min_width=enough, no_wrap=width == enough)
    for row in rows:
        shown.add_row(*map(Text, row))
    console.print(shown)


def _print_records(console: Console, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    for number, row in enumerate(rows, start=1):
        record = RichTable.grid(padding=(0, 2, 0, 0))
        record.add_column(no_wrap=True)
        record.add_column(overflow="fold")
        for column, value in zip(columns, row, strict=True):
            record.add_row(Text(column), Text(value))
        console.print(Rule(Text(str(number)), align="left", style="none"), record)


def _width(text: str) -> int:
    return max(map(cell_len, text.splitlines()), default=0)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return "; ".join(map(_cell, value))
    return str(value)


def named_queries(queries: Iterable[NamedQuery]) -> None:
    """List the named queries with what they answer and which parameters they take."""
    columns = ("query", "answers", "parameters")
    _print(columns, [(one.name, one.description, ", ".join(p.name for p in one.parameters)) for one in queries])
