"""From a record of named values (a JSON object, a row of a table) to a raw paper, whatever the names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kg.readers.decoding import clean
from kg.readers.identity import identifier, identifiers_in
from kg.readers.values import RawPaper

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAMES", "raw_paper"]

#: Names under which the wild keeps each field, as letters and digits in lower case, the best first.
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "paperid", "forum", "uid", "citekey", "recordid", "number"),
    "title": ("title", "papertitle", "cleanname", "name", "titel"),
    "abstract": ("abstract", "summary", "paperabstract", "abstracttext", "abstractnote", "zusammenfassung", "tldr"),
    "authors": ("authors", "author", "authorlist", "speakersauthors", "creators"),
    "venue": ("venue", "booktitle", "conference", "journal", "publicationtitle", "journalref", "publication"),
    "year": ("year", "publicationyear", "date", "published", "pubdate", "issued", "updatedate", "jahr"),
    "url": ("url", "link", "pdfurl", "absurl"),
    "doi": ("doi",),
    "arxiv": ("arxivid", "arxiv", "eprint"),
    "openreview": ("openreviewid",),
    "acl": ("aclid", "anthologyid"),
    "pubmed": ("pmid", "pubmedid"),
    "reference": ("ref", "reference"),
}
_SCHEMES = ("doi", "arxiv", "openreview", "acl", "pubmed")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")


def raw_paper(record: Mapping[str, Any], number: int, *, own_id: str | None = None) -> RawPaper:
    """Make a raw paper of a record. Names are compared by their letters and digits, in lower case.

    Values wrapped as ``{"value": …}`` (OpenReview v2) or kept under ``content`` are unwrapped. `own_id` is
    the record's id where its container tells it (an object by key).
    """
    content = record.get("content")
    flat = {**record, **content} if isinstance(content, dict) else dict(record)
    values = {re.sub(r"[\W_]", "", str(k)).lower(): _unwrapped(v) for k, v in flat.items()}

    def first(name: str) -> Any:
        return next((values[n] for n in NAMES[name] if values.get(n) not in (None, "", [], {})), None)

    url = _text(first("url")) or None
    identity = _text(first("id")) or own_id
    found = [identifier(scheme, _text(first(scheme))) for scheme in _SCHEMES]
    spelled = [pair for text in (identity, url, _text(first("reference"))) if text for pair in identifiers_in(text)]
    identifiers = dict(reversed([pair for pair in (*found, *spelled) if pair is not None]))
    return RawPaper(
        number=number,
        id=clean(identity) if identity else None,
        title=clean(_text(first("title"))),
        abstract=clean(_text(first("abstract"))),
        authors=tuple(clean(name) for name in _names(first("authors"))),
        venue=clean(_text(first("venue"))) or None,
        year=_year(first("year")),
        url=url if url and url.startswith(("http://", "https://")) else None,
        identifiers=tuple(sorted(identifiers.items())),
    )


def _unwrapped(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) and "value" in value else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [name.strip() for name in re.split(r"\s*;\s*|\s+and\s+|\s*,\s*", value) if name.strip()]
    if not isinstance(value, list):
        return []
    return [name for item in value if (name := _name(item))]


def _name(item: Any) -> str:
    if isinstance(item, str):
        return item.strip()
    if not isinstance(item, dict):
        return ""
    whole = next((_text(item[k]) for k in ("name", "fullname", "literal") if item.get(k)), "")
    parts = (_text(item.get("firstName") or item.get("given")), _text(item.get("lastName") or item.get("family")))
    return (whole or " ".join(filter(None, parts))).strip()


def _year(value: Any) -> int | None:
    match = _YEAR.search(_text(value))
    return int(match.group()) if match else None
