"""The database of Zotero, ``zotero.sqlite`` (https://www.zotero.org/support/dev/client_coding/direct_sqlite_database_access).

It is opened read-only, also while Zotero is running and holds it locked. Each item is read as the JSON that
Zotero exports would hold it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.mapping import raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["is_zotero", "read_zotero"]

_MAGIC = b"SQLite format 3\0"
#: What hangs on an item is no record of its own.
_PARTS = ("attachment", "note", "annotation")
_TABLE_NAMES = "items itemTypes itemData itemDataValues fields deletedItems creators creatorTypes itemCreators"
_TABLES = frozenset(_TABLE_NAMES.split())
_ITEMS = """
    SELECT items.itemID, items.key, itemTypes.typeName,
           EXISTS (SELECT 1 FROM deletedItems WHERE deletedItems.itemID = items.itemID)
    FROM items JOIN itemTypes USING (itemTypeID)
    WHERE itemTypes.typeName NOT IN (?, ?, ?) ORDER BY items.itemID
"""
_FIELDS = """
    SELECT fields.fieldName, itemDataValues.value
    FROM itemData JOIN fields USING (fieldID) JOIN itemDataValues USING (valueID)
    WHERE itemData.itemID = ? ORDER BY fields.fieldID
"""
_CREATORS = """
    SELECT creatorTypes.creatorType, creators.firstName, creators.lastName
    FROM itemCreators JOIN creators USING (creatorID) JOIN creatorTypes USING (creatorTypeID)
    WHERE itemCreators.itemID = ? ORDER BY itemCreators.orderIndex
"""


def is_zotero(head: Head) -> bool:
    """Say whether this is an SQLite database."""
    return head.data.startswith(_MAGIC)


def read_zotero(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each item; attachments and notes are parts of items, and no records.

    Raises:
        InputError: the database is none of Zotero, is damaged, or is being written at this moment.
    """
    with source.on_disk() as path:
        try:
            with closing(_connected(path)) as database:
                yield from _records(database)
        except sqlite3.Error as error:
            told = " ".join(str(error).split())
            raise InputError(f"not a Zotero database that can be read ({told}); is Zotero writing to it?") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Connect read-only. A running Zotero keeps its database locked: then it is read as it stands on the disk."""
    try:
        return _opened(f"{path.resolve().as_uri()}?mode=ro")
    except sqlite3.OperationalError:
        return _opened(f"{path.resolve().as_uri()}?mode=ro&immutable=1")


def _opened(address: str) -> sqlite3.Connection:
    database = sqlite3.connect(address, uri=True, timeout=1.0)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        database.close()
        raise
    return database


def _records(database: sqlite3.Connection) -> Iterator[RawPaper | NotAPaper]:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables >= _TABLES:
        raise InputError("an SQLite database that is none of Zotero")
    for number, (item, key, kind, deleted) in enumerate(database.execute(_ITEMS, _PARTS), start=1):
        if deleted:
            yield NotAPaper(number, str(key), "in the trash of Zotero")
        else:
            yield raw_paper(_item(database, item, str(key), str(kind)), number)


def _item(database: sqlite3.Connection, item: int, key: str, kind: str) -> dict[str, Any]:
    fields = dict(database.execute(_FIELDS, (item,)).fetchall())
    creators = [
        {"creatorType": role, "firstName": first or "", "lastName": last or ""}
        for role, first, last in database.execute(_CREATORS, (item,))
    ]
    return {**fields, "key": key, "itemType": kind, "creators": creators}
