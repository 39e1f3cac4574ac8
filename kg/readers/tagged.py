"""What RIS, EndNote's tags, MEDLINE and Web of Science share: lines with a tag, and records of such lines.

They differ in what a line with a tag looks like, in the tags that begin and end a record, and in how a long
value goes on in the next line: all of that is a `Syntax`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

__all__ = ["Record", "Syntax", "records"]


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a format writes its records.

    `line` matches a line with a tag: the groups are tag and value. `begins` and `ends` are the tags that
    open and close a record; a line of one of `ignored` is no part of any. A line without a tag goes on with
    the value before, `joint` between them; for the tags in `listed` it is another value. Where `blank_ends`,
    a blank line before a line with a tag closes a record as well.
    """

    line: re.Pattern[str]
    begins: frozenset[str]
    ends: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    joint: str = "\n"
    blank_ends: bool = False


@dataclass(slots=True)
class Record:
    """The values of a record by tag, each tag with its values in the order of the file."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def all(self, *tags: str) -> list[str]:
        """Return the values of the tags that are not empty, in the order of the tags."""
        return [value for tag in tags for value in self.values.get(tag, ()) if value]

    def first(self, *tags: str) -> str:
        """Return the first value of the first tag that has one, else an empty string."""
        return next(iter(self.all(*tags)), "")


def records(lines: Iterable[str], syntax: Syntax) -> Iterator[Record]:
    """Yield each record of the lines of a file; what stands before the first tag is no part of any.

    >>> import re
    >>> syntax = Syntax(re.compile("([A-Z]{2}) (.*)"), frozenset({"TY"}), frozenset({"ER"}))
    >>> [record.values for record in records(["TY A", "TI On", "X", "ER ", "", "TI Y"], syntax)]
    [{'TY': ['A'], 'TI': ['On\\nX']}, {'TI': ['Y']}]
    """
    record, tag, blank = Record(), "", False
    pieces: list[str] = []

    def close() -> None:
        if tag:
            record.values.setdefault(tag, []).append("".join(pieces).strip())
        pieces.clear()

    for line in lines:
        if not line.strip():
            blank = True
            continue
        match = syntax.line.match(line)
        if match is None:
            if tag in syntax.listed:
                close()
            pieces += (syntax.joint * (1 + blank), line.strip())
            blank = False
            continue
        found, value = match.group(1), match.group(2) or ""
        close()
        if record.values and (found in syntax.ends or found in syntax.begins or (syntax.blank_ends and blank)):
            yield record
            record = Record()
        tag, blank = "" if found in syntax.ends | syntax.ignored else found, False
        pieces.append(value.strip())
    close()
    if record.values:
        yield record
