"""What a reader of a format gives: raw records, before papers are made of them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RawPaper", "Rejection"]


@dataclass(frozen=True, slots=True)
class RawPaper:
    """A record as its format spells it. `number` counts records in the file from 1; `id` is the record's own."""

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


@dataclass(frozen=True, slots=True, order=True)
class Rejection:
    """A record that is no paper, and why. `key` is the record's own id, where it has one."""

    file: str
    record: int
    key: str | None
    reason: str
