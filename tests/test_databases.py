"""Parquet, spreadsheets and the database of Zotero: made here, read back, locked, cut off and damaged."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from arro3.core import Array, DataType, Table, list_array
from arro3.io import write_parquet

from kg.errors import InputError
from kg.readers import read
from kg.readers.parquet import read_parquet
from kg.readers.source import Source
from kg.readers.values import NotAPaper, RawPaper
from kg.readers.xlsx import read_spreadsheet
from kg.readers.zotero_sqlite import read_zotero
from tests.sources import Reader


def on_disk(path: Path) -> Source:
    return Source(path.as_posix(), lambda: path.open("rb"), path)


def in_memory(path: Path) -> Source:
    """A source that has no path, as a member of an archive has none."""
    return Source("archive.zip/member", lambda: path.open("rb"))


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "papers.parquet"
    people = Array(["Ada Lovelace", "Turing, Alan"] * 600, DataType.string())
    table = Table.from_pydict(
        {
            "paper_id": Array([f"id{n}" for n in range(600)], DataType.string()),
            "Title": Array([f"On X{n}" for n in range(599)] + [None], DataType.string()),
            "abstract": Array(["We do."] * 600, DataType.large_string()),
            "authors": list_array(Array(range(0, 1202, 2), DataType.int32()), people),
            "year": Array([2020] * 600, DataType.int64()),
        }
    )
    write_parquet(table, path, compression="zstd(3)", max_row_group_size=250)
    return path


@pytest.mark.parametrize("source", [on_disk, in_memory])
def test_parquet(parquet: Path, source: type) -> None:
    found = list(read_parquet(source(parquet)))
    assert [one.number for one in found] == list(range(1, 601))
    assert found[7] == RawPaper(8, "id7", "On X7", "We do.", authors=("Ada Lovelace", "Alan Turing"), year=2020)
    assert isinstance(found[-1], RawPaper)
    assert found[-1].title == ""


def test_parquet_that_is_cut_off_says_so(parquet: Path) -> None:
    whole = parquet.read_bytes()
    for size in (4, 8, 11, 1000, len(whole) - 1):
        parquet.write_bytes(whole[:size])
        with pytest.raises(InputError, match="the Parquet file is cut off"):
            list(read_parquet(on_disk(parquet)))


def test_parquet_that_is_damaged_says_so(parquet: Path) -> None:
    whole = parquet.read_bytes()
    index = int.from_bytes(whole[-8:-4], "little")
    for start in (4, len(whole) - 8 - index):
        parquet.write_bytes(whole[:start] + b"\xff" * 200 + whole[start + 200 :])
        with pytest.raises(InputError, match="the Parquet file is damaged: "):
            list(read_parquet(on_disk(parquet)))


Cell = str | int | float | None


def write_xlsx(path: Path, sheets: dict[str, list[list[Cell]]]) -> Path:
    """Write a spreadsheet with the parts that Office Open XML (ECMA-376) asks for, and no more."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def cell(value: Cell, at: str) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
        return f'<c r="{at}"><v>{value}</v></c>'

    def rows(table: list[list[Cell]]) -> Iterator[str]:
        for number, row in enumerate(table, start=1):
            cells = "".join(cell(value, f"{chr(65 + at)}{number}") for at, value in enumerate(row))
            yield f'<row r="{number}">{cells}</row>'

    names = [f"sheet{n}" for n in range(1, len(sheets) + 1)]
    entries = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, start=1))
    targets = "".join(
        f'<Relationship Id="r{n}" Type="{relations}/worksheet" Target="worksheets/{name}.xml"/>'
        for n, name in enumerate(names, start=1)
    )
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/{name}.xml" ContentType="{kind}.worksheet+xml"/>' for name in names
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{kind}.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{targets}</Relationships>',
    }
    for name, table in zip(names, sheets.values(), strict=True):
        parts[f"xl/worksheets/{name}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{"".join(rows(table))}</sheetData></worksheet>'
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("source", [on_disk, in_memory])
def test_each_sheet_of_a_spreadsheet_is_a_table(tmp_path: Path, source: type) -> None:
    header: list[Cell] = ["ID", "Paper Title", "Abstract", "Year", "Authors"]
    path = write_xlsx(
        tmp_path / "papers.xlsx",
        {
            "Posters": [
                ["Accepted papers"],
                [None],
                header,
                [1, 'On "X", Y\nand Z', "We do; we  do.", 2020, "Ada Lovelace; Alan Turing"],
                [None, None],
                [2, None, None, 2021.0],
            ],
            "Notes": [["Ask Ada"], ["by Monday"]],
            "Empty": [],
            "Orals": [header, [3, "On V", "", 2022]],
        },
    )
    first, second, third, notes = read_spreadsheet(source(path))
    assert first == RawPaper(
        1, "1", 'On "X", Y\nand Z', "We do; we  do.", authors=("Ada Lovelace", "Alan Turing"), year=2020
    )
    assert isinstance(second, RawPaper)
    assert (second.number, second.id, second.title, second.year) == (2, "2", "", 2021)
    assert isinstance(third, RawPaper)
    assert (third.number, third.title, third.year) == (3, "On V", 2022)
    assert notes == NotAPaper(4, "Notes", "the sheet 'Notes' is no table with a title or an abstract")


def test_a_spreadsheet_without_a_table_says_so(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", {"A": [["Ask Ada"], ["by Monday"]]})
    with pytest.raises(InputError, match="no sheet is a table with a title or an abstract"):
        read([path])


def test_a_document_that_is_no_spreadsheet_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>")
    with pytest.raises(InputError, match="not a spreadsheet that can be read"):
        read([path])


def test_a_spreadsheet_that_unpacks_to_more_than_memory_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.readers.xlsx._MAX_BYTES", 100_000)
    path = write_xlsx(tmp_path / "a.xlsx", {"A": [["Title"], ["x" * 200_000]]})
    with pytest.raises(InputError, match=r"unpacks to .* bytes, more than 100,000"):
        list(read_spreadsheet(on_disk(path)))


def test_a_spreadsheet_that_is_cut_off_says_so(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "a.xlsx", {"A": [["Title", "Year"], ["On X", 2020]]})
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="not a spreadsheet that can be read"):
        list(read_spreadsheet(on_disk(path)))


#: The tables of https://github.com/zotero/zotero/tree/main/resource/schema (userdata.sql, system.sql) that hold items.
ZOTERO = """
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT, display INT DEFAULT 1);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
    dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL,
    version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1,
    orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex));
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
INSERT INTO libraries VALUES (1, 'user', 1);
INSERT INTO itemTypes VALUES (1, 'note', NULL, 0), (3, 'attachment', NULL, 1), (11, 'conferencePaper', NULL, 2),
    (31, 'preprint', NULL, 2), (7, 'book', NULL, 2), (37, 'annotation', NULL, 0);
INSERT INTO fields VALUES (1, 'title', NULL), (2, 'abstractNote', NULL), (6, 'date', NULL), (13, 'url', NULL),
    (57, 'proceedingsTitle', NULL), (58, 'DOI', NULL), (16, 'extra', NULL), (7, 'language', NULL);
INSERT INTO creatorTypes VALUES (1, 'author'), (3, 'editor');
INSERT INTO creators VALUES (1, 'Ada', 'Lovelace', 0), (2, '', 'The X Group', 1), (3, 'An', 'Editor', 0);
INSERT INTO items (itemID, itemTypeID, libraryID, key) VALUES (1, 11, 1, 'AAAA1111'), (2, 3, 1, 'BBBB2222'),
    (3, 1, 1, 'CCCC3333'), (4, 31, 1, 'DDDD4444'), (5, 11, 1, 'EEEE5555'), (6, 37, 1, 'FFFF6666'),
    (7, 7, 1, 'GGGG7777');
INSERT INTO itemDataValues VALUES (1, 'On X'), (2, 'We do.'), (3, '2020-03-00 March 2020'), (4, 'Proceedings of X'),
    (5, '10.1234/X'), (6, 'On Y'), (7, 'arXiv:2401.00001 [cs]'), (8, 'a.pdf'), (9, 'A Book'), (10, 'https://x.org/a');
INSERT INTO itemData VALUES (1, 1, 1), (1, 2, 2), (1, 6, 3), (1, 57, 4), (1, 58, 5), (1, 13, 10), (2, 1, 8), (4, 1, 6),
    (4, 16, 7), (5, 1, 6), (7, 1, 9);
INSERT INTO itemCreators VALUES (1, 2, 1, 1), (1, 1, 1, 0), (1, 3, 3, 2);
INSERT INTO itemAttachments VALUES (2, 1, 0, 'application/pdf', 'storage:a.pdf');
INSERT INTO itemNotes VALUES (3, 1, '<p>Note</p>', 'Note');
INSERT INTO deletedItems (itemID) VALUES (5);
"""


@pytest.fixture
def zotero(tmp_path: Path) -> Path:
    path = tmp_path / "a #library?" / "zotero.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(ZOTERO)
    return path


@pytest.mark.parametrize("source", [on_disk, in_memory])
def test_zotero(zotero: Path, source: type) -> None:
    first, second, deleted, book = read_zotero(source(zotero))
    assert first == RawPaper(
        number=1,
        id="AAAA1111",
        title="On X",
        abstract="We do.",
        authors=("Ada Lovelace", "The X Group"),
        venue="Proceedings of X",
        year=2020,
        url="https://x.org/a",
        identifiers=(("doi", "10.1234/x"),),
        kind="conferencePaper",
    )
    assert isinstance(second, RawPaper)
    assert (second.title, dict(second.identifiers).get("arxiv"), second.kind) == ("On Y", "2401.00001", "preprint")
    assert deleted == NotAPaper(3, "EEEE5555", "in the trash of Zotero")
    assert isinstance(book, RawPaper)
    assert book.kind == "book"


def test_zotero_is_read_while_it_is_running_and_is_not_touched(zotero: Path) -> None:
    with closing(sqlite3.connect(zotero, isolation_level=None)) as running:
        running.execute("PRAGMA locking_mode = EXCLUSIVE")
        running.execute("BEGIN EXCLUSIVE")
        before = (zotero.read_bytes(), sorted(path.name for path in zotero.parent.iterdir()))
        reading = read([zotero])
        assert (zotero.read_bytes(), sorted(path.name for path in zotero.parent.iterdir())) == before
        running.execute("ROLLBACK")
    assert sorted(paper.title for paper in reading.papers) == ["On X", "On Y"]
    assert [(one.record, one.reason) for one in reading.rejections] == [
        (3, "in the trash of Zotero"),
        (4, "not a paper: a book"),
    ]


def test_another_database_and_a_damaged_one_say_so(zotero: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE items (itemID)")
    with pytest.raises(InputError, match="an SQLite database that is none of Zotero"):
        read([other])
    whole = zotero.read_bytes()
    with closing(sqlite3.connect(zotero)) as database:
        database.execute("ALTER TABLE items RENAME TO things")
        database.execute("CREATE VIEW items AS SELECT * FROM things")
        database.commit()
    with pytest.raises(InputError, match="an SQLite database that is none of Zotero"):
        read([zotero])
    for damaged in (whole[:1000], whole[:4096] + b"\xff" * (len(whole) - 4096)):
        zotero.write_bytes(damaged)
        with pytest.raises(InputError, match="not a Zotero database that can be read"):
            read([zotero])


@pytest.mark.parametrize("read_format", [read_parquet, read_spreadsheet, read_zotero])
def test_bytes_of_another_kind_say_so(tmp_path: Path, read_format: Reader) -> None:
    path = tmp_path / "a"
    for content in (b"", b"x", b"PAR1", b"PK\x03\x04", b"SQLite format 3\0", b"We do.\n" * 999):
        path.write_bytes(content)
        with pytest.raises(InputError):
            list(read_format(on_disk(path)))
