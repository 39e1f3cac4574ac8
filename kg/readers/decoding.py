"""From bytes to text: encodings, and the characters that no output could carry."""

from __future__ import annotations

import codecs
import re

from kg.errors import InputError

__all__ = ["clean", "decode"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NOT_CHARACTERS = re.compile("[\ud800-\udfff\ufffe\uffff]")


def decode(data: bytes, name: str) -> str:
    """Decode a file: by its byte order mark, else UTF-8, else cp1252 (Latin-1 where that has no letter).

    Raises:
        InputError: the bytes are not text (they hold control characters that no text has), or break the
            encoding that their byte order mark announces.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name}: not valid {encoding} at byte {error.start}, as its first bytes say"
                ) from None
    if _CONTROL_BYTES.search(data):
        raise InputError(f"{name}: not a text file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _single_bytes(data)


def _single_bytes(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def clean(text: str) -> str:
    """Replace, one for one so that offsets stay, what neither RDF nor XML nor UTF-8 can carry.

    >>> clean("a\\x00b\\ud800c")
    'a b\\ufffdc'
    """
    return _NOT_CHARACTERS.sub("\ufffd", _CONTROLS.sub(" ", text))
