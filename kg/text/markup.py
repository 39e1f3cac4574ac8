r"""TeX, Markdown and HTML to plain text, for reading only, with a way back to the source.

>>> read = plain(r"We present \textbf{FPRM} and **Compr**ession, built on $\pi_0$.")
>>> read.text
'We present FPRM and Compression, built on π0.'
>>> [read.source[slice(*read.span(*where))] for where in ((11, 15), (20, 31), (42, 44))]
['FPRM', '**Compr**ession', '\\pi_0']

One pass over the source after one pass that pairs what has to be closed, so the time is linear in its length
whatever the source holds. What is not closed, or does not look like markup, is text and stays.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.text.tex import ACCENTS, LETTER_ACCENTS, SILENT, SYMBOLS, accented

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PlainText", "plain"]

_SPECIAL = re.compile(r"[\\${}*_`<&~^\[\]]|-{2,3}(?!-)|''|\s{2,}|[^\S ]")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_ACCENT = re.compile(
    r"""\\(['`"^~=.])(?:\{\\?([^\W\d_])\}|\\?([^\W\d_]))|\\([cuvHrkdb])(?:\{\\?([^\W\d_])\}| ([^\W\d_]))"""
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,30})(?:\s[^<>]{0,400})?/?>")
_LINK_END = re.compile(r"\]\([^()\s]{1,500}\)")
_SIGNS = re.compile(r"\\.|\*+|(?<!_)_{1,2}(?!_)|`+|\$\$?", re.DOTALL)
_EMPHASIS = re.compile(r"\*+|_{1,3}|`+|\$\$?")
_BREAKING = "p br li ul ol div title sec tr td th table h1 h2 h3 h4 h5 h6 list list-item"
_INLINE = (
    "i b u s a em strong sub sup sc scp tt code span font small big mark italic bold monospace underline "
    "inline-formula tex-math alternatives styled-content named-content xref ext-link math mi mo mn mrow msub msup "
    "mtext mstyle semantics abstract"
)
_BREAKING_TAGS, _INLINE_TAGS = frozenset(_BREAKING.split()), frozenset(_INLINE.split())
_FONTS = frozenset(("left", "right", "displaystyle", "bf", "it", "em", "tt", "rm", "sc", "sf"))
_REACH = 400
"""A pair of Markdown signs or dollars further apart than this is no pair."""


