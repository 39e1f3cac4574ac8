"""From a record of named values (a JSON object, a row of a table, front matter) to a raw paper.

Names are compared by their letters and digits in lower case, so ``Paper Title``, ``paper_title`` and
``paperTitle`` are one. Values that the wild nests are looked for where it nests them: under ``content``
(OpenReview), ``data`` (Zotero), ``metadata`` (S2ORC), and as ``{"value": …}`` (OpenReview v2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kg.readers.fields import address, first_year, known, spelled
from kg.readers.people import names
from kg.readers.values import RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["NAMES", "plain_name", "raw_paper"]

_NAMES = {
    "id": "id paperid forum uid citekey citationkey key recordid submissionid number 编号",
    "title": "title papertitle titleofpaper cleanname titel titre titulo título titolo "
    "标题 题目 论文标题 论文题目 論文タイトル タイトル 제목 textitle displayname "
    "documenttitle articletitle itemtitle titles ti",
    "abstract": "abstract paperabstract abstracttext abstractnote abstractinvertedindex summary "
    "zusammenfassung résumé resume resumen resumo sommario 摘要 要旨 概要 초록 abstracts summaries ab",
    "authors": "authorsparsed authors author authorlist authornames speakersauthors authorships creators "
    "autoren autor auteurs autores 作者 著者 저자 authorfullnames af au",
    "venue": "venue booktitle conference journal conferencename proceedingstitle publicationtitle containertitle "
    "journalref publicationvenue primarylocation hostvenue publication repository konferenz 会议 sourcetitle so",
    "year": "year publicationyear jahr année año 年份 date publicationdate published pubdate issued "
    "publishedprint publishedonline created pdate updatedate pubyear py",
    "url": "url link paperurl paperlink absurl abs site openreview openreviewurl arxivurl pdfurl pdf pdflink "
    "landingpageurl primarylocation externalurl ref reference arxiv 链接",
    "kind": "itemtype type entrytype documenttype doctype contenttype",
    "language": "language lang langid",
}
#: Names under which the wild keeps each field, the best first.
NAMES: dict[str, tuple[str, ...]] = {field: tuple(names.split()) for field, names in _NAMES.items()}
_SCHEMES: dict[str, tuple[str, ...]] = {
    "arxiv": ("arxivid", "arxiv", "eprint", "archiveid"),
    "doi": ("doi", "itemdoi", "di"),
    "openreview": ("openreviewid",),
    "acl": ("aclid", "anthologyid", "acl"),
    "pubmed": ("pmid", "pubmedid", "pubmed", "pm"),
}
_NESTS = ("metadata", "data", "content")
_IDENTIFIERS = ("externalids", "ids", "identifiers")
_FULL_TEXTS = ("latex_parse", "grobid_parse", "pdf_parse")
_ARXIV = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?")
_EXTRA = re.compile(r"^\s*(arxiv|doi|pmid)\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_YEAR_OF_VENUE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WITHDRAWN = re.compile(r"withdraw", re.IGNORECASE)
#: An object around a value holds little more; an index of words may hold the word "value".
_MAX_WRAPPING = 4
_EMPTY: tuple[Any, ...] = ("", None, [], {})


def plain_name(name: str) -> str:
    """Return the letters and digits of a name in lower case, by which names are compared."""
    return "".join(filter(str.isalnum, name)).lower()


def raw_paper(record: Mapping[str, Any], number: int, *, own_id: str | None = None) -> RawPaper:
    """Make a raw paper of a record; `own_id` is its id where its container tells it (an object by key)."""
    values = _flattened(record)

    def all_of(field: str) -> Iterable[Any]:
        return (values[name] for name in NAMES[field] if values.get(name) not in _EMPTY)

    def text(field: str) -> str:
        return next(filter(None, map(_text, all_of(field))), "")

    identity = text("id") or own_id or ""
    authors = next(filter(None, map(names, all_of("authors"))), ())
    abstract = next(filter(None, map(_long_text, all_of("abstract"))), "")
    title = text("title")
    if not title and (authors or abstract):
        title = _text(values.get("name"))
    addresses = [found for value in all_of("url") for found in _addresses(value)]
    venue = next(filter(None, map(_venue, all_of("venue"))), "")
    return RawPaper(
        number=number,
        id=identity or None,
        title=title,
        abstract=abstract,
        body=_body(record, values),
        authors=authors,
        venue=venue or None,
        year=first_year(*map(_date, all_of("year"))) or _year_in(venue),
        url=address(*addresses, identity),
        identifiers=known(*_identifiers(record, values), *spelled(identity, *addresses), *_bare(identity)),
        kind=_kind(values, text("kind")),
        language=text("language") or None,
        exact=_has_spans(record),
    )


def _flattened(record: Mapping[str, Any]) -> dict[str, Any]:
    values = {plain_name(str(name)): _unwrapped(value) for name, value in record.items()}
    for nest in _NESTS:
        inner = record.get(nest)
        if isinstance(inner, dict):
            found = {plain_name(str(name)): _unwrapped(value) for name, value in inner.items()}
            values |= {name: value for name, value in found.items() if value not in _EMPTY}
    return values


def _unwrapped(value: Any) -> Any:
    is_wrapped = isinstance(value, dict) and "value" in value and not isinstance(value["value"], dict)
    return value["value"] if is_wrapped and len(value) <= _MAX_WRAPPING else value


def _text(value: Any) -> str:
    """A short text: a string, a number, or the first of a list that is one."""
    if isinstance(value, str):
        return value if value.strip() else ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return next(filter(None, map(_text, value)), "")
    return ""


def _long_text(value: Any) -> str:
    """A text that may come in paragraphs, or as the places of each word (OpenAlex)."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(_long_text, value)))
    if not isinstance(value, dict):
        return value if isinstance(value, str) else ""
    if isinstance(value.get("text"), str):
        return str(value["text"])
    places = [(at, word) for word, where in value.items() if isinstance(where, list) for at in where]
    return " ".join(word for _, word in sorted(place for place in places if isinstance(place[0], int)))


