"""TEI as GROBID writes it (https://grobid.readthedocs.io/en/latest/TEI-encoding-of-results/): papers with full text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, known
from kg.readers.values import NotAPaper, RawPaper
from kg.readers.xml import broken, fragments, local, root
from kg.readers.xml_text import blocks, children, descendants, first, first_text, paragraphs, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_tei", "read_tei"]

_CLOSED_HEADER = re.compile(r"</(?:[\w-]+:)?teiHeader\s*>")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def is_tei(head: Head) -> bool:
    """Say whether this is a TEI document or a corpus of them."""
    return root(head.text) in {"TEI", "TEI.2", "teiCorpus"}


def read_tei(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each document; one that is cut off is read where its header is whole."""
    for number, fragment in enumerate(fragments(source, {"TEI", "TEI.2"}), start=1):
        fault = None if _CLOSED_HEADER.search(fragment.text) else broken(fragment, number)
        yield fault or _document(fragment.element, number)


def _document(document: etree._Element, number: int) -> RawPaper:
    header = first(document, "teiHeader")
    file = first(header, "fileDesc")
    bibliography = first(file, "sourceDesc", "biblStruct")
    analytic = first(bibliography, "analytic")
    monograph = first(bibliography, "monogr")
    abstract = first(header, "profileDesc", "abstract")
    ids = {
        node.get("type", "").lower(): text(node)
        for part in (monograph, analytic, bibliography)
        for node in children(part, "idno")
    }
    date = first(file, "publicationStmt", "date")
    imprint = first(monograph, "imprint", "date")
    return RawPaper(
        number=number,
        id=ids.get("doi") or ids.get("arxiv") or ids.get("md5"),
        title=first_text(file, "titleStmt", "title") or first_text(analytic, "title"),
        abstract="" if abstract is None else "\n\n".join(paragraphs(abstract)),
        body=_sections(document),
        authors=tuple(filter(None, map(_name, children(analytic, "author")))),
        venue=first_text(monograph, "title") or None,
        year=first_year(*(_when(one) for one in (date, imprint) if one is not None)),
        url=address(*(node.get("target", "") for node in children(bibliography, "ptr"))),
        identifiers=known(
            ("doi", ids.get("doi", "")), ("arxiv", ids.get("arxiv", "").split("[")[0]), ("pubmed", ids.get("pmid", ""))
        ),
        language=None if header is None else header.get(_LANGUAGE),
    )


def _when(date: etree._Element) -> str:
    return f"{date.get('when', '')} {text(date)}"


def _name(author: etree._Element) -> str:
    person = first(author, "persName")
    if person is None:
        return ""
    return " ".join(text(part) for part in children(person, "forename", "surname", "genName") if text(part))


def _sections(document: etree._Element) -> tuple[str, ...]:
    """The full text: a string for each division of the body, then for each appendix."""
    body = first(document, "text", "body")
    annexes = (node for node in children(first(document, "text", "back"), "div") if node.get("type") == "annex")
    divisions = [*children(body, "div"), *(below for annex in annexes for below in descendants(annex, "div"))]
    loose = "" if body is None else "\n\n".join("\n\n".join(paragraphs(node)) for node in body if local(node) == "p")
    return tuple(filter(None, [loose, *map(blocks, divisions)]))
