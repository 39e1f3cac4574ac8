"""Numbers that the documents give are those of what they describe."""

from __future__ import annotations

import re
from pathlib import Path

from kg.catalogue import load
from kg.readers import read
from tests.commands import EXAMPLE

ROOT = Path(__file__).resolve().parents[1]


def number(document: str, pattern: str) -> int:
    """Return the number that a document gives."""
    (found,) = re.findall(pattern, (ROOT / document).read_text(encoding="utf-8"))
    return int(found.replace(",", ""))


def test_the_example_has_as_many_abstracts_as_the_readme_says() -> None:
    assert number("README.md", r"the (\d+) abstracts in `examples/papers.txt`") == len(read([EXAMPLE]).papers)


def test_the_catalogue_has_some_as_many_things_as_its_document_says() -> None:
    assert abs(number("docs/catalogue.md", r"some ([\d,]+) methods") - len(load().things)) <= 100


def test_nobody_counts_formats_in_words_that_nothing_keeps_true() -> None:
    """The list of changes said 26 where there were 27."""
    for document in ("README.md", "CHANGELOG.md", "docs/formats.md"):
        assert not re.findall(r"\d+ formats", (ROOT / document).read_text(encoding="utf-8"))
