"""Every format that can be read, by the name that ``--format`` takes."""

from __future__ import annotations

from kg.readers.acl import is_acl, read_acl
from kg.readers.arxiv import is_atom, is_oai, read_atom, read_oai
from kg.readers.bibtex import is_bibtex, read_bibtex
from kg.readers.crossref_xml import is_crossref, read_crossref
from kg.readers.dblp import is_dblp, read_dblp
from kg.readers.endnote import is_endnote, is_endnote_xml, read_endnote, read_endnote_xml
from kg.readers.html import is_html, read_html
from kg.readers.jats import is_jats, read_jats
from kg.readers.json import is_json, is_json_lines, read_json, read_json_lines
from kg.readers.markdown import is_markdown, read_markdown
from kg.readers.nbib import is_nbib, read_nbib
from kg.readers.parquet import is_parquet, read_parquet
from kg.readers.pubmed import is_pubmed, read_pubmed
from kg.readers.ris import is_ris, is_wos, read_ris, read_wos
from kg.readers.sniffing import Format
from kg.readers.table import is_table, read_table
from kg.readers.tei import is_tei, read_tei
from kg.readers.text import is_text, read_text
from kg.readers.xlsx import is_spreadsheet, read_spreadsheet
from kg.readers.yaml import is_csl_yaml, is_front_matter, is_yaml, read_front_matter, read_yaml
from kg.readers.zotero_sqlite import is_zotero, read_zotero

__all__ = ["FORMATS"]

_ALL = (
    Format("parquet", read_parquet, is_parquet, 100, (".parquet",)),
    Format("spreadsheet", read_spreadsheet, is_spreadsheet, 100, (".xlsx", ".xls", ".ods")),
    Format("zotero", read_zotero, is_zotero, 100, (".sqlite",)),
    Format("jats", read_jats, is_jats, 90, (".nxml",)),
    Format("crossref-xml", read_crossref, is_crossref, 90),
    Format("arxiv-atom", read_atom, is_atom, 80),
    Format("oai", read_oai, is_oai, 80),
    Format("acl-xml", read_acl, is_acl, 80),
    Format("pubmed-xml", read_pubmed, is_pubmed, 80),
    Format("dblp", read_dblp, is_dblp, 80),
    Format("tei", read_tei, is_tei, 80, (".tei",)),
    Format("endnote-xml", read_endnote_xml, is_endnote_xml, 80),
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
