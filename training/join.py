"""Join the published labels with abstracts that you have, to gold papers that can be trained on and scored.

    python training/join.py training/labels/train.jsonl.gz PAPERS... --out GOLD.jsonl

PAPERS is anything that `kg build` reads. A paper is found by its text, else by its reference (its arXiv identifier,
with or without a version), else by its id. Where the text is not the one that was annotated, mentions that it does not
have are left out, and so are entities without any; papers with fewer than half of their mentions are left out whole.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from publish import digest

from kg.evaluate import occurrences
from kg.readers import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Paper

ARXIV = re.compile(r"(?:arxiv[:./]|arxiv\.org/(?:abs|pdf)/)\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.I)
LEAST = 0.5


@dataclass
class Joined:
    """The gold papers, and how many were found how."""

    papers: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def names(paper: Paper) -> set[str]:
    """Return the references by which a paper can be found."""
    said = {paper.key, paper.id, paper.url or "", *(f"{scheme}:{value}" for scheme, value in paper.identifiers)}
    return said | {f"arxiv:{match.group(1).lower()}" for one in said for match in ARXIV.finditer(one)}


def join(labels: Iterable[dict[str, Any]], known: Iterable[Paper]) -> Joined:
    """Return gold papers for those labels whose papers are known, in the order of the labels."""
    by_text: dict[str, Paper] = {}
    by_name: dict[str, Paper] = {}
    for paper in known:
        by_text.setdefault(digest(paper.title, paper.abstract), paper)
        for name in sorted(names(paper)):
            by_name.setdefault(name, paper)
    done = Joined()
    for label in labels:
        found = by_text.get(label["text"]) or by_name.get(label["ref"]) or by_name.get(label["id"])
        done.counts["missing" if found is None else "found"] += 1
        if found is None:
            continue
        same = digest(found.title, found.abstract) == label["text"]
        entities = label["entities"] if same else present(label["entities"], found)
        due = sum(len(entity["mentions"]) for entity in label["entities"])
        if not same and sum(len(entity["mentions"]) for entity in entities) < LEAST * due:
            done.counts["with another text, left out"] += 1
            continue
        done.counts["with the same text" if same else "with another text, taken"] += 1
        texts = {"title": found.title, "abstract": found.abstract}
        done.papers.append({"id": label["id"], "ref": label["ref"], **texts, "entities": entities})
    return done


def present(entities: Iterable[dict[str, Any]], paper: Paper) -> list[dict[str, Any]]:
    """Return the entities with those of their mentions that stand in a paper."""
    kept = []
    for entity in entities:
        found = {
            surface for text in (paper.title, paper.abstract) for *_, surface in occurrences(text, entity["mentions"])
        }
        mentions = [surface for surface in entity["mentions"] if surface in found]
        if mentions:
            kept.append({**entity, "mentions": mentions})
    return kept


def unpacked(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of labels."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def main() -> None:
    """Read the options, join and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("papers", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    a = parser.parse_args()
    done = join(unpacked(a.labels), read(a.papers).papers)
    lines = (json.dumps(paper, ensure_ascii=False) + "\n" for paper in done.papers)
    a.out.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(", ".join(f"{count} {what}" for what, count in done.counts.items()))


if __name__ == "__main__":
    main()
