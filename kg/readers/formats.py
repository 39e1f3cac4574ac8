"""Every format that can be read, by the name that ``--format`` takes."""

from __future__ import annotations

from kg.readers.json import is_json, is_json_lines, read_json, read_json_lines
from kg.readers.sniffing import Format
from kg.readers.table import is_table, read_table
from kg.readers.text import is_text, read_text

__all__ = ["FORMATS"]

_ALL = (
    Format("json", read_json, is_json, 40, (".json",)),
    Format("jsonl", read_json_lines, is_json_lines, 45, (".jsonl", ".ndjson")),
    Format("table", read_table, is_table, 30, (".csv", ".tsv")),
    Format("text", read_text, is_text, 0, (".txt",)),
)

FORMATS: dict[str, Format] = {one.name: one for one in _ALL}
