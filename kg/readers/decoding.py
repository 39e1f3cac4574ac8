"""From bytes to text: encodings, and the characters that no output could carry.

A byte order mark tells the encoding. Without one, text with a zero in every other byte is UTF-16; all else is
read as UTF-8, and bytes that are none are read as cp1252, one by one: so a file in cp1252 or Latin-1 is read
right, and a single bad byte in a file of UTF-8 spoils nothing but itself.
"""

from __future__ import annotations

import codecs
import re

__all__ = ["clean", "decode_head", "decoder"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY = (
    b"%PDF-",
    b"PAR1",
    b"SQLite format 3\0",
    b"PK\x03\x04",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\xd0\xcf\x11\xe0",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c",
    b"{\\rtf",
)
_CONTROL_BYTES = bytes({*range(0x20), 0x7F} - set(b"\t\n\v\f\r\x1b"))
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NOT_CHARACTERS = re.compile("[\ud800-\udfff\ufffe\uffff]")
_SINGLE_BYTES = "kg-single-bytes"


def _as_single_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    found = (bytes([byte]) for byte in error.object[error.start : error.end])
    return "".join(
        one.decode("cp1252" if one not in b"\x81\x8d\x8f\x90\x9d" else "latin-1") for one in found
    ), error.end


codecs.register_error(_SINGLE_BYTES, _as_single_bytes)


def decoder(head: bytes) -> tuple[str, str]:
    """Return (encoding, name of the error handler) for text that starts with these bytes.

    >>> "naïve “x”".encode("cp1252").decode(*decoder("naïve “x”".encode("cp1252")))
    'naïve “x”'
    >>> "On X".encode("utf-16-be").decode(*decoder("On X".encode("utf-16-be")))
    'On X'
    """
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding, "replace" if encoding != "utf-8-sig" else _SINGLE_BYTES
    for encoding, zeros, others in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if zeros.count(0) > max(len(zeros) // 20, 20 * others.count(0)) and _is_readable(head, encoding):
            return encoding, "replace"
    return "utf-8", _SINGLE_BYTES


def _is_readable(head: bytes, encoding: str) -> bool:
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    return sum(one.isprintable() or one.isspace() for one in text) > 0.95 * len(text)


def decode_head(head: bytes) -> str:
    """Return the text of a file's first bytes, empty where they are not text; a cut last character is left out."""
    if head.startswith(_BINARY):
        return ""
    encoding, errors = decoder(head)
    if encoding.startswith("utf-8") and 50 * (len(head) - len(head.translate(None, _CONTROL_BYTES))) > len(head):
        return ""
    text = codecs.getincrementaldecoder(encoding)(errors).decode(head, final=False)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def clean(text: str) -> str:
    """Replace, one for one so that offsets stay, what neither RDF nor XML nor UTF-8 can carry.

    >>> clean("a\\x00b\\ud800c")
    'a b\\ufffdc'
    """
    return _NOT_CHARACTERS.sub("\ufffd", _CONTROLS.sub(" ", text))
