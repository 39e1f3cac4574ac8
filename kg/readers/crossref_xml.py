"""Crossref XML: what its query services give (UNIXREF) and what publishers deposit.

https://www.crossref.org/documentation/schema-library/. A record is one article, paper or chapter; a journal,
proceedings volume or book is a record only where it holds none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, known
from kg.readers.jats import abstract_text
from kg.readers.values import RawPaper
from kg.readers.xml import broken, fragments, local, root
from kg.readers.xml_text import children, descendants, first, first_text, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper

__all__ = ["is_crossref", "read_crossref"]

_MARK = re.compile(r"<(?:[\w-]+:)?(?:crossref|crossref_result|doi_batch|doi_records)[\s>]")
#: The containers, each with the elements in it that are records of their own.
_CONTAINERS = {
    "journal": "journal_article",
    "conference": "conference_paper",
    "book": "content_item",
    "report-paper": "content_item",
    "database": "dataset",
}
_ALONE = ("posted_content", "dissertation", "standard", "peer_review", "sa_component", "grant", "pending_publication")
_METADATA = re.compile(r"(?!event_)\w+_metadata")


def is_crossref(head: Head) -> bool:
    """Say whether these are records of Crossref."""
    return bool(root(head.text) and _MARK.search(head.text))


def read_crossref(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each article, paper, chapter, preprint, report or thesis."""
    number = 0
    for fragment in fragments(source, {*_CONTAINERS, *_ALONE}):
        fault = broken(fragment, number + 1)
        if fault is not None:
            number += 1
            yield fault
            continue
        container = fragment.element
        inside = _CONTAINERS.get(fragment.name, "")
        for item in [*descendants(container, inside)] or [container]:
            number += 1
            yield _item(item, container, number)


def _item(item: etree._Element, container: etree._Element, number: int) -> RawPaper:
    own = item if item is not container else _metadata(container) if local(item) in _CONTAINERS else item
    doi = first_text(own, "doi_data", "doi")
    around = (own, first(container, "journal_issue"), _metadata(container))
    dates = [date for node in around for date in children(node, "publication_date", "posted_date", "approval_date")]
    abstracts = map(abstract_text, children(own, "abstract"))
    return RawPaper(
        number=number,
        id=doi or None,
        title=_title(own),
        abstract=next(filter(None, abstracts), ""),
        authors=tuple(filter(None, map(_name, children(first(own, "contributors"), "person_name", "organization")))),
        venue=_venue(container) if item is not container else None,
        year=first_year(*(first_text(date, "year") for date in dates)),
        url=address(first_text(own, "doi_data", "resource")),
        identifiers=known(("doi", doi)),
        kind=_kind(item, container),
        language=own.get("language"),
    )


def _metadata(container: etree._Element) -> etree._Element:
    """The element that describes a container which holds no items."""
    return next((node for node in container if _METADATA.fullmatch(local(node))), container)


def _title(own: etree._Element) -> str:
    titles = first(own, "titles")
    title = first_text(titles, "title") or first_text(own, "full_title") or first_text(own, "proceedings_title")
    subtitle = first_text(titles, "subtitle")
    return f"{title.rstrip(':')}: {subtitle}" if title and subtitle else title


def _venue(container: etree._Element) -> str | None:
    metadata = _metadata(container)
    name = next(
        (
            found
            for path in (("full_title",), ("proceedings_title",), ("titles", "title"))
            if (found := first_text(metadata, *path))
        ),
        "",
    )
    return name or first_text(container, "event_metadata", "conference_name") or None


def _name(contributor: etree._Element) -> str:
    if contributor.get("contributor_role") not in {None, "author"}:
        return ""
    if local(contributor) == "organization":
        return text(contributor)
    return " ".join(filter(None, (first_text(contributor, part) for part in ("given_name", "surname", "suffix"))))


def _kind(item: etree._Element, container: etree._Element) -> str:
    if item is container:
        return "proceedings" if local(item) == "conference" else item.get("type") or local(item)
    return item.get("component_type") or local(item)
