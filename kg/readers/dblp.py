"""DBLP's XML (https://dblp.org/faq/What+do+I+find+in+dblp+xml): the whole dump, a person's page, a single record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, known, spelled, without_added_stop
from kg.readers.values import RawPaper
from kg.readers.xml import broken, fragments, root
from kg.readers.xml_text import children, first_text, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_dblp", "read_dblp"]

_WORKS = ("article", "inproceedings", "incollection", "phdthesis", "mastersthesis")
_RECORDS = frozenset({*_WORKS, "proceedings", "book", "www", "data"})
_KEYED = re.compile(rf"<(?:{'|'.join(sorted(_RECORDS))})\s[^>]*\bkey\s*=")
_HOMONYM = re.compile(r"\s+\d{4}$")


def is_dblp(head: Head) -> bool:
    """Say whether these are records of DBLP."""
    name = root(head.text)
    return name in {"dblp", "dblpperson"} or (name in _RECORDS and bool(_KEYED.search(head.text)))


def read_dblp(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each record."""
    for number, fragment in enumerate(fragments(source, _RECORDS), start=1):
        yield broken(fragment, number) or _record(fragment.element, fragment.name, number)


def _record(record: etree._Element, kind: str, number: int) -> RawPaper:
    links = [text(link) for link in children(record, "ee", "url")]
    return RawPaper(
        number=number,
        id=record.get("key"),
        title=without_added_stop(first_text(record, "title")),
        authors=tuple(_HOMONYM.sub("", name) for author in children(record, "author") if (name := text(author))),
        venue=first_text(record, "journal") or first_text(record, "booktitle") or first_text(record, "school") or None,
        year=first_year(first_text(record, "year")),
        url=address(*links),
        identifiers=known(*spelled(*links, first_text(record, "volume").replace("abs/", "arxiv:"))),
        kind=record.get("publtype") if record.get("publtype") in {"withdrawn", "data", "software"} else kind,
    )
