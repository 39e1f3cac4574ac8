#!/usr/bin/env python3
"""How often names are rightly told to be one thing, two versions or two things: ours beside two simple rules.

    python benchmarks/linking.py PAIRS.tsv... [--senses SENSES.jsonl --build DIR]

PAIRS have the columns a, b, relation (same, version, different) and type. The rules:

- ours: `kg.names.compare`, and for senses the links of the build in DIR;
- WRatio: the default rule of neo4j-graphrag's FuzzyMatchResolver, which merges what rapidfuzz's `fuzz.WRatio` with
  `processor=utils.default_process` finds 80% alike or more. It is taken from the package where neo4j-graphrag is
  installed, else called as the package's documented source calls it; the heading says which;
- exact: equal strings; and equal but for case and all that is no letter or digit.

The two rules know no versions: what they merge counts as `same`, all else as `different`, and neither finds a version.
SENSES are names that stand in several papers each, with what they mean there. Every pair of papers under one name is
judged: by the string alone all of them are one thing, and so by both rules; with the type, those of one type.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz, utils

from kg.model import EntityType
from kg.names import compare
from kg.records import read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Rule = Callable[[str, str, str], str]
    NodeOf = Callable[[str, dict[str, Any]], str | None]

THRESHOLD = 0.8


def wratio() -> tuple[Callable[[str, str], float], str]:
    """Return neo4j-graphrag's likeness of two texts, in [0, 1], and where it is from."""
    for place in ("neo4j_graphrag.components.resolver", "neo4j_graphrag.experimental.components.resolver"):
        try:
            resolver = importlib.import_module(place).FuzzyMatchResolver
        except ImportError:
            continue
        return object.__new__(resolver).compute_similarity, "its package"  # likeness needs no database
    call = "the call of its documented source, as the package is not installed"
    return lambda a, b: fuzz.WRatio(a, b, processor=utils.default_process) / 100, call


def pairs(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a file of pairs."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def letters(name: str) -> str:
    """Return a name's letters and digits in lower case."""
    return "".join(char for char in name.casefold() if char.isalnum())


def ours(a: str, b: str, type_: str) -> str:
    """Return what `kg.names.compare` says."""
    return compare(a, b, EntityType(type_) if type_ else None)


def score_pairs(rows: list[dict[str, str]], rule: Rule) -> dict[str, float]:
    """Return the shares of pairs told right, over all and by relation, and those called `same` that are not."""
    told = Counter((row["relation"], rule(row["a"], row["b"], row.get("type") or "")) for row in rows)
    total = Counter(row["relation"] for row in rows)
    merged = sum(count for (_, said), count in told.items() if said == "same")
    right = told["same", "same"]
    return {
        "right": sum(count for (is_, said), count in told.items() if is_ == said) / len(rows),
        "same found": right / total["same"],
        "version found": told["version", "version"] / total["version"],
        "different found": told["different", "different"] / total["different"],
        "versions merged": told["version", "same"] / total["version"],
        "wrongly merged": (merged - right) / (len(rows) - total["same"]),
        "F1 of same": 2 * right / (merged + total["same"]),
    }


def score_senses(blocks: list[dict[str, Any]], node_of: NodeOf) -> dict[str, float]:
    """Return how well nodes follow senses: every pair of papers under one name is judged."""
    tally: Counter[tuple[bool, bool]] = Counter()
    missing = 0
    for block in blocks:
        for a, b in combinations(block["occurrences"], 2):
            one, other = node_of(block["name"], a), node_of(block["name"], b)
            if one is None or other is None:
                missing += 1
            else:
                tally[a["sense"] == b["sense"], one == other] += 1
    together = tally[True, True] + tally[False, True]
    return {
        "precision": tally[True, True] / (together or 1),
        "recall": tally[True, True] / ((tally[True, True] + tally[True, False]) or 1),
        "homographs kept apart": tally[False, False] / ((tally[False, False] + tally[False, True]) or 1),
        "covered": tally.total() / (tally.total() + missing),
    }


def nodes_of_build(folder: Path) -> NodeOf:
    """Return a function that gives the node that most mentions of a name in a paper lead to."""
    links = (json.loads(line) for line in (folder / "links.jsonl").read_text(encoding="utf-8").splitlines())
    node = {(link["paper"], link["entity"]): link["node"] for link in links}
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for record in read_records(folder / "annotations.jsonl"):
        fields = dict(record.paper.fields())
        for mention in record.mentions:
            surface = fields[mention.field][mention.start : mention.end]
            if (record.paper.id, mention.entity) in node:
                found[record.paper.id, surface][node[record.paper.id, mention.entity]] += 1
    most = {place: min(counts, key=lambda key: (-counts[key], key)) for place, counts in found.items()}
    return lambda name, occurrence: most.get((occurrence["paper"], name))


def table(title: str, rows: Iterable[tuple[str, dict[str, float]]]) -> str:
    """Return a table in Markdown, a rule a line."""
    rows = list(rows)
    heads = list(rows[0][1])
    lines = [f"| {title} | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    lines += [f"| {name} | {' | '.join(f'{100 * figures[head]:.1f}%' for head in heads)} |" for name, figures in rows]
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+", type=Path, metavar="PAIRS.tsv")
    parser.add_argument("--senses", type=Path)
    parser.add_argument("--build", type=Path, metavar="DIR", help="what `kg build` made of the papers of the senses")
    args = parser.parse_args()
    for path in (*args.pairs, *filter(None, (args.senses, args.build))):
        if not path.exists():
            parser.error(f"{path} is not there")
    likeness, origin = wratio()
    rules: dict[str, Rule] = {
        "ours": ours,
        "WRatio ≥ 0.8": lambda a, b, _: "same" if likeness(a, b) >= THRESHOLD else "different",
        "letters and digits": lambda a, b, _: "same" if letters(a) == letters(b) else "different",
        "exact": lambda a, b, _: "same" if a == b else "different",
    }
    print(f"WRatio ≥ 0.8 is the default rule of neo4j-graphrag, by {origin}.\n")
    for path in args.pairs:
        rows = list(pairs(path))
        print(
            table(f"{path.name}, {len(rows)} pairs", ((name, score_pairs(rows, rule)) for name, rule in rules.items()))
        )
        print()
    if args.senses is not None and args.build is not None:
        blocks = [json.loads(line) for line in args.senses.read_text(encoding="utf-8").splitlines()]
        by_rule: dict[str, NodeOf] = {
            "ours": nodes_of_build(args.build),
            "WRatio ≥ 0.8": lambda name, _: name,
            "exact": lambda name, _: name,
            "exact, within a type": lambda name, occurrence: f"{occurrence['type']} {name}",
        }
        figures = ((name, score_senses(blocks, node_of)) for name, node_of in by_rule.items())
        print(table(f"{args.senses.name}, {len(blocks)} names", figures))


if __name__ == "__main__":
    main()
