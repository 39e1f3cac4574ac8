"""The forms that lists of papers take: plain text, JSON, tables, Markdown, YAML, and telling them apart."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model import Paper
from kg.readers import read
from kg.readers.jsonstream import Broken, JsonStream

ONE = "We propose X, a method that does what a method does, and we show on Y that it does it well."
TWO = "Graphs are everywhere. This work presents Z, which learns them and beats strong baselines on Y."


def papers_of(folder: Path, content: str, name: str = "input") -> dict[str, Paper]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    found = read([path]).papers
    return {paper.title or paper.abstract: paper for paper in found}


def said(papers: dict[str, Paper]) -> set[tuple[str, str]]:
    return {(paper.title, paper.abstract) for paper in papers.values()}


def wrapped(text: str, width: int = 40) -> str:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        f"On the Nature of X\n{ONE}\n\nThe Many Graphs of Z\n{TWO}\n",
        f"On the Nature of X\n{wrapped(ONE)}\n\nThe Many Graphs of Z\n{wrapped(TWO)}\n",
        f"On the Nature of X\n\n{ONE}\n\nThe Many Graphs of Z\n\n{TWO}\n",
        f"1. On the Nature of X\n{ONE}\n\n2. The Many Graphs of Z\n{TWO}\n",
        f"On the Nature of X\nAda Lovelace, Alan Turing\n{ONE}\nhttps://arxiv.org/abs/2401.00001\n\n"
        f"The Many Graphs of Z\nClaude Shannon, Kurt Gödel\n{TWO}\nhttps://arxiv.org/abs/2401.00002\n",
        f"Title: On the Nature of X\nAuthors: Ada Lovelace\nAbstract: {ONE}\n\n"
        f"Title: The Many Graphs of Z\nAbstract: {TWO}\n",
        f"On the Nature of X\t{ONE}\nThe Many Graphs of Z\t{TWO}\n",
    ],
)
def test_titles_and_abstracts_in_plain_text(tmp_path: Path, text: str) -> None:
    assert said(papers_of(tmp_path, text)) == {("On the Nature of X", ONE), ("The Many Graphs of Z", TWO)}


def test_authors_and_addresses_in_plain_text(tmp_path: Path) -> None:
    text = f"On the Nature of X\nAda Lovelace, Alan Turing\n{ONE}\nhttps://arxiv.org/abs/2401.00001\n\n- note\n- more\n"
    paper = papers_of(tmp_path, text)["On the Nature of X"]
    assert paper.authors == ("Ada Lovelace", "Alan Turing")
    assert (paper.key, paper.url) == ("arxiv:2401.00001", "https://arxiv.org/abs/2401.00001")
    assert paper.abstract == ONE


def test_lines_of_titles_are_papers(tmp_path: Path) -> None:
    titles = ["Attention for Graphs", "Learning to See", "A Method of Moments"]
    assert said(papers_of(tmp_path, "\n".join(titles))) == {(title, "") for title in titles}


def test_an_address_in_which_a_wrapped_sentence_ends_is_part_of_it(tmp_path: Path) -> None:
    text = f"On the Nature of X\n{wrapped(ONE)} Code is at\nhttps://github.com/a/b\n\nOn Z\n{TWO}\n"
    assert papers_of(tmp_path, text)["On the Nature of X"].abstract.endswith("Code is at https://github.com/a/b")


RECORDS = [{"title": "On X", "abstract": ONE}, {"title": "On Z", "abstract": TWO}]
FORMS = [
    RECORDS,
    {"a": RECORDS[0], "b": RECORDS[1]},
    {"meta": {"count": 2}, "results": RECORDS},
    {"status": "ok", "message": {"facets": {}, "items": RECORDS}},
    {"notes": [{"id": "abcdefghij", "content": {k: {"value": v} for k, v in record.items()}} for record in RECORDS]},
    [{"venue": "V", "year": 2020, "submissions": RECORDS}],
    {"title": "A list of mine", "papers": RECORDS},
    {"2024": RECORDS[:1], "2025": RECORDS[1:]},
    {"library": {"x": 1}, "data": RECORDS},
    [
        {"data": {"itemType": "preprint", "title": record["title"], "abstractNote": record["abstract"]}}
        for record in RECORDS
    ],
    [{"title": [record["title"]], "abstract": f"<jats:p>{record['abstract']}</jats:p>"} for record in RECORDS],
    [{"Paper Title": record["title"], "paper_abstract": record["abstract"]} for record in RECORDS],
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: json.dumps(form)[:40])
@pytest.mark.parametrize("indent", [None, 2])
def test_forms_of_json(tmp_path: Path, form: object, indent: int | None) -> None:
    found = papers_of(tmp_path, json.dumps(form, indent=indent))
    if isinstance(form, dict) and "title" in form:
        assert set(found) == {"A list of mine"}  # an object with a title of its own is one record
    else:
        assert said(found) == {("On X", ONE), ("On Z", TWO)}


def test_one_record_as_the_root(tmp_path: Path) -> None:
    assert said(papers_of(tmp_path, json.dumps(RECORDS[0]))) == {("On X", ONE)}


def test_words_that_name_fields_in_an_index_of_words(tmp_path: Path) -> None:
    words = ["the", "value", "of", "text", "is", "no", "data", "but", "content", "and", "an", "abstract", "title"]
    index: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        index.setdefault(word, []).append(at)
    record = {"title": "On X", "abstract_inverted_index": index}
    assert papers_of(tmp_path, json.dumps({"results": [record, record]}))["On X"].abstract == " ".join(words)


def test_replies_and_withdrawn_papers_of_openreview(tmp_path: Path) -> None:
    notes = [
        {"id": "aaaaaaaaaa", "forum": "aaaaaaaaaa", "content": {"title": "On X", "abstract": ONE}},
        {
            "id": "bbbbbbbbbb",
            "forum": "aaaaaaaaaa",
            "replyto": "aaaaaaaaaa",
            "content": {"title": "Good", "review": "x"},
        },
        {
            "id": "cccccccccc",
            "forum": "cccccccccc",
            "content": {"title": "On Z", "venue": "V 2025 Withdrawn Submission"},
        },
    ]
    (tmp_path / "n.json").write_text(json.dumps({"notes": notes}), encoding="utf-8")
    reading = read([tmp_path / "n.json"])
    assert [paper.key for paper in reading.papers] == ["openreview:aaaaaaaaaa"]
    assert [(one.record, one.reason) for one in reading.rejections] == [
        (2, "not a paper: a review, a decision or a comment"),
        (3, "withdrawn"),
    ]


def test_one_broken_record_of_a_list_does_not_stop_the_rest(tmp_path: Path) -> None:
    text = '[{"title": "On X"}, {"title": broken, "x": 1}, {"title": "On Z"}, 7]'
    (tmp_path / "n.json").write_text(text, encoding="utf-8")
    reading = read([tmp_path / "n.json"])
    assert [paper.title for paper in reading.papers] == ["On X", "On Z"]
    assert [one.record for one in reading.rejections] == [2, 4]
    assert reading.records == 4


def test_a_list_that_is_cut_off_is_read_to_there(tmp_path: Path) -> None:
    text = json.dumps([{"title": f"On X {n}"} for n in range(20)])[:-30]
    (tmp_path / "n.json").write_text(text, encoding="utf-8")
    reading = read([tmp_path / "n.json"])
    assert len(reading.papers) == 18
    assert "read as far as record 18" in reading.rejections[0].reason


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.lists(values), st.integers(1, 7), st.sampled_from([None, 1]))
def test_a_stream_of_json_gives_what_it_holds(items: list[object], chunk: int, indent: int | None) -> None:
    class Slow(io.StringIO):
        def read(self, size: int | None = -1, /) -> str:
            return super().read(chunk)

    stream = JsonStream(Slow(json.dumps(items, indent=indent)))
    assert list(stream.items()) == items
    assert stream.peek() == ""


def test_a_value_that_cannot_be_decoded_stands_in_its_place() -> None:
    found = list(JsonStream(io.StringIO('[{"a": 1}, {"b": }, {"c": 3}]')).items())
    assert [type(one) for one in found] == [dict, Broken, dict]


ROWS = [["1", "On the Nature of X", ONE, "2024"], ["2", 'A "quoted" Graph, or Z', f"{TWO}\nAnd more.", "2025"]]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize(
    "header", [["ID", "Title", "Abstract", "Year"], ["Nr", "Titel", "Zusammenfassung", "Jahr"], None]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables(tmp_path: Path, delimiter: str, header: list[str] | None, end: str) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end)
    writer.writerows([header, *ROWS] if header else ROWS)
    (tmp_path / "t").write_text(buffer.getvalue(), encoding="utf-8", newline="")
    found = read([tmp_path / "t"]).papers
    assert {(paper.title, paper.abstract, paper.year) for paper in found} == {
        (row[1], row[2], int(row[3])) for row in ROWS
    }


def test_a_table_as_excel_marks_it(tmp_path: Path) -> None:
    assert set(papers_of(tmp_path, "sep=;\nTitle;Abstract\nOn X;A, b\nOn Z;C, d\n")) == {"On X", "On Z"}


AWESOME = f"""# Awesome methods

