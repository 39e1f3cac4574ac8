"""`kg evaluate` counts as the project's scorer does."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError
from kg.evaluate import evaluate, score

GOLD = {
    "id": "1",
    "title": "",
    "abstract": "We propose A-1. It beats B on CIFAR-10/100, 8xH100, see https://x.org/B.",
    "entities": [
        {"type": "Method", "name": "A-1", "mentions": ["A-1"], "roles": ["proposes"]},
        {"type": "Method", "name": "B", "mentions": ["B"], "roles": ["comparesTo"], "alt": ["buildsOn"]},
        {"type": "Dataset", "name": "CIFAR-10/100", "mentions": ["CIFAR-10/100"], "roles": ["evaluatesOn"]},
        {"type": "Hardware", "name": "H100", "mentions": ["H100"], "roles": [], "optional": True},
    ],
}


def guess(*found: tuple[str, str, list[str]]) -> dict[str, Any]:
    text = str(GOLD["abstract"])
    mentions, entities, roles = [], [], []
    for number, (surface, kind, told) in enumerate(found):
        start = text.index(surface)
        where = {"field": "abstract", "start": start, "end": start + len(surface)}
        mentions.append(where | {"type": kind, "entity": f"e{number}"})
        entities.append({"id": f"e{number}", "type": kind, "name": surface})
        roles += [{"role": role, "entity": f"e{number}"} for role in told]
    return {"id": "1", "mentions": mentions, "entities": entities, "roles": roles}


def f1(level: str, name: str, *found: tuple[str, str, list[str]]) -> float:
    return score([GOLD], [guess(*found)]).rows()[level, name].f1


def test_all_right_is_one() -> None:
    right = [
        ("A-1", "Method", ["proposes"]),
        ("B", "Method", ["comparesTo"]),
        ("CIFAR-10/100", "Dataset", ["evaluatesOn"]),
    ]
    assert [f1(level, "core", *right) for level in ("mentions", "entities", "roles")] == [1, 1, 1]


def test_nothing_found_is_zero_and_all_missed() -> None:
    rows = score([GOLD], []).rows()
    assert (rows["entities", "core"].f1, rows["entities", "core"].fn) == (0, 3)


def test_what_may_be_left_out_counts_neither_way() -> None:
    rows = score([GOLD], [guess(("H100", "Hardware", ["runsOn"]), ("B", "Method", ["buildsOn"]))]).rows()
    assert (rows["mentions", "core"].tp, rows["mentions", "core"].fp) == (1, 0)
    assert (rows["roles", "core"].tp, rows["roles", "core"].fp) == (0, 0)


def test_parts_of_a_joined_name_are_that_name() -> None:
    assert f1("entities", "Dataset", ("CIFAR-10", "Dataset", [])) == 1


def test_the_wrong_type_is_wrong() -> None:
    rows = score([GOLD], [guess(("B", "Dataset", []))]).rows()
    assert rows["mentions", "Dataset"].fp == rows["entities", "Dataset"].fp == 1


def test_a_paper_that_the_gold_lacks_is_named(tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold", tmp_path / "predicted"
    gold.write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    predicted.write_text(json.dumps(guess() | {"id": "other"}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="other"):
        evaluate(gold, predicted)
    with pytest.raises(InputError, match="line 1: not a paper with id, mentions, entities, roles"):
        predicted.write_text("{}\n", encoding="utf-8")
        evaluate(gold, predicted)


def test_the_numbers_are_those_of_the_scorer(shared: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    golds = [json.loads(line) for line in (shared / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    guesses = []
    for paper in golds:
        mentions, entities, roles = [], [], []
        for number, entity in enumerate(paper["entities"]):
            if chance.random() < 0.2:
                continue
            kind = entity["type"] if chance.random() < 0.9 else "Metric"
            entities.append({"id": f"e{number}", "type": kind, "name": chance.choice(entity["mentions"])})
            roles += [{"role": role, "entity": f"e{number}"} for role in [*entity["roles"], *entity.get("alt", [])]]
            for surface in entity["mentions"]:
                start = paper["abstract"].find(surface)
                if start >= 0:
                    end = start + len(surface) - (chance.random() < 0.1)
                    where = {"field": "abstract", "start": start, "end": end}
                    mentions.append(where | {"type": kind, "entity": f"e{chance.choice([number, 0])}"})
        guesses.append({"id": paper["id"], "mentions": mentions, "entities": entities, "roles": roles})
    predicted = tmp_path / "predicted.jsonl"
    predicted.write_text("".join(json.dumps(g) + "\n" for g in guesses), encoding="utf-8")
    command = [sys.executable, str(shared / "eval" / "score.py"), str(shared / "gold" / "dev.jsonl"), str(predicted)]
    theirs = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True, encoding="utf-8")
    ours = evaluate(shared / "gold" / "dev.jsonl", predicted)
    assert json.loads(ours.to_json()) == json.loads(theirs.stdout)
    table = subprocess.run([*command, "--errors", "3"], check=True, capture_output=True, text=True, encoding="utf-8")
    assert ours.to_text(errors=3).splitlines() == table.stdout.splitlines()
