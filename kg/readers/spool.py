"""Records kept on disk while they are read, and made into papers: memory does not grow with the input.

The records lie in a temporary SQLite database that goes away with its connection; in memory there is one
integer a record, which says with which others it is one paper.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from kg.model import Paper, Source
from kg.readers.handles import SURE, handles, one_paper
from kg.readers.identity import merged, text_key
from kg.readers.values import Rejection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Spool", "Stored"]

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = FILE;
PRAGMA cache_size = -16384;
CREATE TABLE record (number INTEGER PRIMARY KEY, value TEXT NOT NULL, english INTEGER NOT NULL);
CREATE TABLE handle (kind INTEGER NOT NULL, handle INTEGER NOT NULL, record INTEGER NOT NULL);
CREATE TABLE grouped (root INTEGER NOT NULL, record INTEGER NOT NULL);
CREATE TABLE united (key TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE paper (number INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE rejection (file TEXT NOT NULL, record INTEGER NOT NULL, value TEXT NOT NULL);
CREATE TABLE rejected (number INTEGER PRIMARY KEY, value TEXT NOT NULL);
"""
T = TypeVar("T")


class Stored(Sequence[T], Generic[T]):
    """A sequence whose items lie in the database; it can be iterated any number of times."""

    def __init__(self, database: sqlite3.Connection, table: str, loads: Callable[[str], T]) -> None:
        self._database = database
        self._table = table
        self._loads = loads
        self._length: int = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own name

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for (value,) in self._database.execute(f"SELECT value FROM {self._table} ORDER BY number"):  # noqa: S608
            yield self._loads(value)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        number = range(len(self))[index]
        query = f"SELECT value FROM {self._table} WHERE number = ?"  # noqa: S608
        return self._loads(self._database.execute(query, (number + 1,)).fetchone()[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return id(self)


class Spool:
    """Takes records and rejections one by one, then gives the papers sorted by key and the rejections in order."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        self._database.executescript(_SCHEMA)
        self._database.execute("BEGIN")
        self.records = 0
        #: How many papers no record of which is English; known once there are papers.
        self.not_english = 0

    def add(self, record: Paper, *, english: bool = True) -> None:
        """Keep a record that is a paper, and whether it is English."""
        self._database.execute("INSERT INTO record VALUES (?, ?, ?)", (self.records, _dumps(record), english))
        rows = [(kind, handle, self.records) for kind, handle in handles(record)]
        self._database.executemany("INSERT INTO handle VALUES (?, ?, ?)", rows)
        self.records += 1

    def reject(self, rejection: Rejection) -> None:
        """Keep a rejection."""
        value = json.dumps((rejection.file, rejection.record, rejection.key, rejection.reason))
        self._database.execute("INSERT INTO rejection VALUES (?, ?, ?)", (rejection.file, rejection.record, value))

    def rejections(self) -> Stored[Rejection]:
        """Return all rejections, by file and number."""
        self._database.execute("DELETE FROM rejected")
        self._database.execute("INSERT INTO rejected (value) SELECT value FROM rejection ORDER BY file, record, value")
        return Stored(self._database, "rejected", lambda value: Rejection(*json.loads(value)))

    def papers(self) -> Stored[Paper]:
        """Return one paper for all records that are one, by key; an id that two papers claim is replaced by the key.

        The result depends on the set of records alone, never on their order.
        """
        roots = self._roots()
        rows = ((root, record) for record, root in enumerate(roots))
        self._database.executemany("INSERT INTO grouped VALUES (?, ?)", rows)
        united = self._database.cursor()
        for paper in self._united():
            united.execute("INSERT INTO united VALUES (?, ?, ?)", (paper.key, paper.id, _dumps(paper)))
        self._database.execute("CREATE INDEX keys ON united (key)")
        for (rowid,) in self._database.execute(
            "SELECT rowid FROM united WHERE key IN (SELECT key FROM united GROUP BY key HAVING count(*) > 1)"
        ).fetchall():
            self._tell_apart(rowid)
        self._database.execute(
            "CREATE TABLE claim AS SELECT name, count(*) AS claims FROM (SELECT key AS name FROM united "
            "UNION ALL SELECT id AS name FROM united WHERE id <> key) GROUP BY name"
        )
        self._database.execute("CREATE INDEX names ON claim (name)")
        query = "SELECT value, claims FROM united JOIN claim ON claim.name = united.id ORDER BY key"
        for value, claims in self._database.execute(query):
            paper = _loads(value)
            kept = paper if claims == 1 else replace(paper, id=paper.key)
            united.execute("INSERT INTO paper (value) VALUES (?)", (_dumps(kept),))
        for table in ("record", "handle", "grouped", "united", "claim"):
            self._database.execute(f"DROP TABLE {table}")
        return Stored(self._database, "paper", _loads)

    def _tell_apart(self, rowid: int) -> None:
        """Give a paper that shares its key (an address of many papers) the key of its own text."""
        row = self._database.execute("SELECT value FROM united WHERE rowid = ?", (rowid,)).fetchone()
        paper = _loads(row[0])
        key = text_key(paper.title, paper.abstract, *paper.authors)
        told = replace(paper, key=key, id=key if paper.id == paper.key else paper.id)
        query = "UPDATE united SET key = ?, id = ?, value = ? WHERE rowid = ?"
        self._database.execute(query, (told.key, told.id, _dumps(told), rowid))

    def _united(self) -> Iterator[Paper]:
        rows = self._database.execute(
            "SELECT root, value, english FROM grouped JOIN record ON record.number = grouped.record ORDER BY root"
        )
        for _, group in groupby(rows, itemgetter(0)):
            members = [(_loads(value), english) for _, value, english in group]
            self.not_english += not any(english for _, english in members)
            yield merged([member for member, _ in members])

    def _roots(self) -> array[int]:
        """Say of each record by which record its paper goes."""
        parent = array("q", range(self.records))

        def root(record: int) -> int:
            while parent[record] != record:
                parent[record] = parent[parent[record]]
                record = parent[record]
            return record

        rows = self._database.execute("SELECT kind, handle, record FROM handle ORDER BY kind, handle, record")
        for (kind, _), group in groupby(rows, itemgetter(0, 1)):
            members = [record for _, _, record in group]
            if len(members) == 1:
                continue
            for one, other in self._pairs(kind, members):
                parent[root(members[one])] = root(members[other])
        return array("q", map(root, range(self.records)))

    def _pairs(self, kind: int, members: list[int]) -> Iterator[tuple[int, int]]:
        if kind == SURE:
            return ((0, index) for index in range(1, len(members)))
        return one_paper(kind, (self._record(number) for number in members))

    def _record(self, number: int) -> Paper:
        query = "SELECT value FROM record WHERE number = ?"
        return _loads(self._database.execute(query, (number,)).fetchone()[0])


def _dumps(paper: Paper) -> str:
    values = (
        paper.key,
        paper.id,
        paper.title,
        paper.abstract,
        paper.body,
        paper.authors,
        paper.venue,
        paper.year,
        paper.url,
        paper.identifiers,
        [(source.file, source.record) for source in paper.sources],
    )
    return json.dumps(values)


def _loads(value: str) -> Paper:
    key, id_, title, abstract, body, authors, venue, year, url, identifiers, sources = json.loads(value)
    return Paper(
        key=key,
        id=id_,
        title=title,
        abstract=abstract,
        body=tuple(body),
        authors=tuple(authors),
        venue=venue,
        year=year,
        url=url,
        identifiers=tuple((scheme, found) for scheme, found in identifiers),
        sources=tuple(Source(file, record) for file, record in sources),
    )
