"""Write what a tagger finds in gold papers as annotations, and score it.

python score.py MODEL_DIR GOLD.jsonl --scorer SCORE.py [--out ANNOTATIONS.jsonl]
"""

from __future__ import annotations

import argparse
import json
import runpy
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from coref import entities
from data import fields_of, papers
from infer import Reading, Settings, Tagger

NAMES = ("title", "abstract")


def annotation(paper_id: str, fields: list[str], reading: Reading, settings: Settings) -> dict[str, Any]:
    """Return one paper's line of annotations."""
    mentions, things, roles = [], [], []
    for number, members in enumerate(entities(reading.spans, fields)):
        name = f"e{number}"
        spans = [reading.spans[i] for i in members]
        texts = [fields[s.field][s.start : s.end] for s in spans]
        kind = spans[0].type
        things.append({"id": name, "type": kind, "name": max(texts, key=len), "aliases": sorted(set(texts))})
        for s in spans:
            where = {"field": NAMES[s.field], "start": s.start, "end": s.end}
            mentions.append({**where, "type": s.type, "entity": name, "confidence": round(s.probability, 3)})
        for role, probability in reading.roles(members, kind).items():
            if probability >= settings.threshold(role):
                roles.append({"role": role, "entity": name, "confidence": round(probability, 3)})
    return {"id": paper_id, "mentions": mentions, "entities": things, "roles": roles}


def predict(tagger: Tagger, gold: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the annotations of papers, of which only title and abstract are read."""
    found = []
    for paper in gold:
        fields = fields_of(paper)
        found.append(annotation(paper["id"], fields, tagger.read(fields), tagger.settings))
    return found


def rows(gold: list[dict[str, Any]], predicted: list[dict[str, Any]], scorer: Path) -> dict[tuple[str, str], Any]:
    """Return the scorer's rows: {(level, name): {"p", "r", "f1", "tp", "fp", "fn"}}."""
    module = runpy.run_path(str(scorer))
    counted: dict[tuple[str, str], Any] = module["report"](module["score"](gold, predicted, defaultdict(list)))
    return counted


def totals(gold: list[dict[str, Any]], predicted: list[dict[str, Any]], scorer: Path) -> dict[str, Any]:
    """Return a few figures for a log."""
    counted = rows(gold, predicted, scorer)
    figures: dict[str, Any] = {}
    for level in ("mentions", "entities", "roles"):
        r = counted[level, "core"]
        figures[f"{level}_core"] = [round(r[x], 4) for x in ("p", "r", "f1")]
        figures[f"{level}_all"] = round(counted[level, "all"]["f1"], 4)
    return figures


def intervals(
    gold: list[dict[str, Any]], predicted: list[dict[str, Any]], scorer: Path, draws: int = 1000
) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the 95 % bootstrap interval of each row's F1, papers drawn with replacement."""
    module = runpy.run_path(str(scorer))
    each = [
        module["report"](module["score"]([g], [p], defaultdict(list))) for g, p in zip(gold, predicted, strict=True)
    ]
    names = sorted({name for table in each for name in table})
    none = {"tp": 0, "fp": 0, "fn": 0}
    counts = np.array([[[t.get(n, none)[x] for x in ("tp", "fp", "fn")] for n in names] for t in each])
    rng = np.random.default_rng(0)
    sums = np.stack([counts[rng.integers(0, len(each), len(each))].sum(axis=0) for _ in range(draws)])
    f1 = 2 * sums[..., 0] / np.maximum(1, 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])
    low, high = np.percentile(f1, [2.5, 97.5], axis=0)
    return {name: (float(low[i]), float(high[i])) for i, name in enumerate(names)}


def main() -> None:
    """Read the options, predict and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--scorer", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="write the annotations there")
    a = parser.parse_args()
    gold = papers(a.gold)
    tagger = Tagger(a.model)
    began = time.process_time()
    predicted = predict(tagger, gold)
    took = time.process_time() - began
    if a.out:
        lines = (json.dumps(p, ensure_ascii=False) + "\n" for p in predicted)
        a.out.write_text("".join(lines), encoding="utf-8", newline="\n")
    spread = intervals(gold, predicted, a.scorer)
    print(f"{'':24}{'P':>8}{'R':>8}{'F1':>8}{'95 % of F1':>16}{'tp':>7}{'fp':>7}{'fn':>7}")
    for (level, name), r in rows(gold, predicted, a.scorer).items():
        low, high = spread[level, name]
        figures = f"{r['p']:8.3f}{r['r']:8.3f}{r['f1']:8.3f}{low:9.3f}–{high:.3f} {r['tp']:7}{r['fp']:7}{r['fn']:7}"
        print(f"{level + ' ' + name:24}{figures}")
    print(f"{len(gold) / took:.1f} papers a second of processor time, on one thread", file=sys.stderr)


if __name__ == "__main__":
    main()
