"""Real files of every format: what the manifest says they hold, and one list in all formats."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from kg.model import Paper
from kg.readers import read
from kg.readers.inputs import sources
from kg.readers.reading import records
from kg.readers.spool import Spool
from kg.readers.values import Rejection

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPORA = SHARED / "corpora"
ROOT = Path(__file__).resolve().parents[1]

#: Where a file gives other numbers than the manifest, as (records, papers, with abstract, unique): found by
#: looking at the file, with the reason.
PINNED: dict[str, tuple[int, int, int, int | None]] = {
    # A withdrawn paper is refused, as the manifest allows: 199.
    "arxiv-kaggle-sample/arxiv-metadata-oai-snapshot.json": (200, 199, 199, None),
    # Two of the three workshops have titles that no one could tell from those of papers.
    "neurips2025-tsv/neurips_2025_top_papers.csv": (50, 49, 0, None),
    # Eight @generic entries have journal, pages and DOI: articles, by what the manifest goes by for @book and @manual.
    "messy/web_page_and_other_mendeley_idiocy.bib": (512, 281, 207, 277),
}
#: Read in a process of its own, which tells how much memory it took.
LONG = "abstracts_80k.jsonl.xz"
READ_LONG = """
import sys
from kg.readers import read
from tests.memory import peak
reading = read([sys.argv[1]])
abstracts = sum(1 for paper in reading.papers if paper.abstract)
print(reading.records, len(reading.papers), len(reading.rejections), reading.duplicates, abstracts)
print(peak())
"""


@dataclass(frozen=True)
class Row:
    path: str
    format: str
    records: int
    papers: int
    with_abstract: int
    unique: int | None


def manifest() -> list[Row]:
    path = CORPORA / "MANIFEST.tsv"
    if not path.is_file():
        return []
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            name, form, count, papers, with_abstract, note = line.split("\t")
            unique = re.search(r"\bunique=(\d+)", note)
            numbers = (int(count), int(papers), int(with_abstract), int(unique.group(1)) if unique else None)
            rows.append(Row(name, form, *PINNED.get(name, numbers)))
    return rows


def numbers(path: Path) -> tuple[int, int, int, int]:
    """(records, papers, with abstract, papers left after merging repeats) of a file."""
    count = papers = with_abstract = 0
    spool = Spool()
    for source in sources([path]):
        for one in (record.result for record in records(source)):
            if isinstance(one, Rejection):
                count += one.record > 0
            else:
                count += 1
                papers += 1
                with_abstract += bool(one.abstract.strip())
                spool.add(one)
    return count, papers, with_abstract, len(spool.papers())


@pytest.mark.parametrize("row", [row for row in manifest() if row.path != LONG], ids=lambda row: row.path)
def test_a_file_holds_what_the_manifest_says(shared: Path, row: Row) -> None:
    count, papers, with_abstract, unique = numbers(shared / "corpora" / row.path)
    if row.format == "none":
        assert papers == 0
        return
    assert (count, papers, with_abstract) == (row.records, row.papers, row.with_abstract)
    assert row.unique in {None, unique}


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell the peak of memory this way")
def test_a_long_list_is_read_in_little_memory(shared: Path) -> None:
    (row,) = (row for row in manifest() if row.path == LONG)
    path = shared / "corpora" / LONG
    done = subprocess.run(
        [sys.executable, "-c", READ_LONG, path], check=True, capture_output=True, encoding="utf-8", cwd=ROOT
    )
    counts, peak = done.stdout.splitlines()
    count, papers, rejected, duplicates, with_abstract = map(int, counts.split())
    assert (count, papers + duplicates, with_abstract) == (row.records, row.papers, row.with_abstract)
    assert count == papers + duplicates + rejected
    assert int(peak) < 150 * 1024 * 1024, "118 MB of JSON Lines"


def test_the_manifest_lists_every_file(shared: Path) -> None:
    root = shared / "corpora"
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {"MANIFEST.tsv"}
    assert {row.path for row in manifest()} == files


def squashed(text: str) -> str:
    return " ".join(text.split())


def reference() -> list[dict[str, str]]:
    path = CORPORA / "derived" / "papers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


ONLY_ABSTRACTS = {"abstracts_blankline.txt", "abstracts_crlf_bom.txt"}
#: What a format loses: cp1252 has no Greek letters, BibTeX escapes signs.
LOSSY = {"papers_semicolon_cp1252.csv": 3, "papers.bib": 4, "papers.bib.bz2": 4, "papers.zip": 4}


def derived() -> list[str]:
    folder = CORPORA / "derived"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.mark.parametrize("name", derived())
def test_one_list_in_every_format_is_the_same_60_papers(shared: Path, name: str) -> None:
    papers = read([shared / "corpora" / "derived" / name]).papers
    assert len(papers) == 60
    if name in ONLY_ABSTRACTS:
        assert {squashed(one.abstract) for one in papers} == {squashed(one["abstract"]) for one in reference()}
        return
    expected = {(squashed(one["title"]), squashed(one["abstract"])) for one in reference()}
    found = {(squashed(one.title), squashed(one.abstract)) for one in papers}
    assert {title for title, _ in found} == {title for title, _ in expected}
    assert len(found ^ expected) <= 2 * LOSSY.get(name, 0)


def test_all_formats_of_one_list_together_are_60_papers(shared: Path) -> None:
    reading = read([shared / "corpora" / "derived"])
    assert len(reading.rejections) == 0
    assert len(reading.papers) == 60
    assert reading.records == 60 * (len(derived()) + 1)
    assert {squashed(one.title) for one in reading.papers} == {squashed(one["title"]) for one in reference()}
    assert all(len(one.sources) == len(derived()) + 1 for one in reading.papers)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "arxiv-daily-jsonl/2025-12-04.jsonl",
            {"authors": True, "year": False, "identifiers": True, "url": True},
        ),
        ("arxiv-kaggle-sample/arxiv-metadata-oai-snapshot.json", {"authors": True, "year": True, "identifiers": True}),
        ("crossref-json/032*", {"authors": True, "year": True, "identifiers": True, "venue": True, "url": True}),
        ("openalex/007*", {"authors": True, "year": True, "identifiers": True, "venue": True, "url": True}),
        ("semanticscholar/002*", {"authors": True, "identifiers": True}),
        ("paperlists/acml2020.json", {"authors": True, "url": True}),
        ("mechinterp-workshop/icml2026_posters.json", {"authors": True, "identifiers": True, "url": True}),
        ("s2orc-json/pdf*", {"authors": True, "body": True}),
        ("pmlr-posts/*chen24a.md", {"authors": True, "year": True, "venue": True, "url": True}),
        ("conference-papers-md/2025-neurips_session_1.md", {"authors": True, "url": True}),
        ("conference-papers-md/2025-colm_filtered20-notes.md", {"authors": True, "url": True, "identifiers": True}),
        ("md-lists/daily-arxiv-llm.md", {"identifiers": True, "url": True}),
        ("md-chinese/seda.md", {"identifiers": True, "url": True, "year": True}),
        ("zotero-json/Citekey*", {"authors": True}),
    ],
)
def test_formats_give_the_fields_they_have(shared: Path, name: str, expected: dict[str, bool]) -> None:
    (path,) = (shared / "corpora").glob(name)
    papers: list[Paper] = list(read([path]).papers)
    for field, has in expected.items():
        filled = sum(bool(getattr(paper, field)) for paper in papers)
        assert (filled > 0.9 * len(papers)) == has, f"{field}: {filled} of {len(papers)}"
