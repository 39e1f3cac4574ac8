"""Which records are one paper, whatever the order in which they come."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Paper, Source
from kg.readers import read
from kg.readers.identity import identifier, paper
from kg.readers.spool import Spool
from kg.readers.values import RawPaper

LONG = "We propose a method that does what a method does, and we show on many a benchmark that it does it well. "
OTHER = "Graphs are everywhere, so this work presents another way to learn them from very few labels at all times. "


def united(*raws: RawPaper) -> list[Paper]:
    spool = Spool()
    for raw in raws:
        spool.add(paper(raw, "f"))
    return list(spool.papers())


def raw(number: int = 1, **fields: object) -> RawPaper:
    return RawPaper(number, **fields)  # type: ignore[arg-type]


ARXIV = (("arxiv", "2401.00001"),)
ONE_PAPER = {
    "one arXiv id": (raw(identifiers=ARXIV, title="On X"), raw(identifiers=ARXIV, title="On X, extended")),
    "title and authors": (raw(title="On X", authors=("A B",)), raw(title="On  x", authors=("a b",), abstract=LONG)),
    "title, nothing against it": (raw(title="On the Nature of X"), raw(title="On the nature of X", abstract=LONG)),
    "title and a shared author": (
        raw(title="On the Nature of X", authors=("A. Lovelace", "B")),
        raw(title="On the Nature of X", authors=("Ada Lovelace",)),
    ),
    "short title, one abstract": (raw(title="Alpa", abstract=LONG, authors=("A",)), raw(title="Alpa", abstract=LONG)),
    "title in TeX": (raw(title="{FlashX}: Fast \\& Exact"), raw(title="FlashX: Fast & Exact", abstract=LONG)),
    "abstract without a title": (raw(abstract=LONG), raw(title="On X", abstract=LONG.upper())),
    "an abstract with lost letters": (
        raw(title="On X", abstract=LONG + "With α and β."),
        raw(title="On X", abstract=LONG + "With ? and ?."),
    ),
    "address and title": (raw(title="On X", url="https://x.org/1"), raw(title="On X", url="https://x.org/1")),
    "preprint and journal": (
        raw(title="On the Nature of X", authors=("A Lovelace",), identifiers=ARXIV),
        raw(title="On the Nature of X", authors=("Ada Lovelace",), identifiers=(("doi", "10.1234/x"),)),
    ),
}
TWO_PAPERS = {
    "other titles": (raw(title="On the Nature of X"), raw(title="On the Nature of Y")),
    "other authors": (
        raw(title="Introduction to the Volume", authors=("Ada Lovelace",)),
        raw(title="Introduction to the Volume", authors=("Alan Turing",)),
    ),
    "other abstracts": (
        raw(title="On the Nature of X", abstract=LONG),
        raw(title="On the Nature of X", abstract=OTHER),
    ),
    "other arXiv ids": (
        raw(title="On the Nature of X", identifiers=ARXIV),
        raw(title="On the Nature of X", identifiers=(("arxiv", "2402.00002"),)),
    ),
    "a short title": (
        raw(title="Introduction", url="https://x.org/1"),
        raw(title="Introduction", url="https://x.org/2"),
    ),
    "one address for a whole list": (
        raw(title="On X", url="https://x.org/accepted"),
        raw(title="On Z", url="https://x.org/accepted"),
    ),
    "one abstract under two titles": (raw(title="On X", abstract=LONG), raw(title="On Z", abstract=LONG)),
}


@pytest.mark.parametrize("records", ONE_PAPER.values(), ids=ONE_PAPER)
def test_records_that_are_one_paper(records: tuple[RawPaper, ...]) -> None:
    for order in (records, records[::-1]):
        (one,) = united(*order)
        assert len(one.abstract) == max(len(record.abstract) for record in records)


@pytest.mark.parametrize("records", TWO_PAPERS.values(), ids=TWO_PAPERS)
def test_records_that_are_two_papers(records: tuple[RawPaper, ...]) -> None:
    found = united(*records)
    assert len(found) == len({one.key for one in found}) == len({one.id for one in found}) == 2
    assert found == united(*records[::-1])


def test_a_paper_knows_all_its_sources() -> None:
    (one,) = united(raw(1, title="On the Nature of X"), raw(7, title="On the Nature of X"))
    assert one.sources == (Source("f", 1), Source("f", 7))


@pytest.mark.parametrize(
    ("scheme", "value", "normal"),
    [
        ("arxiv", "arXiv:2407.08608v3", "2407.08608"),
        ("arxiv", "https://arxiv.org/pdf/2407.08608v1.pdf", "2407.08608"),
        ("arxiv", "http://export.arxiv.org/abs/hep-ph/0301050v2", "hep-ph/0301050"),
        ("doi", "https://doi.org/10.1000/ABC", "10.1000/abc"),
        ("pubmed", "PMID: 12345", "12345"),
        ("acl", "https://aclanthology.org/2020.acl-main.207/", "2020.acl-main.207"),
        ("openreview", "https://openreview.net/forum?id=abcDEF123_-", "abcDEF123_-"),
    ],
)
def test_identifiers_have_one_form(scheme: str, value: str, normal: str) -> None:
    assert identifier(scheme, value) == (scheme, normal)


def test_a_doi_of_arxiv_is_an_arxiv_id() -> None:
    assert identifier("doi", "10.48550/arXiv.2407.08608") == ("arxiv", "2407.08608")


titles = st.sampled_from(["", "Alpa", "On the Nature of X", "On the nature of {X}", "On the Nature of Z"])
raws = st.builds(
    RawPaper,
    number=st.integers(1, 5),
    id=st.sampled_from([None, "1", "2"]),
    title=titles,
    abstract=st.sampled_from(["", LONG, OTHER, LONG + "And more of it.", "Short."]),
    authors=st.sampled_from([(), ("Ada Lovelace",), ("A. Lovelace", "Alan Turing"), ("Kurt Gödel",)]),
    venue=st.sampled_from([None, "V"]),
    year=st.sampled_from([None, 2024, 2025]),
    url=st.sampled_from([None, "https://x.org/1", "https://x.org/2"]),
    identifiers=st.sampled_from([(), ARXIV, (("arxiv", "2402.00002"),), (("doi", "10.1234/x"),)]),
).filter(lambda one: one.title or one.abstract)


@given(st.lists(raws, max_size=9), st.randoms(use_true_random=False))
def test_papers_depend_on_the_set_of_records_alone(records: list[RawPaper], chance: random.Random) -> None:
    shuffled = records[:]
    chance.shuffle(shuffled)
    found = united(*records)
    again = united(*shuffled)
    assert [repr(one) for one in found] == [repr(one) for one in again]
    assert len({one.key for one in found}) == len({one.id for one in found}) == len(found)
    assert [one.key for one in found] == sorted(one.key for one in found)


@given(st.lists(raws, min_size=1, max_size=6))
def test_reading_twice_what_was_read_once_changes_nothing(records: list[RawPaper]) -> None:
    assert united(*records, *records) == united(*records)


def test_papers_lie_on_disk_and_are_a_sequence(tmp_path: Path) -> None:
    lines = [json.dumps({"id": f"p{n}", "title": f"On the method {n}"}) for n in range(30)]
    (tmp_path / "p.jsonl").write_text("\n".join([*lines, "{}", "nonsense"]), encoding="utf-8")
    reading = read([tmp_path / "p.jsonl"])
    assert list(reading.papers) == list(reading.papers) == [reading.papers[n] for n in range(30)]
    assert reading.papers[-1] == reading.papers[29]
    assert reading.papers[3:5] == (reading.papers[3], reading.papers[4])
    assert [one.record for one in reading.rejections] == [31, 32]
    with pytest.raises(IndexError):
        reading.papers[30]


def test_the_order_of_the_inputs_changes_nothing(shared: Path) -> None:
    root = shared / "corpora"
    inputs = [
        root / "derived" / "awesome.md",
        root / "paperlists",
        root / "derived" / "papers.ris",
        root / "openreview-v1",
    ]
    there, back = read(inputs), read(inputs[::-1])
    assert [repr(one) for one in there.papers] == [repr(one) for one in back.papers]
    assert list(there.rejections) == list(back.rejections)
    twice = read([*inputs, *inputs])
    assert list(twice.papers) == list(there.papers)
    assert (twice.records, twice.duplicates) == (
        2 * there.records,
        there.records + there.duplicates - len(there.rejections),
    )
