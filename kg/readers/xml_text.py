"""From XML elements to text: paragraphs and headings, inline markup, formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.mathml import math, raised, tex
from kg.readers.xml import local

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lxml import etree

    _Piece = str | etree._Element

__all__ = ["blocks", "children", "descendants", "first", "first_text", "headed", "paragraphs", "text"]

_BLOCK_NAMES = (
    "p sec list list-item def-item div AbstractText break br lb item verse-line disp-formula disp-quote boxed-text "
    "section para formula"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = frozenset({"title", "head"})
_SKIPPED_NAMES = (
    "label fig figure table-wrap graphic inline-graphic media table fn note listBibl ref-list object-id back email "
    "supplementary-material annotation annotation-xml CopyrightInformation"
)
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_RAISED = frozenset({"sup", "superscript"})
_SCRIPTS = _RAISED | {"sub", "subscript"}
_FORMULAS = {"math": math, "tex-math": tex}
_MARK = "\u2029"
_HEADING_MARK = "\x02"
_SCRIPT_MARK = "\x03"
_SPACES = re.compile(r"\s+")
#: A line break that an indenting writer put where the text has none: before a script, behind a bracket.
_INDENTED = re.compile(r"\n\x03|(?<=[(\[])\n")


def children(node: etree._Element | None, *names: str) -> Iterator[etree._Element]:
    """Yield the children of one of these local names, in order; none where there is no node."""
    return (child for child in (() if node is None else node) if local(child) in names)


def descendants(node: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Yield the descendants of one of these local names, in order."""
    return (below for below in node.iter() if below is not node and local(below) in names)


def first(node: etree._Element | None, *path: str) -> etree._Element | None:
    """Return the first element at a path of local names of children; a step may name several: ``"a|b"``."""
    for step in path:
        if node is None:
            return None
        node = next(children(node, *step.split("|")), None)
    return node


def first_text(node: etree._Element | None, *path: str) -> str:
    """Return the text of `first` on one line; empty where there is none."""
    found = first(node, *path)
    return "" if found is None else text(found)


def text(node: etree._Element, *, skip: Collection[str] = ()) -> str:
    """Return the text of an element on one line.

    >>> from lxml import etree
    >>> text(etree.fromstring("<t>La<sub>2</sub>O<sub>3</sub>, 10<sup>-19</sup> <i>APOE</i></t>"))
    'La2O3, 10⁻¹⁹ APOE'
    """
    if not len(node):
        return " ".join((node.text or "").split())
    return " ".join(line for _, line in _lines(node, skip))


def paragraphs(node: etree._Element, *, skip: Collection[str] = ()) -> list[str]:
    """Return the paragraphs of an element, each on one line; a heading stands in front of its paragraph.

    >>> from lxml import etree
    >>> paragraphs(etree.fromstring("<a><sec><title>Aim</title><p>We  do.</p></sec><p>So.</p></a>"))
    ['Aim: We do.', 'So.']
    """
    found: list[str] = []
    heading = ""
    for is_heading, line in _lines(node, skip):
        if is_heading:
            heading = f"{heading} {line}".strip()
        else:
            found.append(headed(heading, line))
            heading = ""
    return [*found, heading] if heading else found


def blocks(node: etree._Element, *, skip: Collection[str] = ()) -> str:
    """Return the text of an element with a blank line between paragraphs, headings being paragraphs of their own.

    Empty where there are but headings.

    >>> from lxml import etree
    >>> blocks(etree.fromstring("<sec><title>Aim</title><p>We do.</p></sec>"))
    'Aim\\n\\nWe do.'
    """
    found = [*_lines(node, skip)]
    return "\n\n".join(line for _, line in found) if not all(is_heading for is_heading, _ in found) else ""


def headed(heading: str, line: str) -> str:
    """Put a heading in front of a text, so that they do not read as one sentence."""
    if not heading:
        return line
    return f"{heading} {line}" if heading[-1] in ".:?!" else f"{heading}: {line}"


def _lines(node: etree._Element, skip: Collection[str]) -> Iterator[tuple[bool, str]]:
    """Yield (whether it is a heading, text) of each block of an element that has text."""
    for block in "".join(_pieces(node, skip)).split(_MARK):
        if _SCRIPT_MARK in block or "\n" in block:
            spaced = _SPACES.sub(lambda match: "\n" if "\n" in match.group() else " ", block)
            written = _INDENTED.sub("", spaced).replace(_SCRIPT_MARK, "")
        else:
            written = block
        line = " ".join(written.replace(_HEADING_MARK, " ").split())
        if line:
            yield _HEADING_MARK in block, line


def _pieces(node: etree._Element, skip: Collection[str]) -> Iterator[str]:
    """Yield the text below a node piece by piece; without recursion, for files nest deeper than Python calls."""
    waiting: list[_Piece] = [*reversed(_content(node))]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
        else:
            waiting += reversed(_expanded(piece, skip))


def _content(node: etree._Element) -> list[_Piece]:
    pieces: list[_Piece] = [node.text or ""]
    for child in node:
        pieces += [child, child.tail or ""]
    return pieces


def _expanded(node: etree._Element, skip: Collection[str]) -> list[_Piece]:
    name = local(node)
    if not name or name in _SKIPPED or name in skip:
        return [" "]
    if name in _FORMULAS:
        return [_FORMULAS[name](node)]
    if name == "alternatives":
        return [*[chosen for kind in _FORMULAS for chosen in children(node, kind)][:1]]
    if name in _SCRIPTS:
        inner = "".join(node.itertext()) if name in _RAISED else ""
        return [_SCRIPT_MARK, *([raised(inner)] if raised(inner) != inner else _content(node))]
    if name == "s":  # a sentence of GROBID, which may touch the next one
        return [*_content(node), " "]
    heading: list[_Piece] = [_HEADING_MARK] if name in _HEADINGS else []
    around: list[_Piece] = [_MARK] if heading or name in _BLOCKS else []
    return [*around, *heading, *_content(node), *around]
