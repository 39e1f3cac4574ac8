"""What the XML formats share: records cut out of a stream one by one, each parsed for itself, safely.

Records are found by their tags in the text of the file and handed to lxml alone. So a file of any size is
read in the memory of one record, what is broken in one record spoils no other, and files that no parser
takes as a whole are read: several roots, undeclared prefixes, HTML entities without their DTD.

Nothing that a document type declares is ever loaded or expanded: a file that declares entities of its own
(https://owasp.org/www-community/vulnerabilities/XML_External_Entity_(XXE)_Processing) is refused.
"""

from __future__ import annotations

import codecs
import html
import io
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lxml import etree

from kg.errors import InputError
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import TextIO

    from kg.readers.source import Source

__all__ = ["MAX_RECORD_CHARACTERS", "Fragment", "broken", "fragments", "local", "root"]

MAX_RECORD_CHARACTERS = 64 * 1024 * 1024
_CHUNK = 64 * 1024
_ATTRIBUTES = r"""(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+"""
_PROLOG = re.compile(r"\s*+(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*)?>)", re.DOTALL)
_ROOT = re.compile(r"\s*+<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']""")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*+(\[(?:[^\]]|\](?!\s*>))*+\]\s*)?>")
_ENTITY = re.compile(r"<!ENTITY\b")
_CLOSINGS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_SECTION = re.compile(r"<!--|<!\[CDATA\[")
_REPAIRS = re.compile(r"<(?![A-Za-z_/!?])|&(?:(?P<name>[A-Za-z][A-Za-z0-9]*+);|(?P<number>#\w++);)?")


@dataclass(frozen=True, slots=True)
class Fragment:
    """An element cut out of a file. `name` is its local name.

    `closed` is false where the file breaks off inside it or another record starts there. `damage` says what
    is not well-formed in it, where the parser had to mend. A context comes as an empty element with its
    attributes alone.
    """

    name: str
    element: etree._Element
    text: str
    closed: bool = True
    damage: str | None = None


def root(text: str) -> str:
    """Return the local name of the root element of a text that starts as XML, else an empty string.

    >>> root('<?xml version="1.0"?><!DOCTYPE x SYSTEM "x.dtd"><!-- a --><a:feed b="c">'), root("plain")
    ('feed', '')
    """
    position = 0
    while match := _PROLOG.match(text, position):
        position = match.end()
    found = _ROOT.match(text, position)
    return found.group(1) if found else ""


def local(node: etree._Element) -> str:
    """Return the local name of an element, whatever its namespace and prefix; empty for what is no element."""
    return _local(node.tag) if isinstance(node.tag, str) else ""


@lru_cache(maxsize=4096)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2]


def fragments(source: Source, names: Collection[str], *, contexts: Collection[str] = ()) -> Iterator[Fragment]:
    """Yield each outermost element whose local name is one of `names`, and each start tag of `contexts`.

    Raises:
        InputError: the file declares entities, or its bytes are not text.
    """
    with _opened(source) as stream:
        yield from _Cutter(stream, frozenset(names), frozenset(contexts)).fragments()


def _opened(source: Source) -> TextIO:
    """Open the text in the encoding that its XML declaration names, where that is none that Python tells anyway."""
    match = _DECLARED.match(source.head)
    declared = match.group(1).decode("ascii") if match else "utf-8"
    try:
        encoding = codecs.lookup(declared).name
        "".encode(encoding)
    except (LookupError, ValueError):
        return source.open_text()
    if encoding.startswith(("utf", "ascii", "iso8859-1", "cp1252")):
        return source.open_text()
    return io.TextIOWrapper(source.open_binary(), encoding=encoding, errors="replace")


def broken(fragment: Fragment, number: int) -> NotAPaper | None:
    """Return why a fragment cannot be read as a whole, or None."""
    if not fragment.closed:
        return NotAPaper(number, None, f"the file is cut off or damaged inside this <{fragment.name}>")
    if not len(fragment.element) and fragment.damage:
        return NotAPaper(number, None, f"not well-formed XML: {fragment.damage}")
    return None


