"""Plain text: abstracts between blank lines, each with its title above it or without; or one a line.

A block of the file is what stands between blank lines. A single short line that is no sentence is a
heading and no record. Where every block is one line and no line is blank, each line is a paper.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.values import RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_text", "read_text"]

_HEADING_CHARACTERS = 160
_TITLE_CHARACTERS = 250
_SENTENCE_END = re.compile(r"""[.!?。][)\]"'”’*_}]*$""")


def is_text(head: Head) -> bool:
    """Whether the bytes are text of any kind."""
    return bool(head.text)


def read_text(source: Source) -> Iterator[RawPaper]:
    """Yield the papers of a plain text, numbered from 1 in the order in which they stand."""
    blocks = _blocks(source.text())
    titled = _are_titled([block for block in blocks if len(block) > 1])
    number = 0
    for lines in blocks:
        title, abstract = _split(lines, titled=titled)
        if not abstract:
            continue
        number += 1
        yield RawPaper(number=number, title=title, abstract=abstract)


def _blocks(text: str) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if len(blocks) == 1 and all(_is_paper_line(line) for line in blocks[0]):
        return [[line] for line in blocks[0]]
    return blocks


def _is_paper_line(line: str) -> bool:
    return len(line) > _TITLE_CHARACTERS or "\t" in line


def _split(lines: list[str], *, titled: bool) -> tuple[str, str]:
    """Title and abstract of a block; both empty where the block is a heading."""
    first, rest = lines[0], lines[1:]
    if not rest:
        title, tab, abstract = first.partition("\t")
        if tab and len(title) <= _TITLE_CHARACTERS:
            return title.strip(), abstract.strip()
        return ("", "") if _is_heading(first) else ("", first)
    if titled and _may_be_title(first, rest):
        return first, " ".join(rest)
    return "", " ".join(lines)


def _is_heading(line: str) -> bool:
    return len(line) <= _HEADING_CHARACTERS and not _SENTENCE_END.search(line)


def _are_titled(blocks: list[list[str]]) -> bool:
    """Whether the blocks of a file start with a title: told by most of them, for one alone may deceive."""
    sure = sum(_may_be_title(block[0], block[1:]) and _is_not_full(block[0], block[1:]) for block in blocks)
    return 2 * sure > len(blocks)


def _may_be_title(first: str, rest: list[str]) -> bool:
    return (
        len(first) <= _TITLE_CHARACTERS and not _SENTENCE_END.search(first.rstrip("?!")) and not rest[0][:1].islower()
    )


def _is_not_full(first: str, rest: list[str]) -> bool:
    """Whether the line cannot be one of lines wrapped at a width: the next word would have fitted, or it is longer."""
    width = max(map(len, rest))
    next_word = len(rest[0].split(maxsplit=1)[0])
    return len(first) > width or len(first) + 1 + next_word <= width
