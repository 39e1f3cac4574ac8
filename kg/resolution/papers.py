"""One record a paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import PaperRecord

__all__ = ["one_record_per_paper"]


def one_record_per_paper(records: Iterable[PaperRecord]) -> tuple[PaperRecord, ...]:
    """Return the record with the longest abstract of each paper, with all the paper's sources, sorted by key.

    Where two are as long, the one that is last as text counts, so that the order of the input does not.
    """
    groups: dict[str, list[PaperRecord]] = {}
    for record in records:
        groups.setdefault(record.paper.key, []).append(record)
    return tuple(_best(groups[key]) for key in sorted(groups))


def _best(group: list[PaperRecord]) -> PaperRecord:
    if len(group) == 1:
        return group[0]
    best = max(group, key=lambda record: (len(record.paper.abstract), _as_text(record)))
    sources = tuple(sorted({source for record in group for source in record.paper.sources}))
    return replace(best, paper=replace(best.paper, sources=sources))


def _as_text(record: PaperRecord) -> str:
    return repr(replace(record, paper=replace(record.paper, sources=())))