def _venue(value: Any) -> str:
    if not isinstance(value, dict):
        return _text(value)
    source = value.get("source")
    inner = source if isinstance(source, dict) else value
    return next(filter(None, (_text(inner.get(name)) for name in ("name", "display_name", "title"))), "")


def _date(value: Any) -> str:
    """A date as text: ``{"date-parts": [[2022, 10]]}`` (CSL, Crossref), ``[{"year": 2022}]`` and epochs too."""
    if isinstance(value, list):
        return next(filter(None, map(_date, value)), "")
    if not isinstance(value, dict):
        return _text(value)
    return next(filter(None, (_date(value.get(name)) for name in ("date-parts", "year", "raw", "literal"))), "")


def _year_in(venue: str) -> int | None:
    match = _YEAR_OF_VENUE.search(venue)
    return int(match.group()) if match else None


def _addresses(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [found for one in value.values() if isinstance(one, str) for found in _addresses(one)]
    if isinstance(value, list):
        return [found for one in value if isinstance(one, str | dict) for found in _addresses(one)]
    return [value] if isinstance(value, str) else []


def _identifiers(record: Mapping[str, Any], values: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    nested = [inner for name in _IDENTIFIERS if isinstance(inner := values.get(name), dict)]
    for where in (values, *({plain_name(str(name)): value for name, value in one.items()} for one in nested)):
        for scheme, keys in _SCHEMES.items():
            yield from ((scheme, found) for key in keys if (found := _text(where.get(key))))
    for one in nested:
        yield from spelled(*filter(None, map(_text, one.values())))
    yield from ((_scheme(name), value) for name, value in _EXTRA.findall(_text(values.get("extra"))))
    if isinstance(record.get("content"), dict) and isinstance(record.get("forum"), str):
        yield "openreview", record["forum"]


def _bare(identity: str) -> Iterable[tuple[str, str]]:
    """An id that can be nothing but arXiv's: year, month and a number."""
    return (("arxiv", identity),) if _ARXIV.fullmatch(identity) else ()


def _scheme(name: str) -> str:
    return {"pmid": "pubmed"}.get(name.lower(), name.lower())


def _kind(values: Mapping[str, Any], told: str) -> str | None:
    """The record's own kind; what OpenReview tells by other means: replies, and what was withdrawn."""
    if values.get("replyto") and values.get("replyto") != values.get("id"):
        return "reply"
    if _WITHDRAWN.search(f"{_text(values.get('status'))} {_text(values.get('venue'))}"):
        return "withdrawn"
    if values.get("isparatext") is True:
        return "paratext"
    return told or None


def _body(record: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, ...]:
    """The sections of a full text: S2ORC in its forms, ours, and a plain string."""
    for name in _FULL_TEXTS:
        parse = record.get(name)
        if isinstance(parse, dict) and isinstance(parse.get("body_text"), list) and parse["body_text"]:
            return _sections(parse["body_text"])
    body = values.get("bodytext") or values.get("body") or values.get("fulltext")
    if isinstance(body, list):
        return tuple(map(str, body)) if all(isinstance(part, str) for part in body) else _sections(body)
    return (body,) if isinstance(body, str) else ()


def _sections(paragraphs: list[Any]) -> tuple[str, ...]:
    sections: list[tuple[Any, list[str]]] = []
    for paragraph in paragraphs:
        if not isinstance(paragraph, dict) or not isinstance(paragraph.get("text"), str):
            continue
        heading = paragraph.get("section")
        if not sections or sections[-1][0] != heading:
            sections.append((heading, []))
        sections[-1][1].append(paragraph["text"])
    return tuple("\n".join(texts) for _, texts in sections)


def _has_spans(record: Mapping[str, Any]) -> bool:
    """Whether the record is an annotated one: it has a list of entities, whose mentions are spans of its own text."""
    entities = record.get("entities")
    return isinstance(entities, list) and "title" in record and "abstract" in record
