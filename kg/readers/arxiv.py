"""arXiv as it gives its metadata away: Atom feeds of the API, and OAI-PMH in each of its metadata formats.

API: https://info.arxiv.org/help/api/user-manual.html. OAI-PMH: https://info.arxiv.org/help/oa/index.html
and, for Dublin Core, any other repository (https://www.openarchives.org/OAI/openarchivesprotocol.html).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, full_names, known, spelled
from kg.readers.values import NotAPaper, RawPaper
from kg.readers.xml import broken, fragments, local, root
from kg.readers.xml_text import children, first, first_text, paragraphs, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_atom", "is_oai", "read_atom", "read_oai"]

_METADATA = re.compile(r"<(?:[\w-]+:)?(?:arXiv|arXivRaw|arXivOld|dc)\b")
_WITHDRAWN = re.compile(
    r"\s*(?:(?:this|the)\s+)?(?:\w+\s+)?(?:(?:has|have)\s+been\s+|is\s+)?withdrawn\b", re.IGNORECASE
)
_VERSIONED = re.compile(r"https?://(?:\w+\.)?arxiv\.org/abs/(.+)")


def is_atom(head: Head) -> bool:
    """Say whether this is an Atom feed."""
    return root(head.text) in {"feed", "entry"}


def is_oai(head: Head) -> bool:
    """Say whether these are OAI-PMH records in Dublin Core or in one of arXiv's formats."""
    name = root(head.text)
    return name in {"OAI-PMH", "ListRecords", "GetRecord", "record"} and bool(_METADATA.search(head.text))


def read_atom(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each entry of a feed; the API tells its errors as entries, which are none."""
    for number, fragment in enumerate(fragments(source, {"entry"}), start=1):
        yield broken(fragment, number) or _entry(fragment.element, number)


def _entry(entry: etree._Element, number: int) -> RawPaper | NotAPaper:
    identity = first_text(entry, "id")
    match = _VERSIONED.match(identity)
    own = match.group(1) if match else identity
    if "/api/errors" in identity:
        told = first_text(entry, "summary") or "no reason told"
        return NotAPaper(number, own, f"an error of the arXiv API: {told}")
    if _WITHDRAWN.match(first_text(entry, "comment")):
        return NotAPaper(number, own or None, "withdrawn")
    links = {link.get("rel", "alternate"): link.get("href", "") for link in reversed([*children(entry, "link")])}
    titled = {link.get("title", ""): link.get("href", "") for link in children(entry, "link")}
    summary = first(entry, "summary") if first(entry, "summary") is not None else first(entry, "content")
    return RawPaper(
        number=number,
        id=own or None,
        title=first_text(entry, "title"),
        abstract="" if summary is None else "\n\n".join(paragraphs(summary)),
        authors=full_names(first_text(author, "name") for author in children(entry, "author")),
        venue=first_text(entry, "journal_ref") or None,
        year=first_year(first_text(entry, "published"), first_text(entry, "updated")),
        url=address(links.get("alternate", ""), identity),
        identifiers=known(
            ("doi", first_text(entry, "doi")), *spelled(identity, *links.values(), titled.get("doi", ""))
        ),
    )


def read_oai(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each OAI-PMH record; a deleted one has no metadata and is none."""
    for number, fragment in enumerate(fragments(source, {"record"}), start=1):
        yield broken(fragment, number) or _record(fragment.element, number)


def _record(record: etree._Element, number: int) -> RawPaper | NotAPaper:
    header = first(record, "header")
    own = first_text(header, "identifier")
    own = own.removeprefix("oai:arXiv.org:")
    if header is not None and header.get("status") == "deleted":
        return NotAPaper(number, own or None, "a deleted record")
    metadata = first(record, "metadata")
    content = next((node for node in metadata if local(node)), None) if metadata is not None else None
    if content is None:
        return NotAPaper(number, own or None, "a record without metadata")
    if local(content) == "dc":
        return _dublin_core(content, number, own)
    if local(content) in {"arXiv", "arXivRaw", "arXivOld"}:
        return _arxiv(content, number, own)
    return NotAPaper(number, own or None, f"metadata in a format that is not read: {local(content)}")


def _dublin_core(dc: etree._Element, number: int, own: str) -> RawPaper | NotAPaper:
    values: dict[str, list[str]] = {}
    for node in dc:
        values.setdefault(local(node), []).append(text(node))
    described = [one for one in values.get("description", []) if not one.startswith("Comment:")]
    comments = [one.removeprefix("Comment:") for one in values.get("description", []) if one.startswith("Comment:")]
    if any(map(_WITHDRAWN.match, comments)):
        return NotAPaper(number, own or None, "withdrawn")
    identifiers = values.get("identifier", []) + values.get("relation", [])
    kind = next((one for one in values.get("type", []) if one.lower() != "text"), None)
    return RawPaper(
        number=number,
        id=own or None,
        title=next(iter(values.get("title", [])), ""),
        abstract=next(iter(described), ""),
        authors=full_names(values.get("creator", [])),
        venue=next(iter(values.get("source", [])), None),
        year=first_year(*values.get("date", [])),
        url=address(*identifiers),
        identifiers=known(*spelled(*identifiers), ("arxiv", own)),
        kind=kind,
        language=next(iter(values.get("language", [])), None),
    )


def _arxiv(content: etree._Element, number: int, own: str) -> RawPaper | NotAPaper:
    identity = first_text(content, "id") or own
    if _WITHDRAWN.match(first_text(content, "comments")):
        return NotAPaper(number, identity or None, "withdrawn")
    listed = [
        " ".join(filter(None, (first_text(author, name) for name in ("forenames", "keyname", "suffix"))))
        for author in children(first(content, "authors"), "author")
    ]
    abstract = first(content, "abstract")
    return RawPaper(
        number=number,
        id=identity or None,
        title=first_text(content, "title"),
        abstract="" if abstract is None else "\n\n".join(paragraphs(abstract)),
        authors=tuple(filter(None, listed)) or _people(first_text(content, "authors")),
        venue=first_text(content, "journal-ref") or None,
        year=first_year(first_text(content, "created"), first_text(content, "version", "date")),
        url=f"https://arxiv.org/abs/{identity}" if known(("arxiv", identity)) else None,
        identifiers=known(("arxiv", identity), ("doi", first_text(content, "doi").split(" ")[0])),
    )


def _people(listed: str) -> tuple[str, ...]:
    """Split the authors of arXivRaw: ``A. Author, B. Author (1) and C. Author ((1) A University)``."""
    bare = re.sub(r"\((?:[^()]|\([^()]*\))*\)", " ", listed)
    return tuple(name for one in re.split(r",|\band\b", bare) if (name := " ".join(one.split())))
