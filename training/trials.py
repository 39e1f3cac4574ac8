"""Measure what was tried of thresholds of roles and of cues, on the papers that were held out.

    python training/trials.py MODEL TRAIN.jsonl

Prints the sum of six F1 that `tune.py` climbs on by the threshold of all roles, and the F1 of roles with a threshold
for each and with cues or without, each chosen or fitted on other held-out papers than those it is counted on.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tune import THRESHOLD, Judge, calibrated, judge_of

from kg.evaluate import Scores
from kg.linking.tagger import Settings, load_settings
from kg.linking.tagger.labels import ROLES

if TYPE_CHECKING:
    from collections.abc import Callable

THRESHOLDS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6)


def across(judge: Judge, folds: int, fit: Callable[[Judge], Settings]) -> Scores:
    """Return the scores of each part of the papers with what was fitted to the other parts."""
    total = Scores()
    for fold in range(folds):
        others = [one for number, one in enumerate(judge.held) if number % folds != fold]
        total.add(Judge(judge.held[fold::folds], judge.link).scores(fit(Judge(others, judge.link))))
    return total


def one_each(settings: Settings, judge: Judge) -> Settings:
    """Return the settings with the best threshold of each role, from one for all."""
    best = max((replace(settings, role_thresholds=dict.fromkeys(ROLES, at)) for at in THRESHOLDS), key=judge)
    for role in ROLES:
        of_role = [replace(best, role_thresholds={**best.role_thresholds, role: at}) for at in THRESHOLDS]
        best = max([best, *of_role], key=judge)
    return best


def told(name: str, scores: Scores) -> None:
    """Print the F1 of roles."""
    rows = {level_name: row.f1 for level_name, row in scores.rows().items() if level_name[0] == "roles"}
    print(name, *(f"{role} {f1:.3f}" for (_, role), f1 in rows.items()), flush=True)


def main() -> None:
    """Read the options, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--share", type=float, default=0.08, help="of the papers that were held out (default 0.08)")
    a = parser.parse_args()
    judge = judge_of(a.model, a.gold, a.share)
    settings = load_settings(a.model / "settings.json")
    for at in THRESHOLDS:
        print(f"threshold {at}: {judge(replace(settings, role_thresholds=dict.fromkeys(ROLES, at))):.3f}", flush=True)
    told(f"{THRESHOLD} for all:", across(judge, 2, lambda _: settings))
    told("one for each:", across(judge, 2, lambda others: one_each(settings, others)))
    told("without cues:", across(judge, 5, lambda others: calibrated(settings, others, cues=False)))
    told("with cues:", across(judge, 5, lambda others: calibrated(settings, others)))


if __name__ == "__main__":
    main()
