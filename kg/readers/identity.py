"""Which paper a record is: identifiers in their normal form, the key, and records that are one paper.

Identifier forms: DOI handbook (https://www.doi.org/the-identifier/resources/handbook), arXiv
(https://info.arxiv.org/help/arxiv_identifier.html), both schemes since 2007 and before.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.model import Paper, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.readers.values import RawPaper

__all__ = ["identifier", "identifiers_in", "paper", "unite"]

_STRENGTH = ("doi", "arxiv", "openreview", "acl", "pubmed", "url")
_FORMS = {
    "doi": re.compile(r"^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)$", re.IGNORECASE),
    "arxiv": re.compile(
        r"^(?:arxiv:\s*|https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/)?"
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


def identifier(scheme: str, value: str) -> tuple[str, str] | None:
    """Return (scheme, value in its normal form), or None where the value is none of that scheme.

    >>> identifier("arxiv", "http://arxiv.org/abs/2407.08608v2")
    ('arxiv', '2407.08608')
    >>> identifier("doi", "https://doi.org/10.1000/ABC")
    ('doi', '10.1000/abc')
    >>> identifier("doi", "see below")
    """
    match = _FORMS[scheme].match(value.strip())
    if match is None:
        return None
    found = match.group(1)
    return scheme, found.lower() if scheme == "doi" else found


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


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


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
    text = _folded(raw.title) + "\n" + _folded(raw.abstract)
    return "text:" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def unite(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Make one paper of all records that share an identifier, or title and authors; sort by key.

    Of two texts the longer abstract is kept. An `id` that several papers claim is replaced by their keys.
    The result depends on the set of records alone, never on their order.
    """
    papers = list(papers)
    parent = list(range(len(papers)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first: dict[tuple[str, ...], int] = {}
    for index, one in enumerate(papers):
        for handle in _handles(one):
            parent[root(index)] = root(first.setdefault(handle, index))
    groups: dict[int, list[Paper]] = defaultdict(list)
    for index, one in enumerate(papers):
        groups[root(index)].append(one)
    return _with_unique_ids(sorted((_merged(group) for group in groups.values()), key=lambda p: p.key))


def _handles(one: Paper) -> Iterable[tuple[str, ...]]:
    yield ("key", one.key)
    yield from one.identifiers
    if one.title and one.authors:
        yield ("title", _folded(one.title), *map(_folded, one.authors))


def _merged(group: list[Paper]) -> Paper:
    if len(group) == 1:
        return group[0]
    best, *others = sorted(group, key=lambda p: (-len(p.abstract), -len(p.title), _sortable(p)))
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
    key = _key(best)
    return replace(
        best,
        key=key,
        id=best.id if best.id not in {p.key for p in group} else key,
        sources=tuple(sorted({source for one in group for source in one.sources})),
    )


def _sortable(one: Paper) -> tuple[str, ...]:
    return tuple(map(repr, (one.abstract, one.title, one.id, one.body, one.authors, one.venue, one.year, one.url)))


def _with_unique_ids(papers: list[Paper]) -> tuple[Paper, ...]:
    claims = Counter(one.id for one in papers)
    claims.update(one.key for one in papers if one.id != one.key)
    return tuple(one if claims[one.id] == 1 else replace(one, id=one.key) for one in papers)
