# ruff: noqa: D103, S101
"""Tests of fitting how likely a name within a longer one is the same thing, on texts made here; no PyTorch needed."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from containment import main, pairs

from kg.linking.pipeline import make_pipeline
from kg.model import EntityType

if TYPE_CHECKING:
    from pathlib import Path


def paper(number: int, *, same: bool) -> dict[str, Any]:
    one = (
        [["sparse routing", "sparse routing of experts"]]
        if same
        else [["sparse routing"], ["sparse routing of experts"]]
    )
    text = "We study sparse routing. " if number % 2 else "We like sparse routing. "
    return {
        "id": f"p{number}",
        "title": "",
        "abstract": f"{text}Then sparse routing of experts follows. SAM and SAM 2 do not.",
        "entities": [
            *({"type": "Method", "name": some[0], "mentions": some, "roles": []} for some in one),
            *({"type": "Method", "name": name, "mentions": [name], "roles": []} for name in ("SAM", "SAM 2")),
        ],
    }


def test_pairs_are_names_within_longer_ones_and_no_versions() -> None:
    nlp = make_pipeline(name="rules")
    (judged,) = pairs(paper(1, same=True), nlp)
    assert (judged.pair.short, judged.pair.long) == ("sparse routing", "sparse routing of experts")
    assert (judged.pair.type, judged.same, judged.weight) == (EntityType.METHOD, True, 1.0)
    optional = paper(1, same=False)
    optional["entities"][0]["optional"] = True
    (judged,) = pairs(optional, nlp)
    assert (judged.same, judged.weight) == (False, pytest.approx(0.1))


def test_the_weights_fit_what_the_papers_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, out = tmp_path / "gold.jsonl", tmp_path / "weights.json"
    papers = [paper(number, same=number % 4 != 0) for number in range(20)]
    gold.write_text("".join(f"{json.dumps(one)}\n" for one in papers), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["containment.py", str(gold), "--out", str(out)])
    main()
    weights = json.loads(out.read_text(encoding="utf-8"))
    assert weights.keys() == {kind.value for kind in EntityType}
    assert weights["Method"]["bias"] > 0
