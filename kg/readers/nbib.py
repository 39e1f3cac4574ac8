"""The MEDLINE display of PubMed, files that end in ``.nbib`` (https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import first_year, full_names, known, spelled
from kg.readers.pubmed import page, plain_title, telling
from kg.readers.tagged import Syntax, records
from kg.readers.values import RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_nbib", "read_nbib"]

_NBIB = Syntax(
    line=re.compile(r"\ufeff?([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)$"),
    begins=frozenset({"PMID"}),
    joint=" ",
    blank_ends=True,
)
_START = re.compile(r"(?:.*\n){0,5}?\ufeff?PMID- ?\d")
_QUALIFIED = re.compile(r"(.+?) ?\[(\w+)\]$")


def is_nbib(head: Head) -> bool:
    """Say whether this is MEDLINE as PubMed displays it."""
    return bool(_START.match(head.text[:2000]))


def read_nbib(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record."""
    for number, record in enumerate(records(source.lines(), _NBIB), start=1):
        pmid = record.first("PMID")
        qualified = [match.groups() for value in record.all("AID", "LID") if (match := _QUALIFIED.match(value))]
        yield RawPaper(
            number=number,
            id=pmid or None,
            title=plain_title(record.first("TI"), record.first("TT", "BTI")),
            abstract=record.first("AB"),
            authors=full_names(record.all("FAU") or record.all("AU")) + full_names(record.all("CN")),
            venue=record.first("JT", "BTI", "TA") or None,
            year=first_year(*record.all("DP", "DEP")),
            url=page(pmid),
            identifiers=known(
                ("pubmed", pmid),
                *(("doi", value) for value, kind in qualified if kind == "doi"),
                *spelled(*(value for value, _ in qualified)),
            ),
            kind=telling(record.all("PT")),
            language=record.first("LA") or None,
        )
