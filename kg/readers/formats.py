"""Every format that can be read, by the name that ``--format`` takes."""

from __future__ import annotations

from kg.readers.any_xml import XML_FORMATS, is_xml, read_xml
from kg.readers.bibtex import is_bibtex, read_bibtex
from kg.readers.endnote import is_endnote, read_endnote
from kg.readers.html import is_html, read_html
from kg.readers.json import is_json, is_json_lines, read_json, read_json_lines
from kg.readers.markdown import is_markdown, read_markdown
from kg.readers.nbib import is_nbib, read_nbib
from kg.readers.parquet import is_parquet, read_parquet
from kg.readers.ris import is_ris, is_wos, read_ris, read_wos
from kg.readers.sniffing import Format
from kg.readers.table import is_table, read_table
from kg.readers.text import is_text, read_text
from kg.readers.xlsx import is_spreadsheet, read_spreadsheet
from kg.readers.yaml import is_csl_yaml, is_front_matter, is_yaml, read_front_matter, read_yaml
from kg.readers.zotero_sqlite import is_zotero, read_zotero

__all__ = ["FORMATS"]

_ALL = (
    Format("parquet", read_parquet, is_parquet, 100, (".parquet",)),
    Format("spreadsheet", read_spreadsheet, is_spreadsheet, 100, (".xlsx", ".xls", ".ods")),
    Format("zotero", read_zotero, is_zotero, 100, (".sqlite",)),
    *XML_FORMATS,
    Format("xml", read_xml, is_xml, 70, (".xml",)),
    Format("nbib", read_nbib, is_nbib, 65, (".nbib",)),
    Format("ris", read_ris, is_ris, 60, (".ris",)),
    Format("wos", read_wos, is_wos, 60, (".ciw",)),
    Format("endnote", read_endnote, is_endnote, 60, (".enw",)),
    Format("bibtex", read_bibtex, is_bibtex, 55, (".bib",)),
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
