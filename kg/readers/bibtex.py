"""BibTeX and BibLaTeX (https://ctan.org/pkg/bibtex, https://ctan.org/pkg/biblatex), as reference managers write them.

Entries are cut out of the file one by one and each is parsed by pybtex for itself, so that a file of any size
is read in the memory of an entry and a brace that is missing in one of them spoils no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pybtex.bibtex.utils import split_name_list  # type: ignore[import-untyped]
from pybtex.database.input.bibtex import LowLevelParser, month_names  # type: ignore[import-untyped]

from kg.readers.bibtex_text import plain
from kg.readers.fields import address, direct, first_year, known, spelled
from kg.readers.values import NotAPaper, RawPaper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pybtex.scanner import PybtexSyntaxError  # type: ignore[import-untyped]

    from kg.readers.sniffing import Head
    from kg.readers.source import Source

__all__ = ["is_bibtex", "read_bibtex"]

MAX_ENTRY_CHARACTERS = 16 * 1024 * 1024
_BEGINS = re.compile(r"(?:^|(?<=[\s}),]))@(?P<type>[A-Za-z_]+)\s*(?P<open>[{(])")
_NEW_ENTRY = re.compile(r"\s*+@[A-Za-z_]+\s*+[{(]\s*+[^\s,{}=\"#%]*+\s*+(?:,|$)")
_NO_RECORD = re.compile(r"\s*@(?:string|preamble|comment|xdata)\s*[{(]", re.IGNORECASE)
_BRACES = re.compile(r"[{}]")
_BRACES_AND_PARENTHESES = re.compile(r"[{}()]")
_HEAD = re.compile(r"@(?P<type>[A-Za-z_]+)\s*(?P<open>[{(])(?P<key>[^,={}\"]*),")
_KEYLESS = re.compile(r"@(?P<type>[A-Za-z_]+)\s*[{(]\s*[A-Za-z][\w-]*\s*=")
_NO_COMMA = re.compile(r"(?<=[}\"\d])(\s++[A-Za-z][\w-]*+\s*+=\s*+[{\"\w])")
_COMMENT = re.compile(r"^[^\S\n]*+%.*\n", re.MULTILINE)
_ARXIV = re.compile(r"(?:arxiv[:\s.]\s*|abs/)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s{}]+")
_REMARKS = 5
_OTHER = re.compile(r"\s*(?:---|```|~~~|[#<{\[|>\"]|[-*+] |.*[^|]\|\s*$)")
_START = re.compile(
    r"^[^\S\n]*+@(?:[A-Za-z_]++\s*+\{\s*+[^\s,{}]*+(?:\s*[,=]|[^\S\n]*+\n)|(?:comment|preamble|string)\b)",
    re.IGNORECASE | re.MULTILINE,
)
#: Types for whatever fits no other: papers only where an identifier says so, of ``misc`` an abstract too.
_VAGUE = frozenset({"misc", "online", "electronic", "webpage", "web_page", "www", "generic"})
#: Types of books that hold articles of journals, as converters from Word write them.
_MISTYPED = frozenset({"manual", "book", "booklet", "misc", "generic"})
_VENUES = ("journal", "journaltitle", "booktitle", "eventtitle", "school", "institution", "series")
#: What an entry takes from the volume that it stands in, beside the title of the book.
_SHARED = frozenset({"year", "date", "eventdate", "eventtitle", "series"})
#: Types whose words say something else in `kg.readers.kinds`, or nothing.
_KINDS = {"inreference": "dictionary entry", "suppbook": "back matter", "suppperiodical": "editorial"}
_PARENTS = frozenset(
    {"proceedings", "mvproceedings", "book", "mvbook", "collection", "mvcollection", "xdata", "reference"}
)


def is_bibtex(head: Head) -> bool:
    """Say whether this is BibTeX: an entry begins at the start of a line, with no more than a remark before it.

    A list in Markdown, a page or front matter that quotes an entry is something else.
    """
    start = _START.search(head.text)
    if start is None:
        return False
    remarks = [line for line in head.text[: start.start()].split("\n") if line.strip() and not line.startswith("%")]
    return len(remarks) <= _REMARKS and not any(map(_OTHER.match, remarks))


_Command = tuple[str, tuple[object, list[tuple[str, list[str]]]]]


class _Macros(dict[str, str]):
    """Strings by name, in any case; one that is not defined stands for its own name, as in the export of Zotero."""

    def __getitem__(self, name: str) -> str:
        return self.get(name.lower(), name)

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name.lower(), value)


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    type: str
    key: str | None
    fields: dict[str, str]

    def first(self, *names: str) -> str:
        return next((value for name in names if (value := self.fields.get(name))), "")


def read_bibtex(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper of each entry; ``@string``, ``@preamble``, ``@comment`` and ``@xdata`` are no records.

    An entry that takes its venue or year from another one (``crossref``, ``xdata``) is kept until that one is
    read, which stands behind it.
    """
    macros = _Macros(month_names)
    parents: dict[str, _Entry] = {}
    waiting: dict[str, list[_Entry]] = {}
    number = 0
    for line, block in _blocks(source.lines()):
        is_record = not _NO_RECORD.match(block)
        number += is_record
        entry = _parsed(block, line, number, macros)
        if isinstance(entry, NotAPaper):
            yield from [entry] if is_record else []
            continue
        if entry is None:
            continue
        if entry.key and entry.type in _PARENTS:
            parents[entry.key] = entry
            yield from (_paper(child, entry) for child in waiting.pop(entry.key, []))
        if not is_record:
            continue
        parent = entry.first("crossref", "xdata").split(",")[0].strip()
        if not parent or parent in parents:
            yield _paper(entry, parents.get(parent))
        else:
            waiting.setdefault(parent, []).append(entry)
    yield from (_paper(child, None) for children in waiting.values() for child in children)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (number of its first line, text) of each command; it ends where its braces do, or where another begins."""
    block: list[str] = []
    signs = _BRACES
    began = depth = size = 0
    for number, line in enumerate(lines, start=1):
        if block and (_NEW_ENTRY.match(line) or size > MAX_ENTRY_CHARACTERS):
            yield began, "\n".join(block)
            block = []
        rest = line
        while rest or block:
            if not block:
                match = _BEGINS.search(rest)
                if match is None or rest.lstrip().startswith("%"):
                    break
                rest, began, depth, size = rest[match.start() :], number, 0, 0
                signs = _BRACES if match["open"] == "{" else _BRACES_AND_PARENTHESES
            end, depth = _end(rest, depth, signs)
            block.append(rest[:end])
            size += end + 1
            if depth > 0:
                break
            yield began, "\n".join(block)
            block, rest = [], rest[end:]
    if block:
        yield began, "\n".join(block)


def _end(text: str, depth: int, signs: re.Pattern[str]) -> tuple[int, int]:
    """Return (index, depth): where the braces of a command end, else the end of the text and the depth there."""
    for match in signs.finditer(text):
        depth += 1 if match.group() in "{(" else -1
        if depth == 0:
            return match.end(), 0
    return len(text), depth


def _parsed(block: str, line: int, number: int, macros: _Macros) -> _Entry | NotAPaper | None:
    """Parse a command; None where it is no entry."""
    head = _HEAD.match(block)
    key = " ".join(head["key"].split()) or None if head else None
    keyed = f"{block[: head.start('key')]}-,{block[head.end() :]}" if head else block
    keyless = bool(_KEYLESS.match(block))
    found, errors = _commands(keyed, macros, keyless=keyless)
    if errors:
        mended = _NO_COMMA.sub(r",\1", _COMMENT.sub("", keyed))
        found, others = _commands(mended, macros, keyless=keyless)
        errors = others and errors
    if errors:
        error = errors[0]
        where = f"line {line + (error.lineno or 1) - 1}"
        return NotAPaper(number, key, f"not valid BibTeX in {where}: {error.args[0] if error.args else error}")
    for command, body in found:
        if command.lower() not in {"string", "preamble"}:
            fields: dict[str, str] = {}
            for name, parts in body[1]:
                raw = "".join(parts)
                value = raw if name.lower() == "author" else plain(raw)
                if value:
                    fields.setdefault(name.lower(), value)
            return _Entry(number, command.lower(), key, fields)
    return None


def _commands(text: str, macros: _Macros, *, keyless: bool) -> tuple[list[_Command], list[PybtexSyntaxError]]:
    errors: list[PybtexSyntaxError] = []
    parser = LowLevelParser(text, keyless_entries=keyless, macros=macros, handle_error=errors.append)
    return list(parser), errors


def _paper(entry: _Entry, parent: _Entry | None) -> RawPaper | NotAPaper:
    fields = _inherited(entry, parent)
    links = [
        found.group() for name in ("url", "ee", "howpublished", "note") for found in _URL.finditer(fields.get(name, ""))
    ]
    arxiv = _arxiv_id(fields)
    doi = fields.get("doi", "")
    identifiers = known(
        *(("doi", one) for one in re.split(r"[\s,;]+", doi)),
        ("arxiv", arxiv),
        ("pubmed", fields.get("pmid", "") or (fields.get("eprint", "") if _repository(fields) == "pubmed" else "")),
        *spelled(*links),
    )
    title, subtitle = fields.get("title", ""), fields.get("subtitle", "")
    journal = fields.get("journal") or fields.get("journaltitle")
    kind = entry.type
    if kind in _MISTYPED and journal and fields.get("pages"):
        kind = "article"
    if kind in _VAGUE:
        if not (identifiers or (fields.get("abstract") and kind == "misc")):
            return NotAPaper(entry.number, entry.key, f"@{entry.type} without an identifier: a web page or the like")
        kind = "preprint" if arxiv else kind
    return RawPaper(
        number=entry.number,
        id=entry.key,
        title=f"{title.rstrip(':')}: {subtitle}" if title and subtitle else title,
        abstract=fields.get("abstract", ""),
        authors=_authors(fields.get("author", "")),
        venue=next(filter(None, map(fields.get, _VENUES)), None),
        year=first_year(*(fields.get(name, "") for name in ("year", "date", "issue_date", "eventdate"))),
        url=address(*links)
        or next((f"https://doi.org/{value}" for scheme, value in identifiers if scheme == "doi"), None),
        identifiers=identifiers,
        kind=_KINDS.get(kind, kind),
        language=fields.get("langid") or fields.get("language"),
    )


def _inherited(entry: _Entry, parent: _Entry | None) -> dict[str, str]:
    """The fields of an entry with those it takes from its parent, whose title is the title of the book."""
    if parent is None:
        return entry.fields
    taken: dict[str, str] = parent.fields
    if parent.type != "xdata":
        shared = {name: value for name, value in taken.items() if name in _SHARED}
        taken = {**shared, "booktitle": taken.get("booktitle") or taken.get("title", "")}
    return {**{name: value for name, value in taken.items() if value}, **entry.fields}


def _repository(fields: dict[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").lower()


def _arxiv_id(fields: dict[str, str]) -> str:
    """The arXiv id that a field of its own tells, or the words with which people cite preprints."""
    eprint = (
        fields.get("arxivid")
        or fields.get("arxiv")
        or (fields.get("eprint", "") if _repository(fields) in {"", "arxiv"} else "")
    )
    if known(("arxiv", eprint)):
        return eprint
    told = (
        _ARXIV.search(fields.get(name, ""))
        for name in ("journal", "journaltitle", "volume", "note", "howpublished", "url", "ee")
    )
    return next((match.group(1) for match in told if match), "")


def _authors(value: str) -> tuple[str, ...]:
    """The names of a list, in reading order; one in braces is the name of a body, kept as it is."""
    names = (" ".join(name.replace("~", " ").split()) for name in split_name_list(value))
    shown = (plain(name) if name.startswith("{") and name.endswith("}") else direct(plain(name)) for name in names)
    return tuple(name for name in shown if name and name.lower() != "others")
