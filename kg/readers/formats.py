"""Every format that can be read, by the name that ``--format`` takes."""

from __future__ import annotations

from kg.readers.html import is_html, read_html
from kg.readers.json import is_json, is_json_lines, read_json, read_json_lines
from kg.readers.markdown import is_markdown, read_markdown
from kg.readers.sniffing import Format
from kg.readers.table import is_table, read_table
from kg.readers.text import is_text, read_text
from kg.readers.yaml import is_csl_yaml, is_front_matter, is_yaml, read_front_matter, read_yaml

__all__ = ["FORMATS"]

_ALL = (
    Format("json", read_json, is_json, 40, (".json",)),
    Format("jsonl", read_json_lines, is_json_lines, 45, (".jsonl", ".ndjson")),
    Format("front-matter", read_front_matter, is_front_matter, 42),
    Format("csl-yaml", read_yaml, is_csl_yaml, 44),
    Format("html", read_html, is_html, 60),
    Format("table", read_table, is_table, 30, (".csv", ".tsv")),
    Format("markdown", read_markdown, is_markdown, 20),
    Format("text", read_text, is_text, 0, (".txt",)),
    Format("yaml", read_yaml, is_yaml, 0, (".yml", ".yaml")),
)

FORMATS: dict[str, Format] = {one.name: one for one in _ALL}
