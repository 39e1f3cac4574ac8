"""Draw the plots of docs/quality.md from annotations of gold papers.

    python training/plots.py GOLD.jsonl ACCURATE.jsonl FAST.jsonl RULES.jsonl OUT_DIR

Writes reliability.png (what is said of mentions and roles against what is true), precision_recall.png (core mentions
and roles as the least confidence rises) and role_confusion.png. What is optional in the gold counts in none of them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
from calibration import Outcome, bins, error
from data import papers
from matplotlib import pyplot as plt

from kg.confidence import at_least
from kg.evaluate import gold_mentions, score
from kg.linking.tagger.labels import ROLES
from kg.records import dumps, read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from kg.model import PaperRecord

Json = dict[str, Any]
NONE = "none"
ELSEWHERE = "no thing"
LEASTS = (*np.linspace(0.0, 0.95, 20), 0.97, 0.98, 0.99)


def pairs(gold: Sequence[Json], predicted: Sequence[Json]) -> Iterable[tuple[Json, Json]]:
    """Yield each gold paper with its annotations."""
    guesses = {line["id"]: line for line in predicted}
    return [(paper, guesses[paper["id"]]) for paper in gold if paper["id"] in guesses]


def owners(paper: Json, guess: Json) -> dict[str, Json]:
    """Return the gold entity of each predicted one that shares a span and the type with it."""
    places = {(name, start, end, e["type"]): e for name, start, end, e in gold_mentions(paper)}
    found: dict[str, Json] = {}
    for m in guess["mentions"]:
        entity = places.get((m["field"], m["start"], m["end"], m["type"]))
        if entity is not None:
            found.setdefault(m["entity"], entity)
    return found


def doubtful(paper: Json, mention: Json) -> bool:
    """Tell whether a predicted mention touches one of what is optional in the gold."""
    return any(
        mention["field"] == name and mention["start"] < end and start < mention["end"]
        for name, start, end, entity in gold_mentions(paper)
        if entity.get("optional")
    )


def countable(paper: Json, guess: Json) -> set[str]:
    """Return the predicted things that have a mention which counts."""
    return {m["entity"] for m in guess["mentions"] if not doubtful(paper, m)}


def mention_outcomes(paper: Json, guess: Json) -> list[Outcome]:
    """Return what was said of each mention, and whether it is one."""
    places = {(name, start, end, e["type"]) for name, start, end, e in gold_mentions(paper)}
    return [
        (m["confidence"], (m["field"], m["start"], m["end"], m["type"]) in places)
        for m in guess["mentions"]
        if not doubtful(paper, m)
    ]


def role_outcomes(paper: Json, guess: Json) -> list[Outcome]:
    """Return what was said of each role, and whether it holds."""
    mine, counting, found = owners(paper, guess), countable(paper, guess), []
    for claim in guess["roles"]:
        entity = mine.get(claim["entity"])
        if claim["entity"] in counting and (entity is None or claim["role"] not in entity.get("alt", ())):
            found.append((claim["confidence"], entity is not None and claim["role"] in entity["roles"]))
    return found


def confusion(gold: Sequence[Json], predicted: Sequence[Json]) -> Counter[tuple[str, str]]:
    """Count (gold role, predicted role) of things: what both say, and what one of them says in place of another.

    "no thing" stands for what one side alone takes for a thing. One with several roles on either side counts once for
    each that both name, and once for each that is left over against each left over on the other side, or against none.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for paper, guess in pairs(gold, predicted):
        mine, counting = owners(paper, guess), countable(paper, guess)
        told: defaultdict[int, set[str]] = defaultdict(set)
        for claim in guess["roles"]:
            if claim["entity"] in mine:
                told[id(mine[claim["entity"]])].add(claim["role"])
            elif claim["entity"] in counting:
                counts[ELSEWHERE, claim["role"]] += 1
        met = {id(entity) for entity in mine.values()}
        for entity in paper["entities"]:
            if not entity.get("optional"):
                found = told[id(entity)] if id(entity) in met else None
                counts.update(_of_entity(set(entity["roles"]), found, set(entity.get("alt", ()))))
    return counts


