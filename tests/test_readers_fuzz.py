"""Damaged files of every format: no exception but those foreseen, and every record accounted for."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.readers import FORMATS, read
from kg.readers.inputs import sources
from kg.readers.reading import records
from kg.readers.values import Rejection

CORPORA = Path(__file__).resolve().parents[2] / "shared" / "corpora"
_MAX_BYTES = 120_000
_SECONDS_A_FILE = 20


def samples() -> list[Path]:
    """One small file of each folder and suffix, and all of the list in every format."""
    if not CORPORA.is_dir():
        return []
    chosen: dict[tuple[str, str], Path] = {}
    for path in sorted(CORPORA.rglob("*")):
        if path.is_file() and path.stat().st_size < _MAX_BYTES and path.parent != CORPORA:
            name = path.name if path.parent.name == "derived" else path.suffix
            chosen.setdefault((path.parent.name, name), path)
    return list(chosen.values())


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Damage some bytes: cut, repeat, move, overwrite, insert signs that mean something in some format."""
    signs = [
        b"\0",
        b"\xff",
        b"{",
        b"}",
        b'"',
        b"<",
        b">",
        b"&",
        b"]]>",
        b"\\",
        b"\n\n",
        b"@",
        b"-->",
        b"\xe2\x80",
        b"\t",
        b"0",
    ]
    for _ in range(chance.randint(1, 8)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice([1, 3, 30, 3000]))
        part = data[at:to]
        data = chance.choice(
            [
                data[:at] + data[to:],
                data[:at] + part + part + data[to:],
                data[:at] + bytes(chance.randrange(256) for _ in range(min(len(part), 20))) + data[to:],
                data[:at] + chance.choice(signs) * chance.choice([1, 1, 50]) + data[at:],
                data[: max(1, to)],
                data[at:] or data,
                data[:at] + part[::-1] + data[to:],
            ]
        )
    return data


def account(path: Path) -> None:
    """Read a file and check that each record is told once, in order."""
    start = time.monotonic()
    for source in sources([path]):
        last = 0
        for name, one, _ in records(source):
            number = one.record if isinstance(one, Rejection) else one.sources[0].record
            assert (number == 0) == (name == "")
            assert number == last + 1 or number == 0, f"record {number} after {last}"
            last = number or last
            if isinstance(one, Rejection):
                assert one.reason.strip()
                one.reason.encode("utf-8")
            else:
                assert one.title.strip() or one.abstract.strip()
                repr(one).encode("utf-8")
    assert time.monotonic() - start < _SECONDS_A_FILE


@pytest.mark.parametrize("path", samples(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_damaged_files(shared: Path, tmp_path: Path, path: Path) -> None:
    data = path.read_bytes()
    for seed in range(6):
        damaged = tmp_path / path.name
        damaged.write_bytes(mutated(data, random.Random(f"{path.name} {seed}")))
        account(damaged)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_file_read_as_any_format(shared: Path, form: str) -> None:
    for name in (
        "papers.jsonl",
        "awesome.md",
        "papers.bib",
        "papers.ris",
        "arxiv_atom.xml",
        "papers.xlsx",
        "papers.tsv",
    ):
        path = shared / "corpora" / "derived" / name
        try:
            reading = read([path], format=form)
        except InputError as error:
            assert path.as_posix() in str(error)
        else:
            assert reading.records == len(reading.papers) + reading.duplicates + len(reading.rejections)


STARTS = [
    b"",
    b"{",
    b"[",
    b'{"title": "A"}\n',
    b"@article{a, title=",
    b"TY  - JOUR\nTI  - ",
    b"%0 Journal Article\n%T ",
    b"PMID- 1\nTI  - ",
    b"<?xml version='1.0'?><feed>",
    b"<dblp>",
    b"<article>",
    b"# A\n- ",
    b"| Title |\n|---|\n|",
    b"title,abstract\n",
    b"---\ntitle: ",
    b"references:\n- id: ",
    b"PK\x03\x04",
    b"PAR1",
    b"SQLite format 3\0",
    b"\x1f\x8b\x08",
    b"BZh9",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"FN x\nVR 1\nPT J\nTI ",
    b"<!DOCTYPE html>",
    b"<TEI>",
    b"<OAI-PMH>",
]


@given(st.sampled_from(STARTS), st.binary(max_size=300))
@example(b"", b"\xff")
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "input"
    path.write_bytes(start + rest)
    account(path)


@given(st.sampled_from(STARTS), st.text(max_size=300))
def test_any_text(tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "input"
    path.write_bytes(start + rest.encode("utf-8", "surrogatepass"))
    account(path)


REPEATED = [
    "[",
    '{"a":',
    "<a>",
    "{",
    "- ",
    "> ",
    "((",
    "&amp;",
    "<b>",
    "**",
    "[x](",
    "$",
    "---\n",
    " ",
    "\n",
    "a ",
    "-",
    "|",
]
REPEATED += [
    "<!--",
    "<details>",
    ",",
    "\\",
    "proceedings of ",
    "A: ",
    "`",
    "Title: ",
    "A B, ",
    "\t",
    '"',
    "' ",
    "**a:** ",
    "é",
    "(2024) ",
]


@pytest.mark.parametrize("sign", REPEATED)
def test_much_of_the_same_takes_no_long_time(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "input"
    for before in ("", '{"title": "', "# A\n\n- ", "title,abstract\n", "@article{a, title={", "<article>"):
        path.write_text(before + sign * 20_000, encoding="utf-8")
        account(path)
