"""The ACL Anthology's own XML (https://github.com/acl-org/acl-anthology, data/xml): a collection of volumes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, known
from kg.readers.values import NotAPaper, RawPaper
from kg.readers.xml import broken, fragments, root
from kg.readers.xml_text import children, first, first_text, paragraphs, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_acl", "read_acl"]


def is_acl(head: Head) -> bool:
    """Say whether this is a collection of the Anthology."""
    return root(head.text) == "collection" and "<volume" in head.text


@dataclass(frozen=True, slots=True)
class _Volume:
    """What the papers of a volume share. `journal` is whether it is an issue of a journal."""

    id: str = ""
    journal: bool = False
    title: str = ""
    year: int | None = None


def read_acl(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each ``paper`` element; the front matter of a volume is a record and no paper."""
    collection, volume, number = "", _Volume(), 0
    for fragment in fragments(source, {"meta", "frontmatter", "paper"}, contexts={"collection", "volume"}):
        element = fragment.element
        match fragment.name:
            case "collection":
                collection = element.get("id", "")
            case "volume":
                volume = _Volume(_joined(collection, element.get("id", "")), element.get("type") == "journal")
            case "meta":
                year = first_year(first_text(element, "year"))
                volume = _Volume(volume.id, volume.journal, first_text(element, "booktitle"), year)
            case "frontmatter":
                number += 1
                own = first_text(element, "url") or first_text(element, "bibkey")
                yield NotAPaper(number, own or None, "the front matter of a volume")
            case _:
                number += 1
                yield broken(fragment, number) or _paper(element, number, volume)


def _joined(collection: str, volume: str) -> str:
    return f"{collection}-{volume}" if collection and volume else collection or volume


def _own_id(paper: etree._Element, volume: _Volume) -> str:
    """The Anthology's id of a paper: ``2022.naloma-1.3``, of old collections ``J89-1003``."""
    url = first_text(paper, "url")
    if url and "/" not in url:
        return url
    inside = paper.get("id", "")
    if not volume.id or not inside:
        return first_text(paper, "bibkey") or inside
    old = volume.id[:1].isalpha() and inside.isdecimal()
    width = 2 if volume.id.startswith("W") else 3
    return f"{volume.id}{int(inside):0{width}d}" if old else f"{volume.id}.{inside}"


def _paper(paper: etree._Element, number: int, volume: _Volume) -> RawPaper | NotAPaper:
    own = _own_id(paper, volume)
    for name, state in (("retracted", "retracted"), ("removed", "removed from the Anthology")):
        if first(paper, name) is not None:
            return NotAPaper(number, own or None, f"{state}: {first_text(paper, name)}".rstrip(": "))
    abstract = first(paper, "abstract")
    if volume.journal and abstract is None and first(paper, "pages") is None and first(paper, "doi") is None:
        return NotAPaper(number, own or None, "a notice or a review: in an issue of a journal, without pages")
    identifiers = known(("acl", own), ("doi", first_text(paper, "doi")))
    url = f"https://aclanthology.org/{own}/" if ("acl", own) in identifiers else None
    return RawPaper(
        number=number,
        id=own or None,
        title=first_text(paper, "title"),
        abstract="" if abstract is None else "\n\n".join(paragraphs(abstract)),
        authors=tuple(filter(None, map(_name, children(paper, "author")))),
        venue=volume.title or None,
        year=volume.year,
        url=address(first_text(paper, "url")) or url,
        identifiers=identifiers,
        kind="article" if volume.journal else "paper",
        language=first_text(paper, "language") or None,
    )


def _name(author: etree._Element) -> str:
    return " ".join(filter(None, (first_text(author, "first"), first_text(author, "last")))) or text(author)
