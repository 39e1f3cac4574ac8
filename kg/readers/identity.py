"""Which paper a record is: identifiers in their normal form, the key, and records that are one paper.

Identifier forms: DOI handbook (https://www.doi.org/the-identifier/resources/handbook), arXiv
(https://info.arxiv.org/help/arxiv_identifier.html), both schemes since 2007 and before.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.model import Paper, Source
from kg.readers.handles import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.readers.values import RawPaper

__all__ = ["identifier", "identifiers_in", "merged", "paper", "text_key"]

_STRENGTH = ("doi", "arxiv", "openreview", "acl", "pubmed", "url")
_FORMS = {
    "doi": re.compile(r"^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)$", re.IGNORECASE),
    "arxiv": re.compile(
        r"^(?:arxiv:\s*|https?://(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html|format)/)?"
        r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?$",
        re.IGNORECASE,
    ),
    "openreview": re.compile(
        r"^(?:openreview:\s*|https?://(?:www\.)?openreview\.net/(?:forum|pdf)\?id=)?([\w-]{6,20})$", re.IGNORECASE
    ),
    "acl": re.compile(
        r"^(?:acl:\s*|https?://(?:www\.)?aclanthology\.org/)?([A-Z]\d{2}-\d{4}|\d{4}\.[\w-]+\.\d+)(?:\.pdf)?/?$",
        re.IGNORECASE,
    ),
    "pubmed": re.compile(
        r"^(?:(?:pubmed|pmid):\s*|https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)?"
        r"(\d{1,8})/?$",
        re.IGNORECASE,
    ),
}

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)


def identifier(scheme: str, value: str) -> tuple[str, str] | None:
    """Return (scheme, value in its normal form), or None where the value is none of that scheme.

    >>> identifier("arxiv", "http://arxiv.org/abs/2407.08608v2")
    ('arxiv', '2407.08608')
    >>> identifier("doi", "https://doi.org/10.1000/ABC")
    ('doi', '10.1000/abc')
    >>> identifier("doi", "10.48550/arXiv.2407.08608")
    ('arxiv', '2407.08608')
    >>> identifier("doi", "see below")
    """
    match = _FORMS[scheme].match(value.strip())
    if match is None:
        return None
    found = match.group(1)
    if scheme == "doi":
        of_arxiv = _ARXIV_DOI.match(found)
        return identifier("arxiv", of_arxiv.group(1)) if of_arxiv else (scheme, found.lower())
    return scheme, found


def identifiers_in(value: str) -> tuple[tuple[str, str], ...]:
    """Return the identifiers that a string with a prefix or an address spells out.

    >>> identifiers_in("arxiv:2407.08608"), identifiers_in("https://openreview.net/forum?id=abcDEF123")
    ((('arxiv', '2407.08608'),), (('openreview', 'abcDEF123'),))
    >>> identifiers_in("12345678")
    ()
    """
    if ":" not in value:
        return ()
    found = (identifier(scheme, value) for scheme in _FORMS)
    return tuple(pair for pair in found if pair is not None)


def paper(raw: RawPaper, file: str) -> Paper:
    """Make a paper of a raw record; its `id` is the record's own, or its key where it has none."""
    key = _key(raw)
    return Paper(
        key=key,
        id=raw.id or key,
        title=raw.title,
        abstract=raw.abstract,
        body=raw.body,
        authors=raw.authors,
        venue=raw.venue,
        year=raw.year,
        url=raw.url,
        identifiers=tuple(sorted(set(raw.identifiers))),
        sources=(Source(file, raw.number),),
    )


def _key(raw: RawPaper | Paper) -> str:
    known = dict(sorted(raw.identifiers, reverse=True))
    if raw.url:
        known["url"] = raw.url
    for scheme in _STRENGTH:
        if scheme in known:
            return f"{scheme}:{known[scheme]}"
    return text_key(raw.title, raw.abstract)


def text_key(*texts: str) -> str:
    """Return the key of a paper that nothing but its text identifies."""
    return "text:" + hashlib.sha256("\n".join(map(folded, texts)).encode("utf-8")).hexdigest()[:32]


def merged(group: Sequence[Paper]) -> Paper:
    """Make one paper of the records that are one: of two texts the longer abstract is kept.

    Its key is the strongest identifier of all, else that of the record whose text is kept. The result depends
    on the set of records alone, never on their order.
    """
    if len(group) == 1:
        return group[0]
    best, *others = sorted(group, key=lambda p: (-len(p.abstract), -len(p.title), _sortable(p)))
    own_key = best.key
    for other in others:
        best = replace(
            best,
            title=best.title or other.title,
            abstract=best.abstract or other.abstract,
            body=best.body or other.body,
            authors=best.authors or other.authors,
            venue=best.venue or other.venue,
            year=best.year or other.year,
            url=best.url or other.url,
            id=best.id if best.id != best.key else other.id,
            identifiers=tuple(sorted({*best.identifiers, *other.identifiers})),
        )
    key = own_key if (key := _key(best)).startswith("text:") else key
    return replace(
        best,
        key=key,
        id=best.id if best.id not in {p.key for p in group} else key,
        sources=tuple(sorted({source for one in group for source in one.sources})),
    )


def _sortable(one: Paper) -> tuple[str, ...]:
    return tuple(map(repr, (one.abstract, one.title, one.id, one.body, one.authors, one.venue, one.year, one.url)))
