"""What a reader of a format gives: raw records, before papers are made of them.

A format is a module with one function, ``read_NAME(source: Source) -> Iterator[RawPaper | NotAPaper]``, and a
`kg.readers.sniffing.Format` in `kg.readers.formats.FORMATS`. The function

- streams: it holds one record at a time in memory, save where its library reads files whole (say so);
- yields one value for each record of the file, numbered from 1 in the order of the file: also for those
  that are broken or no papers, and never for what is nested in a record (references, reviews, revisions);
- gives strings with the escapes of its own format undone (XML entities, TeX accents and braces, folded
  lines) and leaves the rest as it is: `kg.readers.repairs` is applied afterwards to records of all formats
  and mends characters, entities, ligatures, hyphenation and markup inside strings;
- fills what it has, an empty string or None for what it has not. It need not test whether there is a title
  or an abstract, nor whether the words are ``Abstract unavailable``: that is done for all formats;
- leaves the type of the record, as the format spells it, in `kind` (``journalArticle``, ``book``, ``JOUR``):
  `kg.readers.kinds` tells for all formats which kinds and which titles are no papers;
- makes identifiers with `kg.readers.identity.identifier(scheme, value)` and `identifiers_in(text)`. A format
  whose records are plain names and values can leave all of this to `kg.readers.mapping.raw_paper`;
- yields `NotAPaper` for a record that it cannot make sense of, and goes on;
- raises `kg.errors.InputError`, without the name of the file, where the file as a whole is not of its
  format. What it yielded before is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NotAPaper", "RawPaper", "Rejection"]


@dataclass(frozen=True, slots=True)
class RawPaper:
    """A record as its format spells it. `number` counts records in the source from 1; `id` is the record's own.

    `body` holds the sections of the full text, a string each, the abstract left out. `authors` are names in
    reading order (``Ada Lovelace``). `identifiers` are pairs of scheme and value in normal form. `kind` is
    the record's type in the words of its format, `language` a tag such as ``de`` where the record tells it.
    `exact` says that the record holds spans of its own text, so that no repair may move them.
    """

    number: int
    id: str | None = None
    title: str = ""
    abstract: str = ""
    body: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    url: str | None = None
    identifiers: tuple[tuple[str, str], ...] = ()
    kind: str | None = None
    language: str | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class NotAPaper:
    """A record that is no paper, and why. `key` is the record's own id, where it has one.

    The reason is a phrase for a person, without the name of the file: ``"not valid JSON: …"``.
    """

    number: int
    key: str | None
    reason: str


@dataclass(frozen=True, slots=True, order=True)
class Rejection:
    """A record of an input that is no paper, and why: `NotAPaper` with the name of its file."""

    file: str
    record: int
    key: str | None
    reason: str
