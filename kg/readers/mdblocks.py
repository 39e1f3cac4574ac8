"""A Markdown file as a tree of blocks; ``<details>`` becomes a block of its own, comments disappear.

The text of a block is its source, so that formulas keep their signs; parsing is markdown-it's (CommonMark and
tables).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Block", "blocks"]

_OPENING = re.compile(r"<details\b[^>]*>", re.IGNORECASE)
_CLOSING = re.compile(r"</details\s*>", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


@dataclass(frozen=True)
class Block:
    """A block: heading, paragraph, list, item, quote, table, row, cell, details or html.

    `text` is the source of its own words (of a details block the text that is no Markdown block, of an item its
    first paragraph); `title` is the summary of a details block; `level` that of a heading.
    """

    kind: str
    text: str = ""
    level: int = 0
    children: tuple[Block, ...] = ()
    title: str = ""

    def words(self) -> str:
        """The text of the block and of all in it, a paragraph a line."""
        inner = [one.words() for one in self.children]
        own = [] if self.kind == "item" else [self.text]
        return "\n".join(part for part in (*own, *inner) if part)


def blocks(text: str) -> tuple[Block, ...]:
    """Parse a Markdown file.

    Raises:
        InputError: it is nested too deep.
    """
    parser = MarkdownIt("commonmark").enable("table").disable(["code", "inline"])
    try:
        tree = SyntaxTreeNode(parser.parse(_without_comments(text)))
        return _folded(tuple(_converted(tree)))
    except RecursionError:
        raise InputError("Markdown nested too deep") from None


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[at:start])
        at = end + len("-->")
    return "".join((*parts, text[at:]))


def _converted(node: SyntaxTreeNode) -> Iterator[Block]:
    for child in node.children:
        if child.type == "heading":
            yield Block("heading", _inline(child), int(child.tag[1:]))
        elif child.type == "paragraph":
            yield Block("paragraph", _inline(child))
        elif child.type in {"bullet_list", "ordered_list"}:
            yield Block("list", children=_folded(tuple(_converted(child))))
        elif child.type == "list_item":
            inner = _folded(tuple(_converted(child)))
            yield Block("item", inner[0].text if inner and inner[0].kind == "paragraph" else "", children=inner)
        elif child.type == "blockquote":
            yield Block("quote", children=_folded(tuple(_converted(child))))
        elif child.type == "html_block":
            yield Block("html", child.content)
        elif child.type == "table":
            yield Block("table", children=tuple(_rows(child)))
        elif child.type not in {"hr", "fence", "code_block"}:
            yield from _converted(child)


def _rows(table: SyntaxTreeNode) -> Iterator[Block]:
    for row in table.walk():
        if row.type == "tr":
            yield Block("row", children=tuple(Block("cell", _inline(cell)) for cell in row.children))


def _inline(node: SyntaxTreeNode) -> str:
    return "\n".join(child.content for child in node.children if child.type == "inline")


def _folded(sequence: Sequence[Block]) -> tuple[Block, ...]:
    """Make one block of what stands between ``<details>`` and ``</details>``."""
    done: list[Block] = []
    inside: list[Block] = []
    opening: str | None = None
    depth = 0
    for block in sequence:
        text = block.text if block.kind in {"html", "paragraph"} else ""
        opened, closed = len(_OPENING.findall(text)), len(_CLOSING.findall(text))
        if depth == 0 and opened == 0:
            done += [block] if block.kind != "html" else []
            continue
        if depth == 0:
            opening, inside = text, []
        elif block.kind != "html" or _words_of(text):
            inside.append(block)
        depth = max(0, depth + opened - closed)
        if depth == 0 and opening is not None:
            done.append(_details(opening, inside))
            opening = None
    if opening is not None:
        done.append(_details(opening, inside))
    return tuple(done)


def _details(opening: str, inside: Sequence[Block]) -> Block:
    before, _, rest = opening.partition(_OPENING.search(opening).group())  # type: ignore[union-attr]
    summary = _SUMMARY.search(rest)
    own = _words_of(_CLOSING.split(_SUMMARY.sub("", rest), maxsplit=1)[0])
    return Block(
        "details", own, children=tuple(inside), title=_words_of(summary.group(1)) if summary else before.strip()
    )


def _words_of(html: str) -> str:
    return "\n".join(line.strip() for line in _TAG.sub("", html).split("\n") if line.strip())
