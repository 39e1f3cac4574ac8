"""Plain text: abstracts between blank lines, with title, authors and address around them or without; or one a line.

A block of the file is what stands between blank lines. What the blocks of a file are is told by its first
ones, then they are read one at a time. A single short line that is no sentence is a heading and no record,
unless such a line stands over every longer block: then it is a title.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from kg.readers.fields import address, first_year, known, spelled
from kg.readers.mdtitles import entry, labelled, named_people
from kg.readers.people import names
from kg.readers.repairs import dehyphenated
from kg.readers.values import NotAPaper, RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_text", "read_text"]

_HEADING_CHARACTERS = 160
_TITLE_CHARACTERS = 250
_SAMPLE_BLOCKS = 400
#: A longer block is taken in parts.
_MAX_BLOCK = 2000
_MIN_TITLES = 3
_SENTENCE_END = re.compile(r"""[.!?。！？][)\]"'”’*_}]*$""")
_ADDRESS = re.compile(r"<?(https?://\S+?)>?")
_BULLET = re.compile(r"[-*•+–]\s+")
_NUMBERING = re.compile(r"(?:\[\d{1,4}\]|\(?\d{1,4}[.)])\s+(?=\S)")
_FIELDS = frozenset({"title", "abstract", "authors", "author", "url", "link", "venue", "year", "date", "arxiv", "doi"})
_TITLE_LABEL = re.compile(r"\s*(?:\*\*)?(title|titel|标题|题目)(?:\*\*)?\s*[:：]\s*(.*)", re.IGNORECASE)


def is_text(head: Head) -> bool:
    """Whether the bytes are text of any kind."""
    return bool(head.text)