class _Cutter:
    """Finds the tags of records in a stream of text. `_position` is where the search goes on in `_text`."""

    def __init__(self, stream: TextIO, names: frozenset[str], contexts: frozenset[str]) -> None:
        self._stream = stream
        self._contexts = contexts
        alternatives = "|".join(sorted(map(re.escape, names | contexts), key=len, reverse=True))
        self._token = re.compile(
            rf"<!--|<!\[CDATA\[|<\?|<!DOCTYPE|<(?P<slash>/?)(?:[\w.-]+:)?(?P<name>{alternatives})(?=[\s/>])"
        )
        self._tag = re.compile(rf"</?[\w.:-]+{_ATTRIBUTES}>")
        self._text = ""
        self._position = 0
        self._start: int | None = None
        self._ended = False
        self._unclosed: set[str] = set()

    def fragments(self) -> Iterator[Fragment]:
        name = ""
        while match := self._next():
            kind = match.group()
            if kind == "<!DOCTYPE":
                self._skip_doctype()
            elif kind in _CLOSINGS:
                self._skip(kind)
            elif match["slash"]:
                if self._start is not None and match["name"] == name:
                    yield self._cut(name, self._end_of_tag())
                else:
                    self._position = match.end()
            else:
                if self._start is not None:
                    yield self._cut(name, self._position, closed=False)
                name = match["name"]
                yield from self._started(name)
        if self._start is not None:
            yield self._cut(name, len(self._text), closed=False)

    def _started(self, name: str) -> Iterator[Fragment]:
        self._start = self._position
        end = self._end_of_tag()
        if name in self._contexts or self._text[:end].endswith("/>"):
            yield self._cut(name, end)
        else:
            self._position = end

    def _cut(self, name: str, end: int, *, closed: bool = True) -> Fragment:
        text = self._text[self._start : end]
        self._start, self._position = None, end
        if name in self._contexts and not text.endswith("/>"):
            text = text.removesuffix(">") + "/>"
        element, damage = _parsed(text)
        return Fragment(name, element, text, closed, damage)

    def _next(self) -> re.Match[str] | None:
        """Go to the next token and return it, reading on as needed; None at the end of the file."""
        while True:
            match = self._token.search(self._text, self._position)
            if match is not None:
                self._position = match.start()
                return match
            held = self._text.rfind("<", max(self._position, len(self._text) - 256))
            self._position = held if held >= 0 else len(self._text)
            if not self._read():
                return None

    def _read(self) -> bool:
        """Read on; what lies before the open record is forgotten. False at the end of the file."""
        if self._ended:
            return False
        keep = self._position if self._start is None else self._start
        if len(self._text) - keep > MAX_RECORD_CHARACTERS:
            raise InputError(f"a record or a comment of more than {MAX_RECORD_CHARACTERS:,} characters")
        chunk = self._stream.read(max(_CHUNK, len(self._text) - keep))
        self._ended = not chunk
        self._text = self._text[keep:] + chunk
        self._position -= keep
        self._start = None if self._start is None else 0
        return bool(chunk)

    def _end_of_tag(self) -> int:
        """Return the index behind the tag at the position; behind its name alone where it is never closed."""
        while True:
            match = self._tag.match(self._text, self._position)
            if match is not None:
                return match.end()
            another = self._text.find("<", self._position + 1)
            if another >= 0 or not self._read():
                broken = self._text.find(">", self._position)
                return broken + 1 if broken >= 0 else min(self._position + 2, len(self._text))

    def _skip(self, opening: str) -> None:
        """Go behind a comment, a section or an instruction; behind its opening alone where it is never closed."""
        closing = _CLOSINGS[opening]
        searched = self._position + len(opening)
        while opening not in self._unclosed and (found := self._text.find(closing, searched)) < 0:
            ahead = max(len(self._text) - len(closing), searched) - self._position
            if not self._read():
                self._unclosed.add(opening)
            searched = self._position + ahead
        self._position += len(opening)
        if opening not in self._unclosed:
            self._position = found + len(closing)

    def _skip_doctype(self) -> None:
        """Go behind a document type; one that is never closed is no more than its opening.

        Raises:
            InputError: it declares entities.
        """
        match = None
        while not match and "<!DOCTYPE" not in self._unclosed:
            match = _DOCTYPE.match(self._text, self._position)
            if not match and self._read():
                continue
            if _ENTITY.search(self._text, self._position, match.end() if match else len(self._text)):
                raise InputError("the XML declares entities of its own, which are not expanded, for safety")
            if not match:
                self._unclosed.add("<!DOCTYPE")
        self._position = match.end() if match else self._position + len("<!DOCTYPE")


def _parsed(text: str) -> tuple[etree._Element, str | None]:
    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,
    )
    try:
        element = etree.fromstring(_mended(text), parser)
    except etree.XMLSyntaxError as error:
        return etree.Element("nothing"), str(error.msg)
    fatal = [entry for entry in parser.error_log if entry.level == etree.ErrorLevels.FATAL]
    message = re.sub(r" line \d+", "", fatal[0].message) if fatal else None
    return (etree.Element("nothing") if element is None else element), message


def _mended(text: str) -> str:
    """Undo what lxml would refuse: entities of HTML, signs that should have been escaped, sections, comments."""
    mended: list[str] = []
    unclosed: set[str] = set()
    position = 0
    while match := _SECTION.search(text, position):
        opening = match.group()
        end = -1 if opening in unclosed else text.find(_CLOSINGS[opening], match.end())
        if end < 0:
            unclosed.add(opening)
            mended += [_REPAIRS.sub(_repaired, text[position : match.start()]), "&#60;"]
            position = match.start() + 1
            continue
        mended.append(_REPAIRS.sub(_repaired, text[position : match.start()]))
        if opening == "<![CDATA[":
            inside = text[match.end() : end]
            mended.append(inside.replace("&", "&#38;").replace("<", "&#60;").replace(">", "&#62;"))
        position = end + 3
    mended.append(_REPAIRS.sub(_repaired, text[position:]))
    return "".join(mended)


def _repaired(match: re.Match[str]) -> str:
    found = match.group()
    if found in "<&":
        return f"&#{ord(found)};"
    known = html.unescape(found)
    if known == found or not known:
        return "&#38;" + found[1:]
    return "".join(f"&#{ord(character)};" for character in known if _allowed(character))


def _allowed(character: str) -> bool:
    return character in "\t\n\r" or (
        character >= " " and character not in "\ufffe\uffff" and not 0xD800 <= ord(character) < 0xE000
    )
