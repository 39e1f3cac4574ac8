"""The account of a reading: numbers that add up, every rejection, and where each paper was read.

Lists are written as they are read from disk, so the report of a long input takes no more memory than that of a
short one.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kg.readers.reading import Reading

__all__ = ["numbers", "rejection_lines", "sentence", "write_rejects", "write_report"]


def numbers(reading: Reading) -> dict[str, Any]:
    """Return the counts: ``records`` is the sum of ``papers``, ``duplicates`` and ``rejected``."""
    return {
        "records": reading.records,
        "papers": len(reading.papers),
        "duplicates": reading.duplicates,
        "rejected": len(reading.rejections),
        "not_english": reading.not_english,
        "formats": dict(reading.formats),
    }


def sentence(reading: Reading) -> str:
    """Say the counts in words, for a person.

    >>> from kg.readers.reading import Reading
    >>> sentence(Reading((), (), 0))
    '0 records: 0 papers, 0 duplicates, 0 rejected'
    """
    found = numbers(reading)
    text = "{records} records: {papers} papers, {duplicates} duplicates, {rejected} rejected".format(**found)
    if reading.not_english:
        text += f" ({reading.not_english} papers are not in English: their names may be missed)"
    return text


def rejection_lines(reading: Reading, limit: int) -> list[str]:
    """Return up to `limit` lines that name a rejection's file, record and reason, and one that counts the others."""
    first: Sequence[Any] = reading.rejections[:limit]
    lines = [f"rejected: {one.file}, record {one.record}: {one.reason}" for one in first]
    if len(reading.rejections) > limit:
        lines.append(f"… and {len(reading.rejections) - limit:,} more; rejects.jsonl lists all")
    return lines


def write_rejects(path: Path, reading: Reading) -> None:
    """Write one line of JSON for each rejection, by file and record; no line where there is none."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_line(asdict(one)) + "\n" for one in reading.rejections)


def write_report(path: Path, report: Mapping[str, Any], reading: Reading | None = None) -> None:
    """Write a report; with a reading, its account stands under ``input``."""
    head = json.dumps(report, ensure_ascii=False, indent=2)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        if reading is None:
            file.write(head + "\n")
            return
        account = json.dumps({"input": numbers(reading)}, ensure_ascii=False, indent=2)
        file.write(head.removesuffix("\n}") + "," + account.removeprefix("{").removesuffix("\n  }\n}"))
        file.write(',\n    "rejections": [')
        _write_items(file.write, (_line(asdict(one)) for one in reading.rejections))
        file.write('],\n    "sources": {')
        sources = ((one.key, [asdict(source) for source in one.sources]) for one in reading.papers)
        _write_items(file.write, (f"{_line(key)}: {_line(found)}" for key, found in sources))
        file.write("}\n  }\n}\n")


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_items(write: Any, items: Iterable[str]) -> None:
    behind = ""
    for item in items:
        write(f"{behind}\n      {item}")
        behind = ","
    write("\n    " if behind else "")
