"""RIS (https://en.wikipedia.org/wiki/RIS_(file_format)) and the tagged export of Web of Science."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, full_names, known, spelled
from kg.readers.tagged import Syntax, records
from kg.readers.values import RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_ris", "is_wos", "read_ris", "read_wos"]

_RIS = Syntax(
    line=re.compile(r"\ufeff?\s?([A-Z][A-Z0-9]) {1,2}-(?:[ \t](.*))?$"),
    begins=frozenset({"TY"}),
    ends=frozenset({"ER"}),
)
_WOS = Syntax(
    line=re.compile(r"([A-Z][A-Z0-9])(?: (.*))?$"),
    begins=frozenset({"PT"}),
    ends=frozenset({"ER"}),
    ignored=frozenset({"FN", "VR", "EF"}),
    listed=frozenset({"AU", "AF", "BA", "BF", "CA", "CR", "C1"}),
    joint=" ",
)
_START = re.compile(r"\ufeff?[A-Z][A-Z0-9]  -(?: |$)")
_TYPE = re.compile(r"\ufeff?\s?TY {1,2}- ?[A-Z]{3,}\s*$")
_WOS_START = re.compile(r"\ufeff?(?:FN .+\nVR .+\n|PT [A-Z]\n[A-Z][A-Z0-9] )")
_PUBMED = re.compile(r"(\d+) ?\[pmid\]")


def is_ris(head: Head) -> bool:
    """Say whether this is RIS: the first line has a tag of it, or the first record begins soon."""
    lines = [line for line in head.text.split("\n")[:40] if line.strip()][:10]
    return any(_START.match(line) for line in lines[:1]) or any(_TYPE.match(line) for line in lines)


def is_wos(head: Head) -> bool:
    """Say whether this is a tagged export of Web of Science."""
    return bool(_WOS_START.match(head.text))


def read_ris(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record; a record without its first line, ``TY``, is read all the same."""
    for number, record in enumerate(records(source.lines(), _RIS), start=1):
        links = [link for value in record.all("UR", "LK", "L2", "L1") for link in value.replace(";", " ").split()]
        own = record.first("ID", "AN")
        pubmed = [match.group(1) for value in record.all("U1", "C7", "AN") if (match := _PUBMED.search(value))]
        yield RawPaper(
            number=number,
            id=own or None,
            title=record.first("TI", "T1", "CT", "BT"),
            abstract=record.first("AB", "N2"),
            authors=full_names(record.all("AU", "A1")),
            venue=record.first("JF", "JO", "T2", "C3", "BT", "JA", "J1", "J2") or None,
            year=first_year(*record.all("PY", "Y1", "DA")),
            url=address(*links),
            identifiers=known(
                *(("doi", value) for value in record.all("DO", "M3")),
                *spelled(own, *record.all("DO"), *links),
                *(("pubmed", value) for value in pubmed),
            ),
            kind=record.first("TY") or None,
            language=record.first("LA") or None,
        )


def read_wos(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record of Web of Science."""
    for number, record in enumerate(records(source.lines(), _WOS), start=1):
        kinds = [kind.strip() for kind in record.first("DT").split(";")]
        yield RawPaper(
            number=number,
            id=record.first("UT") or None,
            title=record.first("TI"),
            abstract=record.first("AB"),
            authors=full_names(record.all("AF") or record.all("AU")),
            venue=record.first("SO", "CT") or None,
            year=first_year(*record.all("PY", "EA")),
            identifiers=known(("doi", record.first("DI")), ("pubmed", record.first("PM"))),
            kind=kinds[0] or None,
            language=record.first("LA") or None,
        )
