"""Likely duplicates as rows of a table, and as a corrections file in which a user uncomments what is one.

Names and titles are the words of papers and of whoever wrote them: in the file they stand in comments and in strings
that they cannot end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.corrections import is_text
from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.review.built import Built, Thing
    from kg.review.duplicates import Duplicate

__all__ = ["COLUMNS", "as_corrections", "as_rows", "shown_first"]

COLUMNS = ("likeness", "name", "other name", "reason", "papers", "in", "other in", "node", "other node")
_LONGEST_TITLE = 100
_HEAD = """\
# What is likely one and was not merged, likeliest first. Where two are one, take away the "# " before "- merge":
# they become one node, shown under the first name. Then build again with this file: --corrections FILE
corrections:
"""


def as_rows(found: Iterable[Duplicate], built: Built) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each pair, with the values of `COLUMNS`."""
    for pair in found:
        one, other = shown_first(pair)
        yield (
            pair.score,
            one.name,
            other.name,
            pair.reason,
            f"{len(one.papers)} / {len(other.papers)}",
            _papers(one, built.titles),
            _papers(other, built.titles),
            one.iri,
            other.iri,
        )


def shown_first(pair: Duplicate) -> tuple[Thing, Thing]:
    """Return the two things, that of which more papers speak first: under its name they would be one."""
    first, second = sorted((pair.one, pair.other), key=lambda thing: (-len(thing.papers), thing.name, thing.iri))
    return first, second


def as_corrections(found: Iterable[Duplicate], built: Built) -> str:
    """Return a corrections file with a merge of each pair, commented out, below its reason and its papers."""
    return _HEAD + "".join(_entry(pair, built) for pair in found)


def _entry(pair: Duplicate, built: Built) -> str:
    things = shown_first(pair)
    names = [_name(thing, built) for thing in things]
    lines = [f"{pair.score:.2f}: {pair.reason}"]
    lines += [f"{thing.name} ({thing.type}): {_papers(thing, built.titles)}" for thing in things]
    if all(names):
        lines.append(f"- merge: [{', '.join(_quoted(name) for name in names if name)}]")
    return "\n" + "".join(f"# {_one_line(line)}\n" for line in lines)


def _name(thing: Thing, built: Built) -> str | None:
    """Return the thing's name where it means nothing else, else its IRI; None where a correction can hold neither."""
    alone = {other.iri for other in built.by_form.get(normal(thing.name), ())} <= {thing.iri}
    return next((name for name in ((thing.name,) if alone else ()) + (thing.iri,) if is_text(name)), None)


def _papers(thing: Thing, titles: Mapping[str, str]) -> str:
    """Return the title of the first paper of a thing, or the paper's id, and how many more there are."""
    if not thing.papers:
        return "no paper, a family of versions"
    first = min(thing.papers)
    title = titles.get(first) or first
    cut = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE].rstrip()}…"
    return f"“{cut}”" + (f" and {len(thing.papers) - 1} more" if len(thing.papers) > 1 else "")


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _quoted(text: str) -> str:
    """Return a text as YAML's string in double quotes."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"
