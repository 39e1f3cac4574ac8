"""BibTeX and BibLaTeX: every field, the escapes of the format, and entries that are not as they should be."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.readers.bibtex import is_bibtex, read_bibtex
from kg.readers.bibtex_text import plain
from kg.readers.sniffing import Head
from kg.readers.source import HEAD_BYTES
from kg.readers.values import NotAPaper, RawPaper
from tests.sources import paper, papers, refusals, source


def test_an_entry_of_bibtex() -> None:
    content = r"""
% Encoding: UTF-8
@string{jx = "Journal of"}
@Preamble{"\newcommand{\x}{y}"}
@comment{jabref-meta: databaseType:bibtex; @article{not, title={one}}}
@ARTICLE{lovelace:1843+a,
  Title    = {{{BERT}} and {E}rd{\H o}s: 50\% \& more},
  AUTHOR   = {Lovelace, Ada and G{\"o}del, Kurt and {Barnes and Noble, Inc.} and van der Berg, Jr., Tom and others},
  journal  = jx # { X},
  year     = 1843, month = jul,
  abstract = "We \emph{do} {``}it{''}: $x_{1} < {y}$.

  Second
  paragraph.",
  doi      = {10.1234/A\_b},
  url      = {https://x.org/a},
  keywords = {a, b},
}
"""
    assert paper(read_bibtex, content) == RawPaper(
        number=1,
        id="lovelace:1843+a",
        title="BERT and Erdős: 50% & more",
        abstract="We \\emph{do} ``it'': $x_{1} < {y}$.\n\nSecond paragraph.",
        authors=("Ada Lovelace", "Kurt Gödel", "Barnes and Noble, Inc.", "Tom van der Berg Jr."),
        venue="Journal of X",
        year=1843,
        url="https://x.org/a",
        identifiers=(("doi", "10.1234/a\\_b"),),
        kind="article",
    )


def test_an_entry_of_biblatex() -> None:
    content = (
        "@thesis{t, title={On X}, subtitle={A Study}, author={Lovelace, Ada}, date={2020-03-01}, institution={U. of X},"
        " eprint={2003.00001}, eprinttype={arxiv}, langid={german}}"
    )
    assert paper(read_bibtex, content) == RawPaper(
        number=1,
        id="t",
        title="On X: A Study",
        authors=("Ada Lovelace",),
        venue="U. of X",
        year=2020,
        identifiers=(("arxiv", "2003.00001"),),
        kind="thesis",
        language="german",
    )


@pytest.mark.parametrize(
    "field",
    [
        "eprint={2010.11929}, archivePrefix={arXiv}",
        "eprint={2010.11929v2}",
        "journal={arXiv preprint arXiv:2010.11929}",
        "journal={CoRR}, volume={abs/2010.11929}",
        "howpublished={\\url{https://arxiv.org/abs/2010.11929}}",
        "note={arXiv: 2010.11929 [cs]}",
        "url={http://arxiv.org/abs/2010.11929v1}",
    ],
)
def test_a_preprint_is_known_however_it_is_cited(field: str) -> None:
    found = paper(read_bibtex, f"@misc{{a, title={{X}}, {field}}}")
    assert dict(found.identifiers)["arxiv"] == "2010.11929"
    assert found.kind == "preprint"


def test_what_has_no_type_is_a_paper_where_something_says_so() -> None:
    content = "@misc{a, title={A Page}}\n@online{b, title={B}, doi={10.1234/b}}\n@misc{c, title={C}, abstract={We do.}}"
    assert refusals(read_bibtex, content) == [(1, "a", "@misc without an identifier: a web page or the like")]


def test_an_article_that_is_typed_as_a_book_is_an_article() -> None:
    content = "@book{a, title={A}, journal={J}, pages={1--2}}\n@book{b, title={B}, publisher={P}}"
    assert [p.kind for p in papers(read_bibtex, content)] == ["article", "book"]


def test_venue_and_year_are_taken_from_the_volume() -> None:
    content = (
        "@inproceedings{a, title={A}, crossref={v}}\n@inproceedings{b, title={B}, crossref={nowhere}}\n"
        "@proceedings{v, title={Proceedings of X}, year=2001}\n@inproceedings{c, title={C}, year=2002, crossref={v}}"
    )
    found = {p.id: (p.number, p.venue, p.year) for p in papers(read_bibtex, content)}
    assert found == {
        "a": (1, "Proceedings of X", 2001),
        "b": (2, None, None),
        "v": (3, None, 2001),
        "c": (4, "Proceedings of X", 2002),
    }


def test_a_broken_entry_spoils_no_other() -> None:
    content = """@article{a, title = {A}}
@article{b, title = {never closed, year = 2000}

@article{c, title = "quo"ted", year = 1}
@article{d, title = {no comma}
  year = {1999}}
@article{e,
  % title = {not this one},
  title = {E}} @article(f, title = "F (f)", year = 1)
@article{, title = {no key}}
@article{title = {nor comma}}
@article{A Key With Spaces, title = {G}, abstract = {an address: x@y.org
@ home and @misc{h} in the text}}
@article{a, title = {the key of another}}
@article{i, title = {cut off"""
    found = list(read_bibtex(source(content)))
    assert [getattr(one, "title", None) for one in found] == (
        ["A", None, None, "no comma", "E", "F (f)", "no key", "nor comma", "G", "the key of another", None]
    )
    assert getattr(found[3], "year", None) == 1999
    told = [(one.number, one.key, one.reason) for one in found if isinstance(one, NotAPaper)]
    assert told == [
        (2, "b", "not valid BibTeX in line 3: premature end of file"),
        (3, "c", "not valid BibTeX in line 4: '}' expected"),
        (11, "i", "not valid BibTeX in line 15: premature end of file"),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r"{\'E}cole \'{e}t\'e na\"{\i}ve {\ss} \ss{} \o re \v{S}koda \c{c} \c c", "École été naïve ß ß øre Škoda ç ç"),
        (r"100\% \& \# \_ \$5", r"100% & # \_ \$5"),
        (r"{{Deep} {L}earning} for {GPU}s", "Deep Learning for GPUs"),
        (r"\emph{a {B}} {\em c} \textbf{{D}}", r"\emph{a B} {\em c} \textbf{D}"),
        (r"$\frac{a}{b}$ and x$_{2}$ costs $5", r"$\frac{a}{b}$ and x$_{2}$ costs $5"),
        (r"\frac{a}{b} x^{2} y_{i}", r"\frac{a}{b} x^{2} y_{i}"),
        ("a\n   b\n\n  c", "a b\n\nc"),
        ("} {", "}"),
        ("\\", "\\"),
    ],
)
def test_what_bibtex_needs_is_undone_and_tex_is_left(value: str, text: str) -> None:
    assert plain(value) == text


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\\{}$", exclude_categories=["Cs"])))
def test_text_without_tex_keeps_its_words(text: str) -> None:
    assert plain(text).split() == text.split()


@settings(deadline=None)
@given(st.text(st.sampled_from("\\{}$\"'ab%&#^_~[] \n@=,()")))
def test_no_value_and_no_entry_raises(text: str) -> None:
    plain(text)
    found = list(read_bibtex(source(f"@article{{a, title = {{{text}}}}}\n@article{{b, title = {{B}}}}")))
    assert found


@pytest.mark.parametrize(
    "content",
    [
        "@article{a, title = {" + "{" * 200_000,
        "@article{a, title = {" + "x\n" * 300_000 + "}}",
        "@article{a" + " " * 300_000 + "b",
        "@article{a, t = {}" + "\n" * 200_000 + "x",
        "@a{" * 100_000,
        "@article{a,\n" * 20_000,
        '@article{a, title = "' + "$" * 100_001 + '"}',
        '@article{a, title = "' + "\\'" * 100_000 + '"}',
    ],
    ids=lambda content: content[:24],
)
def test_hostile_bibtex_takes_no_longer_than_its_length(content: str) -> None:
    started = time.process_time()
    is_bibtex(Head.of(source(content), HEAD_BYTES))
    list(read_bibtex(source(content)))
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        ("% x\n\n@article{a,\n title={b}}", True),
        ("@comment{x}\n@misc{a, title={b}}", True),
        ("  @inproceedings{key:1,title={b}}", True),
        ("This file was made by X 1.0.\nDo not edit it.\n\n@article{a,\n title={b}}", True),
        ("# A list\n\n- [On X](https://x.org)\n\n```bibtex\n@article{a,\n title={b}}\n```", False),
        ("---\ntitle: On X\nbibtex: |\n  @article{a,\n  title={b}}\n---\n", False),
        ("One.\nTwo.\nThree.\nFour.\nFive.\nSix.\n@article{a,\n title={b}}", False),
        ("We write to a@b.org {x, y}.", False),
        ("@article is a word", False),
        ("```\n@user{ }\n```", False),
    ],
)
def test_bibtex_is_told_by_an_entry(content: str, is_one: bool) -> None:
    assert is_bibtex(Head.of(source(content), HEAD_BYTES)) is is_one
