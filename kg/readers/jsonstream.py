"""Pulling values out of a stream of JSON one at a time, with the standard library's decoder for each."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

__all__ = ["Broken", "JsonStream"]

_CHUNK = 256 * 1024
_MAX_VALUE = 64 * 1024 * 1024
#: Behind a number that the end of the buffer cuts in two.
_OF_NUMBERS = frozenset("0123456789.eE+-")
_SPACE = re.compile(r"[ \t\n\r]*")
_NEXT_OBJECT = re.compile(r"\}\s*,\s*(?=\{\s*\")")


class Broken(str):
    """Stands in a list for a value that cannot be decoded, and says why."""

    __slots__ = ()


class JsonStream:
    """JSON text that is read as it is asked for.

    >>> import io
    >>> stream = JsonStream(io.StringIO('{"meta": {"count": 2}, "results": [{"a": 1}, {"a": 2}]}'))
    >>> for name in stream.members():
    ...     print(name, list(stream.items()) if stream.peek() == "[" else stream.value())
    meta {'count': 2}
    results [{'a': 1}, {'a': 2}]
    """

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._decoder = json.JSONDecoder(strict=False)
        self._buffer = ""
        self._at = 0
        self._ended = False

    def peek(self) -> str:
        """Return the next character that is no white space, empty at the end."""
        while True:
            match = _SPACE.match(self._buffer, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._fill():
                return ""

    def value(self) -> Any:
        """Decode the next value.

        Raises:
            InputError: there is none, or it is not valid, or longer than any record is.
        """
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except RecursionError:
                raise InputError("not valid JSON: nested too deep") from None
            except ValueError as error:
                if self._is_final(error) or not self._fill():
                    raise InputError(f"not valid JSON: {_reason(error)}") from None
                continue
            goes_on = end == len(self._buffer) or self._buffer[end] in _OF_NUMBERS
            if not goes_on or not self._fill():
                self._at = end
                return value

    def members(self) -> Iterator[str]:
        """Yield the names of the object that comes next; the caller takes the value of each.

        Raises:
            InputError: it is not valid JSON.
        """
        self._expect("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise InputError("not valid JSON: a name must be a string")
            self._expect(":")
            yield name
            if self._expect(",}") == "}":
                return

    def items(self) -> Iterator[Any]:
        """Yield each value of the list that comes next; `Broken` for one that is not valid where another follows.

        Raises:
            InputError: the list is not valid to its end.
        """
        self._expect("[")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            try:
                value = self.value()
                more = self._expect(",]") == ","
            except InputError as error:
                if not self._skip_to_next_object():
                    raise
                yield Broken(str(error))
                continue
            yield value
            if more and self.peek() == "]":  # a comma behind the last value, as people leave it
                more = False
                self._at += 1
            if not more:
                return

    def _expect(self, signs: str) -> str:
        found = self.peek()
        if not found or found not in signs:
            raise InputError(f"not valid JSON: {' or '.join(signs)} expected, {found or 'the end'} found")
        self._at += 1
        return found

    def _skip_to_next_object(self) -> bool:
        while True:
            match = _NEXT_OBJECT.search(self._buffer, self._at)
            if match:
                self._at = match.end()
                return True
            if len(self._buffer) - self._at > _MAX_VALUE or not self._fill():
                return False

    def _is_final(self, error: ValueError) -> bool:
        """Whether more text could not make the value valid."""
        if len(self._buffer) - self._at > _MAX_VALUE:
            return True
        if not isinstance(error, json.JSONDecodeError):
            return True
        return not error.msg.startswith("Unterminated string") and error.pos < len(self._buffer) - 16

    def _fill(self) -> bool:
        """Read on, twice as much as is left; say whether there was more."""
        if self._ended:
            return False
        left = self._buffer[self._at :]
        more = self._text.read(max(_CHUNK, len(left)))
        self._buffer, self._at, self._ended = left + more, 0, not more
        return bool(more)


def _reason(error: ValueError) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)
