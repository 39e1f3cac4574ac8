"""Markdown: lists of papers, tables, a heading a paper, and notes on one paper.

The file is read whole. Of the two ways to hold papers, as headings or in lists and tables, the one that gives
more of them is taken. A TL;DR or a curator's summary is no abstract, nor are words in another script than the
title's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kg.readers.fields import address, first_year, known, spelled
from kg.readers.mapping import NAMES, plain_name, raw_paper
from kg.readers.mdblocks import Block, blocks
from kg.readers.mdtitles import Entry, entry, labelled, links, named_people, without_marks
from kg.readers.people import names
from kg.readers.values import NotAPaper, RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_markdown", "read_markdown"]

_SURE = re.compile(
    r"#{1,6} \S|[ \t]*[-*+] (?:`[^`]+` )*(?:\[[^\]]+\]\(|\*\*|\()|\|?[ \t]*:?-{2,}:?[ \t]*\|[ \t:|-]*$|<details"
)
_ITEM = re.compile(r"[ \t]*[-*+] \S")
_ROW = re.compile(r"\|.*\|[ \t]*$")
_RULE = re.compile(r"\|[ \t:|-]+\|[ \t]*$")
_ABSTRACTS = frozenset({"abstract", "摘要"})
_AUTHORS = frozenset({"author", "authors", "作者"})
_VENUES = frozenset({"venue", "conference", "published", "会议"})
_DATES = frozenset({"date", "year", "日期"})
_POINTERS = frozenset({"arxiv", "doi", "paper", "论文", "链接", "link", "links", "url"})
_ITALIC = re.compile(r"^([*_])(?=[^*_\s])(.+?)\1$", re.DOTALL)
_TLDR = re.compile(r"\W*(?:tl;?\s?dr|summary|key (?:idea|takeaways?)|一句话)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？][)\]\"'”’*_]*$")
_HEADING_VENUE = re.compile(r"[A-Za-z]{2,}.*(?:19|20)\d\d")
_BLOG = re.compile(r"//(?:[\w-]+\.)*blog\.|/blog/|medium\.com|//(?:www\.)?youtube\.com|//twitter\.com|//x\.com")
_SHORT_YEAR = re.compile(r"['’]\s?([0-4]\d)\b")
_CODE = re.compile(r"//(?:www\.)?(?:github|gitlab|huggingface)\.")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_MARKS = 0.2


def is_markdown(head: Head) -> bool:
    """Whether the text has the marks of Markdown: headings, list items that start with a link or bold, tables."""
    lines = [line for line in head.lines if line.strip()]
    if head.text.startswith(("# ", "## ")) or any(
        _ROW.match(one) and _RULE.match(other) for one, other in pairwise(lines)
    ):
        return True
    if len(lines) > 2 and 10 * sum(bool(_ITEM.match(line)) for line in lines) >= 9 * len(lines):
        return True
    return sum(bool(_SURE.match(line)) for line in lines) > max(1, _MIN_MARKS * len(lines))


def read_markdown(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the papers of a list, a row, a heading or a note each."""
    parsed = blocks(source.text())
    note = _note(parsed)
    ways: list[list[RawPaper | NotAPaper]] = [[note]] if note else [list(_sections(parsed)), list(_listed(parsed))]
    best = max(ways, key=lambda found: sum(isinstance(one, RawPaper) for one in found))
    yield from (replace(one, number=number) for number, one in enumerate(best, start=1))


def _note(parsed: Sequence[Block]) -> RawPaper | NotAPaper | None:
    """A note on one paper: its title is the only first heading, and the lines below point to the paper."""
    tops = [block for block in parsed if block.kind == "heading" and block.level == 1]
    if len(tops) != 1 or len(parsed) < 2 or parsed[0] != tops[0] or parsed[1].kind != "paragraph":
        return None
    said = [found for line in parsed[1].text.split("\n") if (found := labelled(line))]
    if not any(label in _POINTERS and (links(value) or spelled(value)) for label, value in said):
        return None
    return _paper(entry(tops[0].text) or Entry(without_marks(tops[0].text), ()), said, [])


def _sections(parsed: Sequence[Block]) -> Iterator[RawPaper | NotAPaper]:
    """Each heading that has a link, or authors, an abstract or a label below it."""
    heads = [index for index, block in enumerate(parsed) if block.kind == "heading"]
    for index, after in pairwise([*heads, len(parsed)]):
        content = parsed[index + 1 : after]
        said, paragraphs = _content(content)
        found = entry(parsed[index].text)
        people = next((text for text in paragraphs if _authors_line(text)), None)
        has_list = any(block.kind == "list" for block in content) and not said
        if not content or has_list or not (said or people or links(parsed[index].text)):
            continue
        if found is None:
            continue
        if people:
            said.append(("authors", people.strip(" *_")))
            paragraphs = paragraphs[paragraphs.index(people) + 1 :]
        yield _paper(found, said, [text for text in paragraphs if _is_abstract(text)])


def _is_abstract(text: str) -> bool:
    """Whether words below a title may be its abstract: a sentence of some length."""
    return len(text) > 120 or (len(text) > 60 and bool(_SENTENCE_END.search(text)))


def _authors_line(text: str) -> bool:
    return "\n" not in text and (bool(_ITALIC.match(text)) or named_people(text)) and named_people(text)


