"""Real files with holes, doubled pieces and foreign bytes: no reader raises anything but an input error."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.readers.formats import FORMATS
from kg.readers.source import Source
from kg.readers.values import NotAPaper, RawPaper
from tests.sources import source

MAX_BYTES = 60_000
SECONDS_A_FORMAT = 2.0
FOREIGN = (
    *(bytes([sign]) for sign in b"<>&\"'{}\\@%$\0\r"),
    *(b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", "İ２²".encode(), b"\n\n"),
    *(b"<!--", b"]]>", b"<![CDATA[", b"<!DOCTYPE x [", b"&#xD800;", b"&#0;", b"</entry>", b"<article>", b"<sup>"),
    *(b"@x{y,", b"TY  - \n", b"ER  - \n", b"%0 ", b"PMID- "),
)

#: Files of the corpora by the format that reads them.
FILES = {
    "acl-xml": "acl-anthology/*.xml",
    "arxiv-atom": "arxiv-atom-xml/*.xml",
    "bibtex": "*/*.bib",
    "crossref-xml": "crossref-xml/*.xml",
    "dblp": "dblp-xml/*.xml",
    "endnote": "derived/*.enw",
    "jats": "*/*jats*",
    "nbib": "derived/*.nbib",
    "oai": "arxiv-oai/*.xml",
    "parquet": "derived/*.parquet",
    "pubmed-xml": "pubmed-xml/*.xml",
    "ris": "*/*.ris",
    "spreadsheet": "derived/*.xlsx",
    "tei": "grobid-tei/*.xml",
    "wos": "ris/*wos*",
}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with up to ten changes: a hole, a doubled or moved piece, foreign or single other bytes, a cut."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 10)):
        at = chance.randrange(len(changed) + 1)
        end = at + chance.choice((1, 3, 40, 2_000))
        match chance.randrange(6):
            case 0:
                del changed[at:end]
            case 1:
                changed[at:at] = changed[at:end]
            case 2:
                changed[at:at] = chance.choice(FOREIGN)
            case 3:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 4:
                piece = changed[at:end]
                del changed[at:end]
                to = chance.randrange(len(changed) + 1)
                changed[to:to] = piece
            case _:
                if chance.random() < 0.1:
                    del changed[at:]
    return bytes(changed)


def check(format_name: str, one: Source) -> None:
    found: list[RawPaper | NotAPaper] = []
    try:
        found.extend(FORMATS[format_name].read(one))
    except InputError as error:
        assert str(error).strip()
    assert sorted(record.number for record in found) == list(range(1, len(found) + 1))
    for record in found:
        assert isinstance(record, RawPaper | NotAPaper)
        if isinstance(record, RawPaper):
            assert record.year is None or 1000 <= record.year < 2100
            assert all(author.strip() for author in record.authors)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_mutated_file_raises_nothing_else(shared: Path, name: str) -> None:
    files = [path.read_bytes()[:MAX_BYTES] for path in sorted((shared / "corpora").glob(FILES[name]))]
    assert files
    if name in {"parquet", "spreadsheet"}:
        files = [path.read_bytes() for path in sorted((shared / "corpora").glob(FILES[name]))]
    until = time.monotonic() + SECONDS_A_FORMAT
    seed = 0
    while time.monotonic() < until:
        chance = random.Random(f"{name} {seed}")
        check(name, source(mutated(chance.choice(files), chance)))
        seed += 1
    assert seed > 5


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_file_of_another_format_raises_nothing_else(shared: Path, name: str) -> None:
    for pattern in FILES.values():
        path = min((shared / "corpora").glob(pattern), key=lambda one: (one.stat().st_size, one.name))
        check(name, source(path.read_bytes()[:MAX_BYTES], path.name))
