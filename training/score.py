"""Annotate gold papers as `kg annotate` does and score them as `kg evaluate` does, with bootstrap intervals.

    python training/score.py GOLD.jsonl [--pipeline NAME] [--out FILE]
    python training/score.py GOLD.jsonl --annotations ACCURATE.jsonl FAST.jsonl …

Of the first annotations the table has precision, recall and F1, of further ones F1. The intervals hold 95 % of the F1
of as many papers drawn from these with replacement, 2,000 times.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from data import papers

from kg.evaluate import Scores, score
from kg.linking import PIPELINES, annotate
from kg.model import Paper
from kg.records import dumps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.evaluate import Row

DRAWS = 2000
Name = tuple[str, str]


@dataclass(frozen=True)
class Scored:
    """A line of the table with the interval of its F1."""

    row: Row
    low: float
    high: float


def annotated(gold: Sequence[dict[str, Any]], pipeline: str, jobs: int = 1) -> list[dict[str, Any]]:
    """Return a line of annotations for each gold paper, of which only title and abstract are read."""
    read = (Paper(key=p["id"], id=p["id"], title=p.get("title") or "", abstract=p.get("abstract") or "") for p in gold)
    return [json.loads(dumps(record)) for record in annotate(read, jobs=jobs, pipeline=pipeline)]


def scored(
    gold: Sequence[dict[str, Any]], predicted: Sequence[dict[str, Any]], draws: int = DRAWS
) -> dict[Name, Scored]:
    """Return the table that `kg evaluate` prints, by (level, name), with 95 % intervals by bootstrap over papers."""
    guesses = {line["id"]: line for line in predicted}
    total, each = Scores(), []
    for paper in gold:
        one = score([paper], [guesses[paper["id"]]] if paper["id"] in guesses else [])
        total.add(one)
        each.append(one.rows())
    rows = total.rows()
    counts = np.zeros((len(each), len(rows), 3))
    for number, table in enumerate(each):
        for place, name in enumerate(rows):
            if name in table:
                counts[number, place] = table[name].tp, table[name].fp, table[name].fn
    chance = np.random.default_rng(0)
    drawn = chance.multinomial(len(each), np.full(len(each), 1 / len(each)), size=draws)
    tp, fp, fn = np.moveaxis(np.tensordot(drawn, counts, axes=1), -1, 0)
    low, high = np.percentile(2 * tp / np.maximum(1, 2 * tp + fp + fn), [2.5, 97.5], axis=0)
    return {name: Scored(row, float(low[i]), float(high[i])) for i, (name, row) in enumerate(rows.items())}


def markdown(tables: dict[str, dict[Name, Scored]]) -> str:
    """Return the tables side by side in Markdown: the first in full, of the others F1."""
    first, *others = tables
    heads = [f"{first}: P", "R", "F1", "95 %", *(cell for name in others for cell in (f"{name}: F1", "95 %"))]
    rules = [":---:" if head == "95 %" else "---:" for head in heads]
    lines = [f"| | due | {' | '.join(heads)} |", f"| --- | ---: | {' | '.join(rules)} |"]
    for name, one in tables[first].items():
        cells = [str(one.row.tp + one.row.fn), f"{one.row.precision:.3f}", f"{one.row.recall:.3f}", *_f1(one)]
        cells += [
            cell for other in others for cell in (_f1(tables[other][name]) if name in tables[other] else ("", ""))
        ]
        lines.append(f"| {' '.join(name)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _f1(one: Scored) -> tuple[str, str]:
    return f"{one.row.f1:.3f}", f"{one.low:.3f}–{one.high:.3f}"


def main() -> None:
    """Read the options, annotate and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--pipeline", choices=tuple(PIPELINES), default="accurate")
    parser.add_argument("--annotations", type=Path, nargs="+", help="score these, which `kg annotate` made of GOLD")
    parser.add_argument("--out", type=Path, help="write the annotations there")
    parser.add_argument("--jobs", type=int, default=1)
    a = parser.parse_args()
    gold = papers(a.gold)
    if a.annotations:
        print(markdown({path.stem.split(".")[-1]: scored(gold, papers(path)) for path in a.annotations}))
        return
    began = time.monotonic()
    predicted = annotated(gold, a.pipeline, a.jobs)
    took = time.monotonic() - began
    if a.out:
        lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in predicted)
        a.out.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(markdown({a.pipeline: scored(gold, predicted)}))
    print(f"\n{len(gold)} papers in {took:.1f} s")


if __name__ == "__main__":
    main()