def _of_entity(due: set[str], found: set[str] | None, also_right: set[str]) -> Iterable[tuple[str, str]]:
    """Return the pairs of one gold entity; `found` is None where it was not found at all."""
    if found is None:
        return [(role, ELSEWHERE) for role in due]
    said = found - also_right
    both = [(role, role) for role in due & said]
    if found & also_right:
        return both
    return both + [(a, b) for a in (due - said or {NONE}) for b in (said - due or {NONE})]


def reliability(gold: Sequence[Json], predicted: Sequence[Json]) -> Figure:
    """Draw the reliability of mentions and roles, each of ten bins with equally many of them."""
    figure, axis = plt.subplots(figsize=(5, 4.5))
    axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, outcomes_of in (("mentions", mention_outcomes), ("roles", role_outcomes)):
        outcomes = [outcome for pair in pairs(gold, predicted) for outcome in outcomes_of(*pair)]
        points = bins(outcomes)
        label = f"{name}, {len(outcomes)}: off by {error(outcomes):.3f} on average"
        axis.plot([said for said, _, _ in points], [true for _, true, _ in points], marker="o", label=label)
    axis.set(xlabel="confidence", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
    axis.legend(loc="upper left", frameon=False)
    return figure


def precision_recall(gold: list[Json], by_name: dict[str, Sequence[PaperRecord]]) -> Figure:
    """Draw precision over recall of core mentions and core roles, as `--min-confidence` rises."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    for name, predicted in by_name.items():
        left = [[json.loads(dumps(at_least(record, least))) for record in predicted] for least in LEASTS]
        tables = [score(gold, guesses).rows() for guesses in left]
        for axis, level in zip(axes, ("mentions", "roles"), strict=True):
            rows = [table[level, "core"] for table in tables]
            axis.plot([row.recall for row in rows], [row.precision for row in rows], marker=".", label=name)
    for axis, level in zip(axes, ("mentions", "roles"), strict=True):
        axis.set(xlabel="recall", title=f"core {level}", xlim=(0, 1), ylim=(0.5, 1))
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("precision")
    axes[0].legend(loc="lower left", frameon=False)
    return figure


def role_confusion(gold: Sequence[Json], predicted: Sequence[Json]) -> Figure:
    """Draw the confusion matrix of roles; shades are shares of a row."""
    names = (*ROLES, NONE, ELSEWHERE)
    counts = confusion(gold, predicted)
    table = np.array([[counts[a, b] for b in names] for a in names], dtype=float)
    table[names.index(NONE), names.index(NONE)] = 0
    figure, axis = plt.subplots(figsize=(8, 7))
    axis.imshow(table / np.maximum(1, table.sum(axis=1, keepdims=True)), cmap="Blues", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(table):
        if value:
            dark = value > 0.5 * table[row].sum()
            axis.text(column, row, f"{value:.0f}", ha="center", va="center", color="white" if dark else "black", size=9)
    axis.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axis.set_yticks(range(len(names)), names)
    axis.set(xlabel="told", ylabel="gold")
    return figure


def main() -> None:
    """Read the options and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "accurate", "fast", "rules", "out"):
        parser.add_argument(name, type=Path)
    a = parser.parse_args()
    gold, accurate = papers(a.gold), papers(a.accurate)
    records = {name: list(read_records(getattr(a, name))) for name in ("accurate", "fast", "rules")}
    a.out.mkdir(parents=True, exist_ok=True)
    figures = {
        "reliability": reliability(gold, accurate),
        "precision_recall": precision_recall(gold, records),
        "role_confusion": role_confusion(gold, accurate),
    }
    for name, figure in figures.items():
        figure.tight_layout()
        figure.savefig(a.out / f"{name}.png", dpi=90, metadata={"Software": None})


if __name__ == "__main__":
    main()
