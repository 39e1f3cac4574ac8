"""JATS (https://jats.nlm.nih.gov), the articles of PubMed Central and of most publishers, with their full text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, known
from kg.readers.values import NotAPaper, RawPaper
from kg.readers.xml import broken, fragments, local, root
from kg.readers.xml_text import blocks, children, first, first_text, paragraphs, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["abstract_text", "is_jats", "read_jats"]

_ROOT = re.compile(r"<(?:[\w-]+:)?article\b")
_FRONT = re.compile(r"<(?:[\w-]+:)?(?:front|article-meta|journal-meta)\b")
_CLOSED_FRONT = re.compile(r"</(?:[\w-]+:)?front\s*>")
_OWN_HEADING = re.compile(r"(?:a\s*bstract|summary)\s*[.:]?\s+", re.IGNORECASE)
_OTHER_ABSTRACTS = frozenset({"graphical", "key-image", "editor", "teaser", "toc", "precis", "web-summary", "video"})


def is_jats(head: Head) -> bool:
    """Say whether this is a JATS article, or a set of them, or OAI-PMH records that hold them."""
    return bool(root(head.text) and _ROOT.search(head.text) and _FRONT.search(head.text))


def read_jats(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each ``article``; one that is cut off is read where its front is whole."""
    for number, fragment in enumerate(fragments(source, {"article"}), start=1):
        fault = None if _CLOSED_FRONT.search(fragment.text) else broken(fragment, number)
        yield fault or _article(fragment.element, number)


def _article(article: etree._Element, number: int) -> RawPaper:
    front = first(article, "front")
    meta = first(front, "article-meta") if front is not None else first(article, "front-stub")
    ids = {node.get("pub-id-type", ""): text(node) for node in reversed([*children(meta, "article-id")])}
    own = next((ids[kind] for kind in ("publisher-id", "pmc", "pmid", "doi", *ids) if ids.get(kind)), None)
    journal = first(front, "journal-meta")
    venue = first_text(journal, "journal-title-group", "journal-title") or first_text(journal, "journal-title")
    return RawPaper(
        number=number,
        id=own,
        title=_title(meta),
        abstract=_abstract(meta),
        body=_sections(article),
        authors=_authors(meta),
        venue=venue or None,
        year=_year(meta),
        url=address(*_links(meta)),
        identifiers=known(
            ("doi", ids.get("doi", "")), ("pubmed", ids.get("pmid", "")), ("arxiv", ids.get("arxiv", ""))
        ),
        kind=article.get("article-type"),
        language=article.get("{http://www.w3.org/XML/1998/namespace}lang"),
    )


def _title(meta: etree._Element | None) -> str:
    group = first(meta, "title-group")
    title = first_text(group, "article-title") or first_text(group, "alt-title")
    subtitle = first_text(group, "subtitle")
    return f"{title.rstrip(':')}: {subtitle}" if title and subtitle else title


def _abstract(meta: etree._Element | None) -> str:
    """The authors' abstract: the first without a type, else one that is no teaser or picture, else a translation."""
    found = [*children(meta, "abstract")]
    plain = [one for one in found if one.get("abstract-type") is None]
    typed = [one for one in found if one.get("abstract-type") not in {None, *_OTHER_ABSTRACTS}]
    ranked = map(abstract_text, [*plain, *typed, *children(meta, "trans-abstract")])
    return next(filter(None, ranked), "")


def abstract_text(abstract: etree._Element) -> str:
    """Return the paragraphs of an abstract, without the heading that says that it is one.

    >>> from lxml import etree
    >>> abstract_text(etree.fromstring("<abstract><title>A bstract</title><p>We do.</p></abstract>"))
    'We do.'
    """
    title = first(abstract, "title")
    own = title is not None and _OWN_HEADING.fullmatch(text(title) + " ")
    found = paragraphs(abstract)
    if own and found:
        found[0] = _OWN_HEADING.sub("", found[0], count=1) if _OWN_HEADING.match(found[0]) else found[0]
    return "\n\n".join(found)


def _sections(article: etree._Element) -> tuple[str, ...]:
    """The full text: a string for each section of the first level, then for each appendix."""
    body = first(article, "body")
    appendices = [*children(first(article, "back", "app-group"), "app"), *children(first(article, "back"), "app")]
    found: list[str] = []
    loose: list[str] = []
    for node in body if body is not None else ():
        if local(node) == "sec":
            found += [*_joined(loose), blocks(node)]
            loose = []
        else:
            loose += paragraphs(node)
    found += _joined(loose)
    found += map(blocks, appendices)
    return tuple(filter(None, found))


def _joined(lines: list[str]) -> list[str]:
    return ["\n\n".join(lines)] if lines else []


def _authors(meta: etree._Element | None) -> tuple[str, ...]:
    groups = children(meta, "contrib-group")
    people = (one for group in groups for one in children(group, "contrib"))
    return tuple(
        name for one in people if one.get("contrib-type") in {None, "author", "collab"} and (name := _name(one))
    )


def _name(contrib: etree._Element) -> str:
    name = first(contrib, "name") if first(contrib, "name") is not None else first(contrib, "name-alternatives", "name")
    if name is not None:
        return " ".join(filter(None, (first_text(name, part) for part in ("given-names", "surname", "suffix"))))
    whole = first(contrib, "string-name|collab")
    return "" if whole is None else text(whole, skip={"xref", "address", "contrib-group", "aff"})


def _year(meta: etree._Element | None) -> int | None:
    """The year of the first publication, in whatever form: online often goes before print."""
    found = (first_text(date, "year") for date in children(meta, "pub-date"))
    years = [int(year) for year in found if re.fullmatch(r"[12]\d{3}", year)]
    return min(years, default=None)


def _links(meta: etree._Element | None) -> Iterator[str]:
    href = "{http://www.w3.org/1999/xlink}href"
    yield from (link.get(href) or link.get("href") or text(link) for link in children(meta, "self-uri"))
    doi = next((text(node) for node in children(meta, "article-id") if node.get("pub-id-type") == "doi"), "")
    yield from (f"https://doi.org/{value}" for _, value in known(("doi", doi)))
