"""Write the learned gazetteer: names that annotated papers share.

    python training/make_gazetteer.py TRAIN.jsonl

A surface form is kept when it is required (not optional) in three papers or more, nine in ten times with one type,
and annotated in most of the papers whose text contains it. Only names, types and counts are written, no texts. The
output depends on the set of papers alone.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parents[1] / "kg" / "catalogue" / "data" / "learned.tsv"
MIN_PAPERS = 3
MIN_DOMINANCE = 0.9
MIN_ANNOTATED = 0.6
WORD = re.compile(r"[^\W_]+")


def learned(papers: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """Return (surface, type, number of papers that require it), sorted."""
    required: dict[str, Counter[str]] = defaultdict(Counter)
    for paper in papers:
        found = {
            (surface, entity["type"])
            for entity in paper["entities"]
            if not entity.get("optional")
            for surface in entity["mentions"]
        }
        for surface, type_ in found:
            required[surface][type_] += 1
    candidates = {surface: types for surface, types in required.items() if sum(types.values()) >= MIN_PAPERS}
    containing = papers_containing(set(candidates), papers)
    rows = []
    for surface, types in candidates.items():
        type_, papers_with = min(types.items(), key=lambda item: (-item[1], item[0]))
        told = sum(types.values())
        if papers_with < MIN_PAPERS or papers_with / told < MIN_DOMINANCE or "\t" in surface:
            continue
        if told / max(containing[surface], 1) >= MIN_ANNOTATED:
            rows.append((surface, type_, papers_with))
    return sorted(rows)


def papers_containing(surfaces: set[str], papers: list[dict[str, Any]]) -> Counter[str]:
    """Count the papers whose title or abstract contains each surface as whole words, in its case."""
    by_first: dict[str, list[str]] = defaultdict(list)
    for surface in surfaces:
        first = WORD.search(surface)
        if first:
            by_first[first.group()].append(surface)
    patterns = {surface: re.compile(rf"(?<!\w){re.escape(surface)}(?!\w)") for surface in surfaces}
    counts: Counter[str] = Counter()
    for paper in papers:
        text = f"{paper.get('title') or ''}\n{paper.get('abstract') or ''}"
        words = set(WORD.findall(text))
        near = {surface for word in words for surface in by_first.get(word, ())}
        counts.update(surface for surface in near if patterns[surface].search(text))
    return counts


def main() -> None:
    """Read the annotated papers and write the gazetteer."""
    parser = argparse.ArgumentParser(description="Write the learned gazetteer from annotated papers.")
    parser.add_argument("train", type=Path, help="annotated papers, JSON Lines")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    lines = arguments.train.read_text(encoding="utf-8").splitlines()
    rows = learned([json.loads(line) for line in lines if line.strip()])
    head = "# Names that annotated papers share: name, type, papers. Made by training/make_gazetteer.py.\n"
    body = "".join(f"{surface}\t{type_}\t{count}\n" for surface, type_, count in rows)
    arguments.out.write_text(head + body, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