def read_text(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the papers of a plain text, numbered from 1 in the order in which they stand."""
    stream = _blocks(source.lines())
    sample = list(_sampled(stream))
    blocks: Iterable[list[str]] = chain(sample, stream)
    made: Iterable[RawPaper | NotAPaper | None]
    if _are_bulleted(sample):
        made = chain.from_iterable(map(_of_items, blocks))
    elif _one_a_line(sample):
        blocks = ([line] for block in blocks for line in block)
        made = (_of_line(line, bare=_are_titles(sample)) for (line,) in blocks)
    elif _alternate(sample):
        made = map(_of_block_with_title, _paired(blocks))
    else:
        titled = _are_titled([block for block in sample if len(block) > 1 and not all(map(_BULLET.match, block))])
        made = (_of_block(lines, titled=titled) for lines in blocks)
    number = 0
    for one in made:
        if one is not None:
            number += 1
            prose = isinstance(one, NotAPaper) or _is_prose(f"{one.title} {one.abstract}")
            yield replace(one, number=number) if prose else _no_prose(number)


def _is_prose(text: str) -> bool:
    """Whether a text has words of a language: code, trees and tables have more signs."""
    return 10 * sum(one.isalnum() or one.isspace() or one in ".,;:'’-()$\\{}" for one in text) > 9 * len(text)


def _no_prose(number: int) -> NotAPaper:
    return NotAPaper(number, None, "not a text in words")


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in chain(lines, [""]):
        for part in line.splitlines() or [""]:
            if part.strip():
                block.append(part.strip())
            if block and (not part.strip() or len(block) == _MAX_BLOCK):
                yield block
                block = []


def _sampled(stream: Iterator[list[str]]) -> Iterator[list[str]]:
    """The first blocks: enough to tell the form, and no more than fit into memory."""
    lines = 0
    for block in islice(stream, _SAMPLE_BLOCKS):
        yield block
        lines += len(block)
        if lines > _MAX_BLOCK:
            return


def _are_bulleted(sample: Sequence[list[str]]) -> bool:
    """Whether there are items with a bullet and headings alone: nothing that the items could be remarks on."""
    items = [block for block in sample if not _is_heading_block(block) or _BULLET.match(block[0])]
    return bool(items) and all(_BULLET.match(line) for block in items for line in block)


def _of_items(block: list[str]) -> Iterator[RawPaper | NotAPaper | None]:
    if all(map(_BULLET.match, block)):
        yield from map(_of_item, block)
    else:
        yield _of_block(block, titled=False)


def _of_item(line: str) -> RawPaper | NotAPaper:
    """A paper of the title, or of the abstract, behind a bullet."""
    text = _BULLET.sub("", line, count=1)
    if len(text) > _TITLE_CHARACTERS:
        return RawPaper(0, abstract=text)
    found = entry(text)
    if found is None:
        return NotAPaper(0, None, f"no title of a paper: {text[:80]}")
    return RawPaper(
        0,
        title=found.title,
        venue=found.venue,
        url=address(*found.addresses),
        identifiers=known(*spelled(*found.addresses)),
    )


def _one_a_line(sample: Sequence[list[str]]) -> bool:
    """Whether each line is a record: all too long for wrapped text, or with a tab, or titles alone."""
    lines = [line for block in sample for line in block]
    alone = all(len(block) == _MAX_BLOCK for block in sample[:-1])
    return bool(lines) and (
        (alone and all(len(line) > _TITLE_CHARACTERS or "\t" in line for line in lines)) or _are_titles(sample)
    )


def _are_titles(sample: Sequence[list[str]]) -> bool:
    """Whether the lines are titles: short, none goes on in the next, hardly one ends a sentence."""
    lines = [line for block in sample if len(block) > 1 for line in block]
    if len(lines) < _MIN_TITLES or any(len(line) > _TITLE_CHARACTERS or "\t" in line for line in lines):
        return False
    sentences = sum(bool(_SENTENCE_END.search(line.rstrip("?!"))) for line in lines)
    small = sum(line[0].islower() or not re.match(r"[\w\"“'‘($¿¡]", line) or _are_people(line) for line in lines)
    return 10 * sentences <= len(lines) and 10 * small <= len(lines) and not any(map(_has_label, lines))


def _are_people(line: str) -> bool:
    """Whether a line names people; no name has a colon, but many a title with “and” has one."""
    return ":" not in line and named_people(line)


def _has_label(line: str) -> bool:
    found = labelled(line) or _TITLE_LABEL.match(line)
    return found is not None


def _of_line(line: str, *, bare: bool) -> RawPaper | None:
    """A line that is a title and an abstract with a tab between, an abstract, or (`bare`) a title."""
    title, tab, abstract = line.partition("\t")
    if tab and len(title) <= _TITLE_CHARACTERS:
        return RawPaper(0, title=_unnumbered(title), abstract=abstract.strip())
    return RawPaper(0, title=_unnumbered(line)) if bare else RawPaper(0, abstract=line)


def _unnumbered(title: str) -> str:
    return _NUMBERING.sub("", title.strip(), count=1)


def _alternate(sample: Sequence[list[str]]) -> bool:
    """Whether over each longer block stands a short line of its own."""
    long_ones = [at for at, block in enumerate(sample) if not _is_heading_block(block)]
    over = [at for at in long_ones if at > 0 and _is_heading_block(sample[at - 1])]
    return len(long_ones) > 1 and 10 * len(over) >= 9 * len(long_ones)


def _is_heading_block(block: Sequence[str]) -> bool:
    return len(block) == 1 and _is_heading(block[0])


def _is_heading(line: str) -> bool:
    return len(line) <= _HEADING_CHARACTERS and not _SENTENCE_END.search(line.rstrip("?!"))


def _paired(blocks: Iterable[list[str]]) -> Iterator[list[str]]:
    """Put the short line that stands over a block on top of it; other short lines are headings."""
    before: list[str] = []
    for block in blocks:
        if _is_heading_block(block):
            before = block
        else:
            yield [*(before or [""]), *block]
            before = []


def _of_block_with_title(lines: Sequence[str]) -> RawPaper | None:
    return _made(lines[0], lines[1:])


def _of_block(lines: Sequence[str], *, titled: bool) -> RawPaper | None:
    """The paper of a block; None where it is a heading, or notes on the paper above."""
    if all(map(_BULLET.match, lines)):
        return None
    fields = _fields(lines)
    if fields:
        return _of_fields(fields)
    first, rest = lines[0], lines[1:]
    if not rest:
        if "\t" in first:
            return _of_line(first, bare=False)
        return None if _is_heading(first) else RawPaper(0, abstract=first)
    if titled and _may_be_title(first, rest):
        return _made(first, rest)
    return _made("", lines)


def _made(title: str, lines: Sequence[str]) -> RawPaper | None:
    """A paper of a title and the lines below it: authors, abstract, addresses, remarks with a bullet."""
    addresses, rest = _without_addresses(lines)
    people = _BULLET.sub("", rest[0]) if rest else ""
    authors = names(people) if title and len(rest) > 1 and named_people(people) else ()
    bullets = [line for line in rest if _BULLET.match(line)]
    if title and bullets and bullets[0] in rest[:2]:
        rest = []
    abstract = _joined(rest[1:] if authors else rest)
    return RawPaper(
        0,
        title=_unnumbered(title),
        abstract=abstract,
        authors=authors,
        url=addresses[0] if addresses else None,
        identifiers=known(*spelled(*addresses)),
    )


def _without_addresses(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Take out lines that are an address alone, save those with which a sentence goes on."""
    addresses: list[str] = []
    rest: list[str] = []
    for line in lines:
        match = _ADDRESS.fullmatch(line)
        if match and (not rest or _SENTENCE_END.search(rest[-1]) or _BULLET.match(rest[-1])):
            addresses.append(match.group(1))
        else:
            rest.append(line)
    return addresses, rest


def _joined(lines: Sequence[str]) -> str:
    return dehyphenated("\n".join(lines)).replace("\n", " ")


def _fields(lines: Sequence[str]) -> dict[str, list[str]]:
    """The lines of a block by their labels (``Title: …``, ``Abstract: …``); empty where it has no such title."""
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        title = _TITLE_LABEL.match(line)
        label = ("title", title.group(2)) if title else labelled(line)
        if label and label[0] in _FIELDS and label[0] not in found:
            current = found.setdefault(label[0], [label[1]])
        elif current is not None:
            current.append(line)
    return found if {"title", "abstract"} & found.keys() and _labels_first(lines[0]) else {}


def _labels_first(line: str) -> bool:
    label = labelled(line)
    return bool(_TITLE_LABEL.match(line)) or (label is not None and label[0] in _FIELDS)


def _of_fields(fields: dict[str, list[str]]) -> RawPaper:
    def text(*labels: str) -> str:
        return next((_joined(fields[label]) for label in labels if label in fields), "")

    addresses = [text(label) for label in ("url", "link", "arxiv", "doi")]
    return RawPaper(
        0,
        title=text("title"),
        abstract=text("abstract"),
        authors=names(text("authors", "author")),
        venue=text("venue") or None,
        year=first_year(text("year"), text("date"), text("venue")),
        url=address(*addresses),
        identifiers=known(("arxiv", text("arxiv")), ("doi", text("doi")), *spelled(*addresses)),
    )


def _are_titled(blocks: Sequence[list[str]]) -> bool:
    """Whether the blocks of a file start with a title: told by most of them, for one alone may deceive."""
    sure = sum(_may_be_title(block[0], block[1:]) and _is_not_full(block[0], block[1:]) for block in blocks)
    return 2 * sure > len(blocks)


def _may_be_title(first: str, rest: Sequence[str]) -> bool:
    if len(first) > _TITLE_CHARACTERS or rest[0][:1].islower():
        return False
    return not _SENTENCE_END.search(first.rstrip("?!"))


def _is_not_full(first: str, rest: Sequence[str]) -> bool:
    """Whether the line cannot be one of lines wrapped at a width: the next word would have fitted, or it is longer."""
    width = max(map(len, rest))
    next_word = len(rest[0].split(maxsplit=1)[0])
    return len(first) > width or len(first) + 1 + next_word <= width
