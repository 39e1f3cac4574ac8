"""Reading lists of papers: formats, identity, and the account of every record."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError, UsageError
from kg.model import Paper
from kg.readers import FORMATS, account, read
from kg.readers.decoding import clean, decoder
from kg.readers.spool import Spool

ABSTRACT = "We propose X, a method that does what a method does, and we show on Y that it does it well."


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_headings_are_no_papers(tmp_path: Path) -> None:
    text = f"NeurIPS 2026 论文列表\n\n{ABSTRACT}\n\n\n{ABSTRACT[::-1]}.\n"
    papers = read([written(tmp_path, "a.txt", text)]).papers
    assert sorted(p.abstract for p in papers) == sorted([ABSTRACT, ABSTRACT[::-1] + "."])
    assert {p.title for p in papers} == {""}


def test_first_input_has_19_papers_without_titles(shared: Path) -> None:
    reading = read([shared / "data" / "neurips-2026.txt"])
    assert (len(reading.papers), reading.records, len(reading.rejections)) == (19, 19, 0)
    assert all(p.abstract and not p.title and p.key.startswith("text:") for p in reading.papers)


def test_gold_keeps_its_ids(shared: Path) -> None:
    for name, count in (("seed", 19), ("dev", 272), ("train", 3998)):
        path = shared / "gold" / f"{name}.jsonl"
        gold = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        papers = {p.id: p for p in read([path]).papers}
        assert len(papers) == count
        assert all((papers[g["id"]].title, papers[g["id"]].abstract) == (g["title"], g["abstract"]) for g in gold)


@pytest.mark.parametrize(
    "name",
    [
        "abstracts_one_per_line.txt",
        "openreview_v1_notes.json",
        "openreview_v2_notes.json",
        "openreview_v2_notes.jsonl",
        "openreview_v2_notes_list.json",
        "papers.csl.json",
        "papers.jsonl",
        "papers.tsv",
        "papers_excel.csv",
        "papers_utf16.txt",
        "title_abstract_blankline_wrapped.txt",
    ],
)
def test_one_list_in_many_formats_is_the_same_papers(shared: Path, name: str) -> None:
    reference = (shared / "corpora" / "derived" / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {tuple(" ".join(json.loads(line)[f].split()) for f in ("title", "abstract")) for line in reference}
    reading = read([shared / "corpora" / "derived" / name])
    assert {(" ".join(p.title.split()), " ".join(p.abstract.split())) for p in reading.papers} == expected
    assert len(expected) == 60


@pytest.mark.parametrize("name", ["abstracts_blankline.txt", "abstracts_crlf_bom.txt"])
def test_abstracts_between_blank_lines(shared: Path, name: str) -> None:
    reference = (shared / "corpora" / "derived" / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    reading = read([shared / "corpora" / "derived" / name])
    assert {p.abstract for p in reading.papers} == {json.loads(line)["abstract"].strip() for line in reference}


def test_every_record_is_a_paper_a_duplicate_or_a_rejection(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "title": "On X", "arxiv_id": "2407.08608v1"}',
        '{"id": "a", "title": "On X, extended", "abstract": "Long.", "url": "https://arxiv.org/abs/2407.08608"}',
        '{"id": "c", "year": 2026}',
        "[1, 2]",
        "{broken",
        '{"id": "d", "abstract": "Only an abstract."}',
    ]
    reading = read([written(tmp_path, "p.jsonl", "\n".join(lines))])
    assert reading.records == len(lines)
    assert [p.id for p in reading.papers] == ["a", "d"]
    assert reading.papers[0].key == "arxiv:2407.08608"
    assert reading.papers[0].abstract == "Long."
    assert [s.record for s in reading.papers[0].sources] == [1, 2]
    assert [(r.record, r.key) for r in reading.rejections] == [(3, "c"), (4, None), (5, None)]
    assert reading.duplicates == 1


def test_an_id_that_two_papers_claim_is_replaced_by_their_keys(tmp_path: Path) -> None:
    lines = '{"id": "1", "title": "A", "doi": "10.1234/A"}\n{"id": "1", "title": "B"}\n'
    papers = read([written(tmp_path, "p.jsonl", lines)]).papers
    assert [p.id for p in papers] == [p.key for p in papers]
    assert papers[0].key == "doi:10.1234/a"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a text file"),
        (b"\xff\xfeA", "not a text file"),
        (b'{"a": 1', "not valid JSON"),
        (b'{"a": 1}', "holds no list of records"),
        (b"[]", "no papers in it"),
        ("NeurIPS 2026\n\nOral papers\n".encode(), "no papers in it"),
        (b'{"year": 2026}\n{"year": 2027}\n', "record 1: neither title nor abstract"),
    ],
)
def test_a_file_without_papers_says_why(tmp_path: Path, content: bytes, reason: str) -> None:
    path = written(tmp_path, "input", content)
    with pytest.raises(InputError) as error:
        read([path])
    assert reason in str(error.value)
    assert path.as_posix() in str(error.value)


def test_missing_files_and_empty_folders_do_not_stop_the_rest(tmp_path: Path) -> None:
    good = written(tmp_path, "good.txt", ABSTRACT)
    (tmp_path / "empty").mkdir()
    reading = read([tmp_path / "missing.txt", good, tmp_path / "empty"])
    assert len(reading.papers) == 1
    assert [r.reason for r in reading.rejections] == ["the folder holds no files", "no such file or folder"]
    with pytest.raises(InputError, match="no such file or folder"):
        read([tmp_path / "missing.txt"])
    with pytest.raises(InputError, match="the folder holds no files"):
        read([tmp_path / "empty"])


def test_a_folder_is_read_deep_and_hidden_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", "a.csv", f'title,abstract\nOn X,"{ABSTRACT}"\n')
    written(tmp_path, ".hidden", "\0")
    assert [p.title for p in read([tmp_path]).papers] == ["On X"]


def test_a_row_with_too_many_cells_is_rejected_and_the_rest_read(tmp_path: Path) -> None:
    reading = read([written(tmp_path, "a.csv", "title;abstract\nA;B;C\nD;E\n")])
    assert [p.title for p in reading.papers] == ["D"]
    assert [(r.record, r.reason) for r in reading.rejections] == [(1, "3 cells in a row, 2 columns in the header")]


def test_values_that_no_output_could_carry_are_replaced_one_for_one(tmp_path: Path) -> None:
    paper = read([written(tmp_path, "a.json", r'[{"title": "A\u0000B\ud800C", "id": "x\u0001"}]')]).papers[0]
    assert (paper.title, paper.id) == ("A B\ufffdC", "x")


def test_cp1252_is_read() -> None:
    text = "Erdos–Rényi “naïve”"
    assert text.encode("cp1252").decode(*decoder(text.encode("cp1252"))) == text


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(UsageError, match=", ".join(FORMATS)):
        read(["x"], format="word")


texts = st.text(st.characters(codec="utf-8"), max_size=60)


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    key = draw(st.sampled_from(["doi:10.1/a", "arxiv:1", "text:1", "text:2", "text:3"]))
    scheme, value = key.split(":")
    return Paper(
        key=key,
        id=draw(st.sampled_from(["1", "2", key])),
        title=draw(st.sampled_from(["", "T", "U"])),
        abstract=draw(texts),
        authors=draw(st.sampled_from([(), ("A",)])),
        year=draw(st.sampled_from([None, 2025, 2026])),
        identifiers=((scheme, value),) if scheme != "text" else (),
    )


def unite(records: list[Paper]) -> tuple[Paper, ...]:
    spool = Spool()
    for record in records:
        spool.add(record)
    return tuple(spool.papers())


@given(st.lists(papers(), max_size=8), st.randoms(use_true_random=False))
def test_uniting_depends_on_the_set_of_records_alone(records: list[Paper], chance: random.Random) -> None:
    shuffled = records[:]
    chance.shuffle(shuffled)
    united = unite(records)
    assert united == unite(shuffled)
    assert len({p.key for p in united}) == len({p.id for p in united}) == len(united)


@given(st.text())
def test_cleaning_moves_no_offset_and_is_done_once(text: str) -> None:
    assert len(clean(text)) == len(text)
    assert clean(clean(text)) == clean(text)
    clean(text).encode("utf-8")


@given(st.binary(max_size=400))
def test_no_bytes_raise_anything_but_an_input_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = written(tmp_path_factory.mktemp("fuzz"), "input", data)
    try:
        reading = read([path])
    except InputError as error:
        assert path.as_posix() in str(error)
    else:
        assert reading.records == len(reading.papers) + reading.duplicates + len(reading.rejections)


def test_the_table_of_formats_has_every_format() -> None:
    text = (Path(__file__).parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == set(FORMATS)


def test_the_report_and_the_rejects_hold_every_record(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "title": "On the Nature of X"}',
        '{"title": "On the Nature of X"}',
        "{}",
        '{"id": "c", "year": 1}',
    ]
    reading = read([written(tmp_path, "p.jsonl", "\n".join(lines)), tmp_path / "missing"])
    account.write_report(tmp_path / "report.json", {"version": "1"}, reading)
    account.write_rejects(tmp_path / "rejects.jsonl", reading)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    rejects = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()]
    told = report["input"]
    assert (told["records"], told["papers"], told["duplicates"], told["rejected"]) == (5, 1, 1, 3)
    assert told["rejections"] == rejects
    assert [(one["record"], one["key"], one["reason"]) for one in rejects] == [
        (0, None, "no such file or folder"),
        (3, None, "neither title nor abstract"),
        (4, "c", "neither title nor abstract"),
    ]
    (sources,) = told["sources"].values()
    assert [one["record"] for one in sources] == [1, 2]
    assert account.sentence(reading) == "5 records: 1 papers, 1 duplicates, 3 rejected"
    assert account.rejection_lines(reading, 2)[-1] == "… and 1 more; rejects.jsonl lists all"


def test_a_report_without_rejections_is_json_too(tmp_path: Path) -> None:
    reading = read([written(tmp_path, "a.txt", ABSTRACT)])
    account.write_report(tmp_path / "report.json", {"version": "1"}, reading)
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["input"]["rejections"] == []