def _content(content: Iterable[Block]) -> tuple[list[tuple[str, str]], list[str]]:
    """The labelled lines of a paper's blocks, and its other paragraphs."""
    said: list[tuple[str, str]] = []
    paragraphs: list[str] = []
    for block in content:
        if block.kind == "list":
            said += (found for item in block.children if (found := labelled(item.text)))
        elif block.kind == "details":
            label = (
                "abstract" if re.search(r"abstract|摘要", block.title, re.IGNORECASE) or not block.title else "notes"
            )
            said.append((label, block.words()))
        elif block.kind in {"paragraph", "quote"}:
            lines = _labelled_lines(block.words())
            said += lines
            paragraphs += [] if lines else [block.words()]
    return said, paragraphs


def _labelled_lines(text: str) -> list[tuple[str, str]]:
    """The labels of a paragraph, each with the lines up to the next one; empty where the first line has none."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        label = labelled(line)
        if label:
            found.append(label)
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}".strip())
        else:
            return []
    return found


def _paper(found: Entry, said: Sequence[tuple[str, str]], paragraphs: Sequence[str]) -> RawPaper | NotAPaper:
    def value(labels: frozenset[str]) -> str:
        return next((text for label, text in said if label in labels and text), "")

    pointers = [text for label, text in said if label in _POINTERS]
    addresses = [*found.addresses, *(one for text in pointers for one in (*links(text), text))]
    if addresses and all(_BLOG.search(one) for one in addresses if one.startswith("http")) and address(*addresses):
        return NotAPaper(0, None, f"not a paper: a web page: {found.title}")
    abstract = value(_ABSTRACTS) or "\n".join(paragraphs)
    venue = without_marks(value(_VENUES)) or found.venue
    return RawPaper(
        number=0,
        title=found.title,
        abstract=abstract if _in_one_script(found.title, abstract) else "",
        authors=names(without_marks(re.sub(r"\([^)]*\)", "", value(_AUTHORS)))),
        venue=venue or None,
        year=first_year(value(_DATES), venue or "") or _short_year(venue or ""),
        url=address(*sorted(addresses, key=_is_elsewhere)),
        identifiers=known(*spelled(*addresses)),
    )


def _is_elsewhere(address: str) -> int:
    """Sort addresses: first those that are an identifier of a paper, last those of its code."""
    return 0 if spelled(address) else 2 if _CODE.search(address) else 1


def _short_year(venue: str) -> int | None:
    """The year of a venue such as ``OSDI '24``."""
    match = _SHORT_YEAR.search(venue)
    return 2000 + int(match.group(1)) if match else None


def _in_one_script(title: str, text: str) -> bool:
    return bool(_CJK.search(title)) or 10 * len(_CJK.findall(text)) < len(text)


def _listed(parsed: Sequence[Block]) -> Iterator[RawPaper | NotAPaper]:
    """Each item of the lists and each row of the tables, with what stands below an item."""
    quotes = [one.words() for block in parsed for one in _inside(block) if one.kind == "quote"]
    told = 2 * sum(bool(_TLDR.match(text)) for text in quotes) > len(quotes)
    venue: str | None = None
    level = 0
    for block in parsed:
        if block.kind == "heading":
            title = without_marks(block.text)
            if _HEADING_VENUE.fullmatch(title) and len(title) < 40:
                venue, level = title, block.level
            elif block.level <= level:
                venue = None
        elif block.kind == "list":
            yield from _items(block, venue, summaries=told)
        elif block.kind == "table":
            yield from _table(block)


def _inside(block: Block) -> Iterator[Block]:
    yield block
    for child in block.children:
        yield from _inside(child)


def _items(block: Block, venue: str | None, *, summaries: bool) -> Iterator[RawPaper | NotAPaper]:
    for item in block.children:
        lists = [one for one in item.children if one.kind == "list"]
        addresses = links(item.text)
        if labelled(item.text) and not addresses:
            continue
        if addresses and all(one.startswith("#") for one in addresses):
            continue
        found = entry(item.text)
        if lists and not addresses and any(links(one.text) for inner in lists for one in inner.children):
            for inner in lists:
                yield from _items(inner, without_marks(item.text) if found is None else venue, summaries=summaries)
            continue
        if found is None:
            yield NotAPaper(0, None, f"no title of a paper: {without_marks(item.text)[:80] or 'an empty item'}")
            continue
        said, paragraphs = _content(item.children[1:])
        lines = item.text.split("\n")[1:]
        if lines and _authors_line(lines[0]):
            said.append(("authors", lines[0].strip(" *_")))
            lines = lines[1:]
        texts = ["\n".join(lines), *([] if summaries else paragraphs)]
        kept = [text for text in texts if _is_abstract(text) and not _TLDR.match(text)]
        yield _paper(replace(found, venue=found.venue or venue), said, kept)


def _table(table: Block) -> Iterator[RawPaper | NotAPaper]:
    header, *rows = table.children or (Block("row"),)
    columns = [plain_name(without_marks(cell.text)) for cell in header.children]
    titled = next((at for at, name in enumerate(columns) if name in {*NAMES["title"], "paper", "name", "论文"}), None)
    if titled is None:
        return
    for row in rows:
        cells = [cell.text for cell in row.children]
        record: dict[str, Any] = {name: without_marks(text) for name, text in zip(columns, cells, strict=False)}
        record |= {name: text for name, text in zip(columns, cells, strict=False) if name in NAMES["abstract"]}
        found = entry(cells[titled]) if titled < len(cells) else None
        made = raw_paper(record | {"title": found.title if found else record.get(columns[titled], "")}, 0)
        named = [text for name, text in zip(columns, cells, strict=False) if name not in NAMES["abstract"]]
        addresses = sorted((one for text in named for one in links(text)), key=_is_elsewhere)
        yield replace(
            made,
            url=made.url or address(*addresses),
            identifiers=made.identifiers or known(*spelled(*addresses)),
        )
