"""YAML: CSL as YAML, and posts with YAML in front (Jekyll, as PMLR's). A file is read whole.

All scalars are read as strings, so a title ``No`` stays one; anchors and aliases are refused, for they can make a
small file huge.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import yaml

from kg.errors import InputError
from kg.readers.json import records_of
from kg.readers.mapping import raw_paper
from kg.readers.values import NotAPaper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.readers.sniffing import Head
    from kg.readers.source import Source
    from kg.readers.values import RawPaper

__all__ = ["is_csl_yaml", "is_front_matter", "is_yaml", "read_front_matter", "read_yaml"]

_REFERENCES = re.compile(r"(?:---\s*\n)?references:\s*\n\s*- ")
_FRONT = re.compile(r"---[ \t]*\n(?:(?!---).*\n)*?(?:title|abstract):", re.MULTILINE)
_ITEM = re.compile(r"^- ", re.MULTILINE)
_YAML = re.compile(r"(?:---[ \t]*\n)?(?:#.*\n|\s*\n)*(?:- )?[\w-]+:(?:\s|$)")


class _Loader(yaml.SafeLoader):
    """Strings only, and no aliases."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias; compose anything else.

        Raises:
            InputError: the next node is an alias.
        """
        if self.check_event(yaml.AliasEvent):
            raise InputError("YAML with aliases is not read")
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {}


def is_csl_yaml(head: Head) -> bool:
    """Whether the text is a list of references in YAML."""
    return bool(_REFERENCES.match(head.text))


def is_front_matter(head: Head) -> bool:
    """Whether the text starts with front matter that has a title or an abstract."""
    return bool(_FRONT.match(head.text))


def is_yaml(head: Head) -> bool:
    """Whether the text may be YAML; so may be much else."""
    return bool(_YAML.match(head.text))


def read_yaml(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield each record of a list, of a list inside a mapping (``references``), or the mapping itself.

    Raises:
        InputError: the text is not YAML.
    """
    text = source.text()
    try:
        found = _records(_loaded(text))
    except InputError:
        found = list(_one_by_one(text))
        if sum(isinstance(record, dict) for _, record in found) == 0:
            raise
    for number, (own_id, record) in enumerate(found, start=1):
        if isinstance(record, dict):
            yield raw_paper(record, number, own_id=own_id)
        elif isinstance(record, InputError):
            yield NotAPaper(number, own_id, str(record))
        else:
            yield NotAPaper(number, own_id, f"a record must be a mapping, this is a {type(record).__name__}")


def _one_by_one(text: str) -> Iterator[tuple[str | None, Any]]:
    """The items of a list of which one is broken, that one as its error."""
    starts = [match.start() for match in _ITEM.finditer(text)]
    for start, end in pairwise([*starts, len(text)]):
        try:
            value = _loaded(text[start:end])
        except InputError as error:
            yield None, error
            continue
        yield from ((None, record) for record in (value if isinstance(value, list) else [value]))


def read_front_matter(source: Source) -> Iterator[RawPaper | NotAPaper]:
    """Yield the paper that the front matter tells; what is below it is not read.

    Raises:
        InputError: the front matter is not YAML.
    """
    front = source.text().lstrip().removeprefix("---")
    value = _loaded(re.split(r"^---[ \t]*$", front, maxsplit=1, flags=re.MULTILINE)[0])
    if not isinstance(value, dict):
        raise InputError("the front matter is no mapping")
    yield raw_paper(value, 1)


def _records(value: Any) -> list[tuple[str | None, Any]]:
    if isinstance(value, dict) and isinstance(value.get("references"), list):
        value = value["references"]
    if isinstance(value, list):
        return [(None, record) for record in value]
    return list(records_of(value))


def _loaded(text: str) -> Any:
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise InputError(f"not valid YAML{where}: {getattr(error, 'problem', None) or type(error).__name__}") from None
