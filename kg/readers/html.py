"""HTML pages: told apart from text, and not read, for a page is no list of papers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import NotAPaper, RawPaper

__all__ = ["is_html", "read_html"]

_PAGE = re.compile(r"(?:<\?xml[^>]*\?>\s*|<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL)


def is_html(head: Head) -> bool:
    """Whether the text is an HTML page."""
    return bool(_PAGE.match(head.text))


def read_html(_source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Refuse the page.

    Raises:
        InputError: always; the message says what to do.
    """
    raise InputError("a web page, not a list of papers: save or export the list as BibTeX, RIS, CSV or JSON")
