"""Sources made of text, and what a reader makes of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

from kg.readers.source import Source
from kg.readers.values import NotAPaper, RawPaper

Reader = Callable[[Source], Iterator[RawPaper | NotAPaper]]


def source(content: str | bytes, name: str = "input") -> Source:
    """A source of this text in UTF-8, or of these bytes."""
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    return Source(name, lambda: io.BytesIO(data))


def papers(read: Reader, content: str | bytes) -> list[RawPaper]:
    """The records of a text, all of which are papers."""
    found = list(read(source(content)))
    assert all(isinstance(one, RawPaper) for one in found), found
    return [one for one in found if isinstance(one, RawPaper)]


def paper(read: Reader, content: str | bytes) -> RawPaper:
    """The one record of a text."""
    (found,) = papers(read, content)
    return found


def refusals(read: Reader, content: str | bytes) -> list[tuple[int, str | None, str]]:
    """(number, key, reason) of each record that is no paper."""
    return [(one.number, one.key, one.reason) for one in read(source(content)) if isinstance(one, NotAPaper)]
