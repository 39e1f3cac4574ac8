"""EndNote: its tagged export (``.enw``, that of refer and of Google Scholar too) and its XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, full_names, known, spelled
from kg.readers.tagged import Syntax, records
from kg.readers.values import RawPaper
from kg.readers.xml import broken, fragments, root
from kg.readers.xml_text import children, descendants, first, first_text, paragraphs, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_endnote", "is_endnote_xml", "read_endnote", "read_endnote_xml"]

_ENW = Syntax(line=re.compile(r"\ufeff?(%\S)(?:[ \t](.*))?$"), begins=frozenset({"%0"}), blank_ends=True)
_START = re.compile(r"\ufeff?%[0A-Z][ \t]\S")


def is_endnote(head: Head) -> bool:
    """Say whether these are EndNote's tags."""
    lines = [line for line in head.text.split("\n")[:4] if line.strip()]
    return bool(lines) and bool(_START.match(lines[0])) and all(_ENW.line.match(line) for line in lines[:2])


def is_endnote_xml(head: Head) -> bool:
    """Say whether this is EndNote's XML."""
    return root(head.text) in {"xml", "records"} and "<ref-type" in head.text


def read_endnote(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record."""
    for number, record in enumerate(records(source.lines(), _ENW), start=1):
        own, links = record.first("%F", "%M"), record.all("%U", "%>")
        yield RawPaper(
            number=number,
            id=own or None,
            title=record.first("%T"),
            abstract=record.first("%X"),
            authors=full_names(record.all("%A")),
            venue=record.first("%J", "%B", "%S") or None,
            year=first_year(*record.all("%D", "%8")),
            url=address(*links),
            identifiers=known(("doi", record.first("%R")), *spelled(own, record.first("%R"), *links)),
            kind=record.first("%0") or None,
            language=record.first("%G") or None,
        )


def read_endnote_xml(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record."""
    for number, fragment in enumerate(fragments(source, {"record"}), start=1):
        yield broken(fragment, number) or _record(fragment.element, number)


def _record(record: etree._Element, number: int) -> RawPaper:
    titles, kind, abstract = first(record, "titles"), first(record, "ref-type"), first(record, "abstract")
    urls = first(record, "urls")
    links = [] if urls is None else [text(node) for node in descendants(urls, "url")]
    doi = first_text(record, "electronic-resource-num")
    people = children(first(record, "contributors", "authors"), "author")
    return RawPaper(
        number=number,
        id=first_text(record, "label") or first_text(record, "rec-number") or None,
        title=first_text(titles, "title"),
        abstract="" if abstract is None else "\n\n".join(paragraphs(abstract)),
        authors=full_names(map(text, people)),
        venue=first_text(titles, "secondary-title") or first_text(record, "periodical", "full-title") or None,
        year=first_year(first_text(record, "dates", "year"), first_text(record, "dates")),
        url=address(*links),
        identifiers=known(("doi", doi), *spelled(doi, *links)),
        kind=None if kind is None else kind.get("name"),
        language=first_text(record, "language") or None,
    )
