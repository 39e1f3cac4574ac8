"""RIS, Web of Science, EndNote's tags and MEDLINE: every field, folded lines, and records with lines missing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.readers.endnote import is_endnote, read_endnote
from kg.readers.nbib import is_nbib, read_nbib
from kg.readers.ris import is_ris, is_wos, read_ris, read_wos
from kg.readers.sniffing import Head
from kg.readers.source import HEAD_BYTES
from kg.readers.values import RawPaper
from tests.sources import Reader, paper, papers, source

RIS = """TY  - JOUR
ID  - lovelace1843
TI  - On X:
A Study
AU  - Lovelace, Ada
AU  - King, Jr., Martin
A2  - Editor, An
JO  - J. X
JF  - Journal of X
PY  - 1843/07//
DO  - https://doi.org/10.1234/X
UR  - https://x.org/a; https://arxiv.org/abs/2401.00001
AB  - We do.

It works.
U1  - 123[pmid]
LA  - eng
ER  -
"""


def test_ris() -> None:
    assert paper(read_ris, RIS) == RawPaper(
        number=1,
        id="lovelace1843",
        title="On X:\nA Study",
        abstract="We do.\n\nIt works.",
        authors=("Ada Lovelace", "Martin King Jr."),
        venue="Journal of X",
        year=1843,
        url="https://x.org/a",
        identifiers=(("arxiv", "2401.00001"), ("doi", "10.1234/x"), ("pubmed", "123")),
        kind="JOUR",
        language="eng",
    )


def test_ris_without_its_first_and_last_lines() -> None:
    content = "Provider: X\n\nTI  - A\nER  - \nTY  - JOUR\nTI  - B\nTY  - JOUR\nT1  - C\nSP  -\nN2  - We do."
    assert [(p.title, p.abstract) for p in papers(read_ris, content)] == [("A", ""), ("B", ""), ("C", "We do.")]


WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Lovelace, A
   Turing, AM
AF Lovelace, Ada
   Turing, Alan M.
TI On X
   and Y
SO JOURNAL OF X
LA English
DT Article; Proceedings Paper
AB We do. It
   works.
PY 2004
DI 10.1234/X
UT WOS:1
PM 123
ER

PT J
TI B
ER
EF"""


def test_web_of_science() -> None:
    first, second = papers(read_wos, WOS)
    assert first == RawPaper(
        number=1,
        id="WOS:1",
        title="On X and Y",
        abstract="We do. It works.",
        authors=("Ada Lovelace", "Alan M. Turing"),
        venue="JOURNAL OF X",
        year=2004,
        identifiers=(("doi", "10.1234/x"), ("pubmed", "123")),
        kind="Article",
        language="English",
    )
    assert second.title == "B"


ENW = """%0 Conference Paper
%A Lovelace, Ada
%A Alan Turing
%T On X
%B Proceedings of X
%D 2020
%R 10.1234/X
%U https://x.org/a
%X We do.

It works.
%F key1

%0 Journal Article
%T On Y
"""


def test_endnote() -> None:
    first, second = papers(read_endnote, ENW)
    assert first == RawPaper(
        number=1,
        id="key1",
        title="On X",
        abstract="We do.\n\nIt works.",
        authors=("Ada Lovelace", "Alan Turing"),
        venue="Proceedings of X",
        year=2020,
        url="https://x.org/a",
        identifiers=(("doi", "10.1234/x"),),
        kind="Conference Paper",
    )
    assert second.title == "On Y"


def test_records_of_refer_are_told_apart_by_blank_lines() -> None:
    assert [p.title for p in papers(read_endnote, "%T A\n%A X\n\n%T B\n%X One.\n\nTwo.\n%D 2020\n\n%T C")] == [
        "A",
        "B",
        "C",
    ]


NBIB = """
PMID- 123
STAT- MEDLINE
DP  - 2020 Jan 3
TI  - On X and
      Y.
AB  - AIM: We do. RESULTS: It
      works.
FAU - Lovelace, Ada
AU  - Lovelace A
CN  - X Group
LA  - eng
PT  - Journal Article
PT  - Published Erratum
JT  - Journal of X
AID - S0001(20)1 [pii]
AID - 10.1234/X [doi]

PMID- 124
BTI - A Book
"""


def test_medline() -> None:
    first, second = papers(read_nbib, NBIB)
    assert first == RawPaper(
        number=1,
        id="123",
        title="On X and Y",
        abstract="AIM: We do. RESULTS: It works.",
        authors=("Ada Lovelace", "X Group"),
        venue="Journal of X",
        year=2020,
        url="https://pubmed.ncbi.nlm.nih.gov/123/",
        identifiers=(("doi", "10.1234/x"), ("pubmed", "123")),
        kind="correction",
        language="eng",
    )
    assert second.title == "A Book"


@pytest.mark.parametrize(
    ("content", "told"),
    [(RIS, "ris"), (WOS, "wos"), (ENW, "endnote"), (NBIB, "nbib"), ("\ufeffJF  - X\nT1  - Y", "ris")],
    ids=["ris", "wos", "endnote", "nbib", "cut"],
)
def test_each_is_told_from_the_others(content: str, told: str) -> None:
    head = Head.of(source(content), HEAD_BYTES)
    tests = {"ris": is_ris, "wos": is_wos, "endnote": is_endnote, "nbib": is_nbib}
    assert [name for name, fits in tests.items() if fits(head)] == [told]


@pytest.mark.parametrize("content", ["We propose X.\n", "% a comment\n@article{a, title={b}}", "TI - X", "%PDF-1.4\n"])
def test_other_text_is_none_of_them(content: str) -> None:
    head = Head.of(source(content), HEAD_BYTES)
    assert not any(fits(head) for fits in (is_ris, is_wos, is_endnote, is_nbib))


@pytest.mark.parametrize("read", [read_ris, read_wos, read_endnote, read_nbib])
def test_a_long_value_takes_no_longer_than_its_length(read: Reader) -> None:
    started = time.process_time()
    list(read(source("TY  - JOUR\nPT J\n%0 A\nPMID- 1\n" + "AB  - x\n" + "   more words\n" * 300_000)))
    assert time.process_time() - started < 10


@pytest.mark.parametrize("read", [read_ris, read_wos, read_endnote, read_nbib])
@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["TY  - JOUR", "ER  - ", "TI  - A", "PT J", "ER", "%0 X", "%T", "PMID- 1", "", "  b", "\0"])
    )
)
def test_no_order_of_lines_breaks_a_reader(read: Reader, lines: list[str]) -> None:
    found = list(read(source("\n".join(lines))))
    assert [one.number for one in found] == list(range(1, len(found) + 1))
