"""XML whose format no one said: which of the formats in XML it is, by its root element and what stands in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.readers.acl import is_acl, read_acl
from kg.readers.arxiv import is_atom, is_oai, read_atom, read_oai
from kg.readers.crossref_xml import is_crossref, read_crossref
from kg.readers.dblp import is_dblp, read_dblp
from kg.readers.endnote import is_endnote_xml, read_endnote_xml
from kg.readers.jats import is_jats, read_jats
from kg.readers.pubmed import is_pubmed, read_pubmed
from kg.readers.sniffing import Format, Head
from kg.readers.source import HEAD_BYTES
from kg.readers.tei import is_tei, read_tei
from kg.readers.xml import root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.source import Source
    from kg.readers.values import NotAPaper, RawPaper

__all__ = ["XML_FORMATS", "is_xml", "read_xml"]

_XML = re.compile(r"<\?xml\s|<[\w:.-]+\s[^<>]*\bxmlns\b")

#: The formats in XML; those that are told by what stands in a record go before those told by the root alone.
XML_FORMATS = (
    Format("jats", read_jats, is_jats, 90, (".nxml",)),
    Format("crossref-xml", read_crossref, is_crossref, 90),
    Format("arxiv-atom", read_atom, is_atom, 80),
    Format("oai", read_oai, is_oai, 80),
    Format("acl-xml", read_acl, is_acl, 80),
    Format("pubmed-xml", read_pubmed, is_pubmed, 80),
    Format("dblp", read_dblp, is_dblp, 80),
    Format("tei", read_tei, is_tei, 80, (".tei",)),
    Format("endnote-xml", read_endnote_xml, is_endnote_xml, 80),
)


def is_xml(head: Head) -> bool:
    """Say whether this is XML: a declaration or a namespace says so. HTML has a reader of its own."""
    return bool(_XML.match(head.text)) and root(head.text).lower() not in {"", "html"}


def read_xml(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the records of whichever format in XML this is.

    Raises:
        InputError: it is none of them.
    """
    head = Head.of(source, HEAD_BYTES)
    fitting = [one for one in XML_FORMATS if one.fits(head)]
    if not fitting:
        raise InputError(f"XML that is no list of papers of a known kind; its root is <{root(head.text) or '?'}>")
    yield from fitting[0].read(source)