Contents: see below.

- [Methods](#methods)

## Methods

- **On the Nature of X** (NeurIPS 2024) [[paper]](https://arxiv.org/abs/2401.00001) [[code]](https://github.com/a/b)
  > {ONE}
- [The Many Graphs of Z](https://openreview.net/forum?id=abcdefghij), Claude Shannon
  <details><summary>Abstract</summary>
  {TWO}
  </details>
- [FlashX](https://arxiv.org/abs/2401.00003): Fast and Exact X | OSDI '24
- (ICML'23) A Title before its Link [pdf](https://arxiv.org/abs/2301.00004) [notes]
- 2025
  - [Nested under a Year](https://arxiv.org/abs/2501.00005)
- To be updated
<!-- - [Template](https://arxiv.org/abs/2501.00009) -->
"""


def test_an_awesome_list(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(AWESOME, encoding="utf-8")
    reading = read([tmp_path / "README.md"])
    found = {paper.title: paper for paper in reading.papers}
    assert set(found) == {
        "On the Nature of X",
        "The Many Graphs of Z",
        "FlashX: Fast and Exact X",
        "A Title before its Link",
        "Nested under a Year",
    }
    assert found["On the Nature of X"].abstract == ONE
    assert (found["On the Nature of X"].venue, found["On the Nature of X"].year) == ("NeurIPS 2024", 2024)
    assert found["The Many Graphs of Z"].abstract == TWO
    assert (found["FlashX: Fast and Exact X"].key, found["FlashX: Fast and Exact X"].year) == ("arxiv:2401.00003", 2024)
    assert found["A Title before its Link"].venue == "ICML'23"
    assert ["To be updated" in one.reason for one in reading.rejections] == [True]


def test_a_heading_for_each_paper(tmp_path: Path) -> None:
    text = (
        "# Posters\n\n## Session 1\n\n### [On the Nature of X](https://x.org/1)\n*Ada Lovelace, Alan Turing*\n\n"
        f"{ONE}\n\n### The Many Graphs of Z 🔦 **SPOTLIGHT**\n\n- **Authors:** Claude Shannon, Kurt Gödel\n"
        f"- **Link:** [arXiv](https://arxiv.org/abs/2401.00002)\n- **Abstract:** {TWO}\n- **TL;DR:** Not an abstract.\n"
    )
    found = papers_of(tmp_path, text)
    assert said(found) == {("On the Nature of X", ONE), ("The Many Graphs of Z", TWO)}
    assert found["On the Nature of X"].authors == ("Ada Lovelace", "Alan Turing")
    assert found["The Many Graphs of Z"].authors == ("Claude Shannon", "Kurt Gödel")
    assert found["The Many Graphs of Z"].key == "arxiv:2401.00002"


def test_tables_and_lists_of_one_markdown_file_are_both_read(tmp_path: Path) -> None:
    text = (
        "# Papers\n\n| Paper | Venue | Link |\n|---|---|---|\n| On the Nature of X | ICML 2024 | "
        "[arXiv](https://arxiv.org/abs/2401.00001) |\n\n## More\n\n- [On Z and Graphs](https://arxiv.org/abs/2401.00002)\n"
    )
    found = papers_of(tmp_path, text)
    assert {paper.key for paper in found.values()} == {"arxiv:2401.00001", "arxiv:2401.00002"}
    assert found["On the Nature of X"].venue == "ICML 2024"


def test_yaml(tmp_path: Path) -> None:
    text = (
        "---\nreferences:\n- id: a\n  title: 'No'\n  issued:\n  - year: 2024\n- id: b\n  title: On Z\n  type: webpage\n"
    )
    (tmp_path / "r.yaml").write_text(text, encoding="utf-8")
    reading = read([tmp_path / "r.yaml"])
    assert [(paper.title, paper.id, paper.year) for paper in reading.papers] == [("No", "a", 2024)]
    assert reading.rejections[0].reason == "not a paper: a web page"


def test_front_matter(tmp_path: Path) -> None:
    front = f"title: On X\nabstract: '{ONE}'\nauthor:\n- given: Ada\n  family: Lovelace\ndate: 2024-12-10\n"
    text = f"---\n{front}---\nBody.\n"
    paper = papers_of(tmp_path, text)["On X"]
    assert (paper.abstract, paper.authors, paper.year) == (ONE, ("Ada Lovelace",), 2024)


def test_aliases_that_could_make_yaml_huge_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("references:\n- &a {title: On X}\n- *a\n", encoding="utf-8")
    reading = read([tmp_path / "a.yaml"])
    assert [paper.title for paper in reading.papers] == ["On X"]
    assert [(one.record, one.reason) for one in reading.rejections] == [(2, "YAML with aliases is not read")]


def test_a_web_page_is_no_list(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<!DOCTYPE html><html><body>On X</body></html>", encoding="utf-8")
    with pytest.raises(InputError, match="a web page, not a list of papers"):
        read([tmp_path / "a.html"])


@pytest.mark.parametrize("name", ["list.csv", "list.bib", "list.json", "list"])
def test_the_name_does_not_tell_the_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps(RECORDS), encoding="utf-8")
    assert dict(read([tmp_path / name]).formats) == {"json": 2}


def test_a_quote_that_nothing_closes_swallows_no_rows(tmp_path: Path) -> None:
    rows = [f"{n},On the method {n},It does well." for n in range(20)]
    rows[5] = '5,"On the method 5,It does well.'
    papers = papers_of(tmp_path, "\n".join(["id,title,abstract", *rows]))
    assert len(papers) == 20
    assert papers["On the method 19"].abstract == "It does well."


def test_one_broken_item_of_yaml_does_not_stop_the_rest(tmp_path: Path) -> None:
    text = "references:\n- id: a\n  title: On X\n- id: b\n  title: [broken\n- id: c\n  title: On Z\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    reading = read([tmp_path / "a.yaml"])
    assert {paper.title for paper in reading.papers} == {"On X", "On Z"}
    assert [one.record for one in reading.rejections] == [2]
    assert "not valid YAML" in reading.rejections[0].reason


def test_lines_of_json_are_told_where_the_first_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('nonsense\n{"title": "On X"}\n{"title": "On Z"}\n', encoding="utf-8")
    reading = read([tmp_path / "a"])
    assert dict(reading.formats) == {"jsonl": 3}
    assert len(reading.papers) == 2


def test_many_lines_without_an_empty_one(tmp_path: Path) -> None:
    lines = [f"On the method {n}\t{ONE} {n}" for n in range(5000)]
    assert len(papers_of(tmp_path, "\n".join(lines))) == 5000
    long_lines = [f"{ONE} {ONE} {ONE} {n}" for n in range(5000)]
    assert len(papers_of(tmp_path, "\n".join(long_lines))) == 5000


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (
            "Authors,Title,Year,Source title,DOI,Abstract,Document Type",
            "A; B,On X,2024,J. of X,10.1234/x,Well.,Article",
        ),
        (
            '"Document Title",Authors,"Publication Title","Publication Year",Abstract,DOI',
            "On X,A; B,J. of X,2024,Well.,10.1234/x",
        ),
        (
            "Item Title,Publication Title,Item DOI,Authors,Publication Year,Abstract",
            "On X,J. of X,10.1234/x,A;B,2024,Well.",
        ),
        (
            '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Abstract Note"',
            'K1,journalArticle,2024,"A; B",On X,J. of X,10.1234/x,Well.',
        ),
        ("PT\tAU\tTI\tSO\tAB\tPY\tDI", "J\tA; B\tOn X\tJ. of X\tWell.\t2024\t10.1234/x"),
    ],
    ids=["Scopus", "IEEE", "Springer", "Zotero", "Web of Science"],
)
def test_exports_as_tables(tmp_path: Path, header: str, row: str) -> None:
    paper = papers_of(tmp_path, f"{header}\n{row}\n")["On X"]
    assert (paper.key, paper.abstract, paper.year, paper.venue) == ("doi:10.1234/x", "Well.", 2024, "J. of X")
    assert paper.authors == ("A", "B")


def test_bullets_of_titles_alone(tmp_path: Path) -> None:
    titles = ["Flash Attention Is Fast", "Graphs for All of Us", "Learning to Learn Again"]
    assert set(papers_of(tmp_path, "".join(f"- {title}\n" for title in titles))) == set(titles)


@pytest.mark.parametrize("bullet", ["- ", "* ", "• "])
@pytest.mark.parametrize("before", ["", "To read\n\n", "To read:\n\n"])
def test_few_bullets_of_titles_are_papers(tmp_path: Path, before: str, bullet: str) -> None:
    """Such a list was refused as holding no papers, for bullets elsewhere are remarks on the paper above."""
    for titles in (["Attention Is All You Need"], ["Flash Attention: Fast and Exact", "Learning to Learn Again"]):
        text = before + "".join(f"{bullet}{title}\n" for title in titles)
        assert said(papers_of(tmp_path, text)) == {(title, "") for title in titles}


def test_titles_with_a_colon_and_an_and_are_no_people(tmp_path: Path) -> None:
    titles = ["FlashAttention: Fast and Memory-Efficient Attention", "Attention Is All You Need", "Learning to See"]
    assert said(papers_of(tmp_path, "\n".join(titles))) == {(title, "") for title in titles}


def test_lines_of_json_among_many_that_are_no_records_are_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"title": "On X"}\n5\nnull\n[1]\n"s"\n{broken\n{"title": "On Y"}\n', encoding="utf-8")
    reading = read([path])
    assert sorted(p.title for p in reading.papers) == ["On X", "On Y"]
    assert [r.record for r in reading.rejections] == [2, 3, 4, 5, 6]
