"""JSON and JSON Lines: a list, an object by key, one object a line, or any of these inside a wrapper."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kg.errors import InputError
from kg.readers.mapping import raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["is_json", "is_json_lines", "read_json", "read_json_lines"]

_OBJECT = re.compile(r'\{\s*["}]')
_LIST = re.compile(r"\[\s*[\]{]")
_WRAPPERS = ("notes", "results", "data", "items", "papers", "submissions", "records", "documents")


def is_json(head: Head) -> bool:
    """Whether the text starts like a JSON object, or a list of objects."""
    return bool(_OBJECT.match(head.text) or _LIST.match(head.text))


def is_json_lines(head: Head) -> bool:
    """Whether the first line is a whole JSON object, and the second one starts like one."""
    first, _, rest = head.text.partition("\n")
    return bool(_OBJECT.match(first) and first.rstrip().endswith("}") and _OBJECT.match(rest.lstrip()))


def read_json(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each record's paper, or (record number, reason) where it is none.

    Raises:
        InputError: the text is not JSON, or holds no list of records.
    """
    try:
        value = json.loads(source.text(), strict=False)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}") from None
    for number, (own_id, record) in enumerate(_records(value), start=1):
        yield _paper(record, number, own_id)


def read_json_lines(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each line's paper, or (line number, reason) where it is none. Blank lines do not count as records."""
    number = 0
    for line in source.lines():
        if not line.strip():
            continue
        number += 1
        try:
            record = json.loads(line, strict=False)
        except (ValueError, RecursionError) as error:
            yield NotAPaper(number, None, f"not valid JSON: {error}")
            continue
        yield _paper(record, number, None)


def _paper(record: Any, number: int, own_id: str | None) -> RawPaper | NotAPaper:
    if not isinstance(record, dict):
        return NotAPaper(number, own_id, f"a record must be a JSON object, this is a {type(record).__name__}")
    return raw_paper(record, number, own_id=own_id)


def _records(value: Any) -> list[tuple[str | None, Any]]:
    if isinstance(value, list):
        return [(None, record) for record in value]
    if not isinstance(value, dict):
        raise InputError("holds no list of records")
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), list):
            return [(None, record) for record in value[wrapper]]
    if isinstance(value.get("title"), str) or isinstance(value.get("abstract"), str):
        return [(None, value)]
    if value and all(isinstance(record, dict) for record in value.values()):
        return list(value.items())
    raise InputError("holds no list of records")
