"""JSON and JSON Lines: a list, an object by key, one object a line, or any of these inside a wrapper.

Values are decoded one at a time from the stream, so a list of any length takes the memory of its longest
record, and what stands before a broken place is read.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kg.errors import InputError
from kg.readers.jsonstream import Broken, JsonStream
from kg.readers.mapping import plain_name, raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["is_json", "is_json_lines", "read_json", "read_json_lines", "records_of"]

_OBJECT = re.compile(r'\{\s*["}]')
_LIST = re.compile(r"\[\s*[\]{\[]")
#: Names under which the wild keeps its list of records, or what holds it.
_WRAPPERS = frozenset(
    (
        *("notes", "results", "data", "items", "papers", "submissions", "records", "documents", "samples", "hits"),
        *("message", "response", "result", "entries", "works", "articles", "publications", "docs", "accepted"),
        *("paperlist", "acceptedpapers", "posters", "list", "rows", "feed"),
    )
)
_OWN = ("title", "abstract", "papertitle", "abstractnote", "displayname", "itemtype", "pdfparse", "paperid")
_MAX_HELD = 1000
_SAMPLE_LINES = 50


def is_json(head: Head) -> bool:
    """Whether the text starts like a JSON object, or a list of objects."""
    return bool(_OBJECT.match(head.text) or _LIST.match(head.text))


def is_json_lines(head: Head) -> bool:
    """Whether the first line is a whole JSON object and others follow, or most of the first lines are one each."""
    lines = [line for line in head.lines if line.strip()][:_SAMPLE_LINES]
    if len(lines) > 1 and _is_object(lines[0]):
        return True
    objects = sum(bool(_OBJECT.match(line)) and line.rstrip().endswith("}") for line in lines)
    return objects > 1 and 3 * objects >= 2 * len(lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def read_json(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each record's paper, or why it is none.

    Raises:
        InputError: the text is not JSON, or holds no list of records.
    """
    with source.open_text() as text:
        stream = JsonStream(text)
        number = 0
        while stream.peek():
            for own_id, record in _records(stream):
                number += 1
                yield _paper(record, number, own_id)


def read_json_lines(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each line's paper, or why it is none. Blank lines do not count as records."""
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
    if isinstance(record, Broken):
        return NotAPaper(number, own_id, record)
    if not isinstance(record, dict):
        return NotAPaper(number, own_id, f"a record must be a JSON object, this is a {type(record).__name__}")
    try:
        return raw_paper(record, number, own_id=own_id)
    except RecursionError:
        return NotAPaper(number, own_id, "nested too deep")


def _records(stream: JsonStream) -> Iterator[tuple[str | None, Any]]:
    start = stream.peek()
    if start == "[":
        yield from _of_list(stream)
    elif start == "{":
        yield from _of_object(stream)
    else:
        raise InputError("holds no list of records")


def _of_list(stream: JsonStream) -> Iterator[tuple[str | None, Any]]:
    for value in stream.items():
        yield from records_of(value)


def records_of(value: Any) -> Iterable[tuple[str | None, Any]]:
    """Yield the records of a decoded value: itself, or those that it wraps (a venue with its submissions)."""
    if isinstance(value, dict) and not _is_record(value):
        for name, inner in value.items():
            if plain_name(name) in _WRAPPERS and _is_list_of_objects(inner):
                return [(None, record) for record in inner]
    return [(None, value)]


def _is_record(value: dict[str, Any]) -> bool:
    return any(plain_name(name) in _OWN for name in value)


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _of_object(stream: JsonStream) -> Iterator[tuple[str | None, Any]]:
    """Yield the records of an object: of the lists that it wraps, else itself, else its values by key.

    Raises:
        InputError: it is none of these.
    """
    found, held = yield from _walked(stream)
    if found or not held:
        return
    if _is_record(held) or any(
        _is_record(held[nest]) for nest in ("data", "content") if isinstance(held.get(nest), dict)
    ):
        yield None, held
    elif all(isinstance(value, dict) for value in held.values()):
        yield from held.items()
    else:
        lists = [value for value in held.values() if _is_list_of_objects(value)]
        if not any(_is_record(record) for records in lists for record in records):
            raise InputError("holds no list of records")
        yield from ((None, record) for records in lists for record in records)


def _walked(stream: JsonStream) -> Generator[tuple[str | None, Any], None, tuple[bool, dict[str, Any]]]:
    """Yield the records of the lists that an object wraps, deep; return whether it had one, and what else it held.

    Of an object of very many objects the values are yielded by their keys as they come.
    """
    held: dict[str, Any] = {}
    found = by_key = False
    for name in stream.members():
        wraps = plain_name(name) in _WRAPPERS and not by_key and not _is_record(held)
        if wraps and stream.peek() == "[":
            found = True
            yield from _of_list(stream)
        elif wraps and stream.peek() == "{":
            inner_found, inner = yield from _walked(stream)
            found = found or inner_found
            held[name] = inner
        else:
            held[name] = stream.value()
        if not found and len(held) > _MAX_HELD and all(isinstance(value, dict) for value in held.values()):
            found = by_key = True
        if by_key:
            yield from held.items()
            held = {}
    return found, held
