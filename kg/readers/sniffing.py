"""Telling a file's format by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.json import read_json, read_json_lines
from kg.readers.table import header, read_table
from kg.readers.text import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kg.readers.values import RawPaper

    Reader = Callable[[str], Iterator[RawPaper | tuple[int, str]]]

__all__ = ["FORMATS", "sniff"]

_OBJECT = re.compile(r'\{\s*["}]')
_LIST = re.compile(r"\[\s*[\]{]")

#: Reader by the name that ``--format`` takes.
FORMATS: dict[str, Reader] = {
    "text": read_text,
    "json": read_json,
    "jsonl": read_json_lines,
    "table": read_table,
}


def sniff(text: str) -> str:
    """Return the name of the format of a text.

    >>> sniff('{"title": "A"}\\n{"title": "B"}\\n'), sniff('[{"title": "A"}]'), sniff("title,abstract\\nA,B\\n")
    ('jsonl', 'json', 'table')
    >>> sniff("NeurIPS\\n\\nWe propose X.\\n")
    'text'
    """
    start = text.lstrip()
    first, _, rest = start.partition("\n")
    if _OBJECT.match(start):
        return "jsonl" if first.rstrip().endswith("}") and _OBJECT.match(rest.lstrip()) else "json"
    if _LIST.match(start):
        return "json"
    return "table" if header(first) else "text"
