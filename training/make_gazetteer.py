"""Write the learned gazetteer: names that annotated papers share, and short names that are marked wherever they stand.

    python training/make_gazetteer.py TRAIN.jsonl

In learned.tsv, a surface form is kept when it is required (not optional) in three papers or more, nine in ten times
with one type, and annotated in most of the papers whose text contains it. In marked.tsv, a single word with two
capitals (VLM, CNNs) is kept when it stands in eight papers or more and is annotated, required or optional, in four in
five of them, and four in five times with one type; the plural counts as the singular. Only names, types and counts are
written, no texts. The output depends on the set of papers alone.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from kg.linking.words import NO_NAMES

DATA = Path(__file__).resolve().parents[1] / "kg" / "catalogue" / "data"
OUT = DATA / "learned.tsv"
MARKED = DATA / "marked.tsv"
MIN_PAPERS = 3
MIN_DOMINANCE = 0.9
MIN_ANNOTATED = 0.6
WORD = re.compile(r"[^\W_]+")
SHORT = re.compile(r"(?<![\w-])[A-Za-z]*[A-Z][A-Za-z]*[A-Z]s?(?![\w-])")
MIN_STANDING = 8
MIN_MARKED = 0.8


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


def marked(papers: list[dict[str, Any]]) -> list[tuple[str, str, int, int]]:
    """Return (short name, type, papers that mark it, papers in which it stands), sorted."""
    standing: Counter[str] = Counter()
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for paper in papers:
        owners = {singular(surface): entity["type"] for entity in paper["entities"] for surface in entity["mentions"]}
        found = SHORT.findall(f"{paper.get('title') or ''}\n{paper.get('abstract') or ''}")
        for name in {singular(one) for one in found} - NO_NAMES:
            standing[name] += 1
            if name in owners:
                types[name][owners[name]] += 1
    rows = []
    for name, told in types.items():
        type_, most = min(told.items(), key=lambda item: (-item[1], item[0]))
        least = max(MIN_STANDING, MIN_MARKED * standing[name])
        if told.total() >= least and most >= MIN_MARKED * told.total():
            rows.append((name, type_, told.total(), standing[name]))
    return sorted(rows)


def singular(name: str) -> str:
    """Return a short name without the s of its plural.

    >>> [singular(name) for name in ("CNNs", "ViTs", "DoS", "ResNets")]
    ['CNN', 'ViT', 'DoS', 'ResNets']
    """
    return name[:-1] if name.endswith("s") and name[-2:-1].isupper() else name


def main() -> None:
    """Read the annotated papers and write the gazetteer."""
    parser = argparse.ArgumentParser(description="Write the learned gazetteer from annotated papers.")
    parser.add_argument("train", type=Path, help="annotated papers, JSON Lines")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    lines = arguments.train.read_text(encoding="utf-8").splitlines()
    papers = [json.loads(line) for line in lines if line.strip()]
    rows = learned(papers)
    head = "# Names that annotated papers share: name, type, papers. Made by training/make_gazetteer.py.\n"
    body = "".join(f"{surface}\t{type_}\t{count}\n" for surface, type_, count in rows)
    arguments.out.write_text(head + body, encoding="utf-8", newline="\n")
    head = "# Short names that are marked wherever they stand: name, type, papers, of so many. Made by the same.\n"
    body = "".join("\t".join(map(str, row)) + "\n" for row in marked(papers))
    MARKED.write_text(head + body, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