@dataclass(frozen=True)
class PlainText:
    """Plain text with, for each character, where it stands in the source.

    `offsets` has one entry for each character, the start of what it was read from, and one for the end; `ends`
    holds where each character's source ends. Both never decrease.
    """

    source: str
    text: str
    offsets: tuple[int, ...]
    ends: tuple[int, ...] = field(repr=False)
    opened: dict[int, tuple[int, int, int, int]] = field(default_factory=dict, repr=False, compare=False)
    closed: dict[int, tuple[int, int, int, int]] = field(default_factory=dict, repr=False, compare=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters from `start` to `end` stand in the source.

        Markup around them is left outside; a pair of markup signs of which one lies inside comes in whole.

        Raises:
            ValueError: the span is empty or does not lie in the text.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no span of a text of {len(self.text)} characters: {start}, {end}")
        first, last = self.offsets[start], self.ends[end - 1]
        while (group := self.opened.get(first)) and group[2] < last:
            first = group[0]
        while (group := self.closed.get(last)) and group[1] > first:
            last = group[3]
        return first, last


def plain(source: str) -> PlainText:
    """Read TeX, Markdown and HTML as plain text; runs of white space become one space."""
    if not _SPECIAL.search(source):
        places = tuple(range(len(source) + 1))
        return PlainText(source, source, places, places[1:])
    return _Reading(source).run()


class _Reading:
    """One reading of one source; `run` may be called once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.groups: list[tuple[int, int, int, int]] = []
        self.braces = _brackets(source, "{", "}")
        self.squares = _brackets(source, "[", "]")
        self.signs = _pairs(source)
        self.tags: dict[str, list[tuple[int, int]]] = {}
        self.openers: dict[int, int] = {}
        self.math = 0
        self.readers: dict[str, Callable[[int], int]] = {
            "\\": self.command, "{": self.brace, "}": self.brace, "[": self.link, "]": self.link,
            "<": self.tag, "&": self.entity, "~": self.tie, "^": self.script,
        }  # fmt: skip

    def run(self) -> PlainText:
        position = 0
        while special := _SPECIAL.search(self.source, position):
            self.keep(position, special.start())
            position = self.step(special.start(), special.group())
        self.keep(position, len(self.source))
        opened: dict[int, tuple[int, int, int, int]] = {}
        closed: dict[int, tuple[int, int, int, int]] = {}
        for group in self.groups:
            opened.setdefault(group[1], group)
            closed.setdefault(group[2], group)
        offsets = (*self.starts, len(self.source))
        return PlainText(self.source, "".join(self.chars), offsets, tuple(self.ends), opened, closed)

    def keep(self, start: int, end: int) -> None:
        """Take the source as it stands."""
        self.chars.extend(self.source[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def emit(self, text: str, start: int, end: int) -> int:
        """Read the source from start to end as `text`; return the end."""
        if text == " " and self.chars and self.chars[-1] == " ":
            self.ends[-1] = end
            return end
        self.chars.extend(text)
        self.starts.extend([start] * len(text))
        self.ends.extend([end] * len(text))
        return end

    def step(self, at: int, found: str) -> int:
        """Read what stands at `at`; return where to go on."""
        if found.isspace():
            return self.emit(" ", at, at + len(found))
        if found[0] == "-":
            return self.emit("–" if len(found) == 2 else "—", at, at + len(found))
        if found == "''":
            return self.emit("”", at, at + 2)
        return self.readers.get(found, self.sign)(at)

    def literal(self, at: int) -> int:
        self.keep(at, at + 1)
        return at + 1

    def command(self, at: int) -> int:
        if accent := _ACCENT.match(self.source, at):
            sign, letter_command = accent.group(1), accent.group(4)
            letter = accent.group(2) or accent.group(3) or accent.group(5) or accent.group(6)
            mark = ACCENTS[sign] if sign else LETTER_ACCENTS[letter_command]
            return self.emit(accented(letter, mark), at, accent.end())
        if named := _COMMAND.match(self.source, at):
            return self.named(at, named.group(1), named.end())
        following = self.source[at + 1 : at + 2]
        if following in ("&", "%", "$", "#", "_", "{", "}"):
            return self.emit(following, at, at + 2)
        if following in ("\\", ",", ";", ":", " "):
            return self.emit(" ", at, at + 2)
        return at + 2 if following in ("(", ")", "[", "]", "!", "/") else self.literal(at)

    def named(self, at: int, name: str, end: int) -> int:
        """Read a command that has a name and ends at `end`."""
        if self.source.startswith("{", end) and end in self.braces:
            close = self.braces[end]
            if name in SILENT:
                return close + 1
            if name == "href" and self.source.startswith("{", close + 1) and close + 1 in self.braces:
                self.openers[close + 1] = at
                return close + 1
            self.openers[end] = at
            return end
        if name in SYMBOLS:
            return self.emit(SYMBOLS[name], at, end)
        if name in _FONTS:
            return end + self.source.startswith(" ", end)
        self.keep(at + 1, end)
        return end

    def brace(self, at: int) -> int:
        if at not in self.braces:
            return self.literal(at)
        other = self.braces[at]
        if other > at:
            self.groups.append((self.openers.get(at, at), at + 1, other, other + 1))
        return at + 1

    def link(self, at: int) -> int:
        if at not in self.squares:
            return self.literal(at)
        other = self.squares[at]
        if other > at:
            if close := _LINK_END.match(self.source, other):
                self.groups.append((at, at + 1, other, close.end()))
                self.openers[other] = close.end()
                return at + 1
            return self.literal(at)
        return self.openers[at] if at in self.openers else self.literal(at)

    def tag(self, at: int) -> int:
        tag = _TAG.match(self.source, at)
        if tag is None:
            return self.literal(at)
        name = tag.group(2).rpartition(":")[2].lower()
        if name in _BREAKING_TAGS:
            return self.emit(" ", at, tag.end())
        if name not in _INLINE_TAGS:
            return self.literal(at)
        if not tag.group(1):
            self.tags.setdefault(name, []).append((at, tag.end()))
        elif self.tags.get(name):
            start, content = self.tags[name].pop()
            self.groups.append((start, content, at, tag.end()))
        return tag.end()

    def entity(self, at: int) -> int:
        entity = _ENTITY.match(self.source, at)
        if entity is None:
            return self.literal(at)
        text = html.unescape(entity.group())
        if text == entity.group() or not text.isprintable():
            return self.emit(" ", at, entity.end()) if text.isspace() else self.literal(at)
        return self.emit(text, at, entity.end())

    def tie(self, at: int) -> int:
        before, after = self.source[at - 1 : at], self.source[at + 1 : at + 2]
        tied = before.strip() and after.strip() and before not in "~(" and after != "~"
        return self.emit(" ", at, at + 1) if tied else self.literal(at)

    def script(self, at: int) -> int:
        after = self.source[at + 1 : at + 2]
        return at + 1 if after.isalnum() or after in ("{", "\\") else self.literal(at)

    def sign(self, at: int) -> int:
        """Read a run of emphasis signs, backticks or dollars, which `_pairs` has paired or not."""
        run = _EMPHASIS.match(self.source, at)
        end = run.end() if run else at + 1
        other = self.signs.get(at)
        if other is not None:
            if other > at:
                self.groups.append((at, end, other, other + end - at))
            if self.source[at] == "$":
                self.math = other if other > at else 0
            return end
        if self.source.startswith("``", at) and end - at == 2:
            return self.emit("“", at, end)
        if self.source[at] == "_" and (at < self.math or self.source.startswith("{", at + 1)):
            return at + 1
        self.keep(at, end)
        return end


def _brackets(source: str, opening: str, closing: str) -> dict[int, int]:
    """Return where the partner of each paired bracket stands, both ways."""
    partners: dict[int, int] = {}
    stack: list[int] = []
    for bracket in re.finditer(f"\\\\.|[{re.escape(opening + closing)}]", source, re.DOTALL):
        if bracket.group() == opening:
            stack.append(bracket.start())
        elif bracket.group() == closing and stack:
            start = stack.pop()
            partners[start], partners[bracket.start()] = bracket.start(), start
    return partners


def _pairs(source: str) -> dict[int, int]:
    """Pair Markdown's signs and TeX's dollars by the flanking rules of CommonMark and Pandoc, both ways."""
    partners: dict[int, int] = {}
    waiting: dict[str, int] = {}
    for run in _SIGNS.finditer(source):
        sign, at, end = run.group(), run.start(), run.end()
        if sign[0] == "\\" or len(sign) > 3:
            continue
        before, after = source[at - 1 : at] if at else " ", source[end : end + 1] or " "
        opens, closes = _flanks(sign[0], before, after)
        start = waiting.get(sign)
        if closes and start is not None and at - start < _REACH and "\n\n" not in source[start:at]:
            partners[start], partners[at] = at, start
            waiting = {other: place for other, place in waiting.items() if place < start}
        elif opens:
            waiting[sign] = at
    return partners


def _flanks(sign: str, before: str, after: str) -> tuple[bool, bool]:
    """Say whether a run of the sign between these two characters may open, and may close."""
    left, right = not after.isspace(), not before.isspace()
    if sign == "$":
        return left, right and not after.isdigit()
    if sign == "`":
        return left, right
    if sign == "_":
        return left and not before.isalnum(), right and not after.isalnum()
    marks = (not before.isalnum() and not before.isspace(), not after.isalnum() and not after.isspace())
    opens = left and (not marks[1] or not before.isalnum() or after in "\\$*_")
    closes = right and (not marks[0] or not after.isalnum() or before in "}$*_")
    return opens, closes
