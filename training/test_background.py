# ruff: noqa: D103, S101
"""Tests of counting the words that weigh contexts, on texts made here; no PyTorch needed."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from background import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_words_and_names_of_three_papers_are_counted_once_a_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, out = tmp_path / "gold.jsonl", tmp_path / "background.tsv"
    papers = [
        {"title": "Routing", "abstract": "Routing of experts." * (n + 1), "entities": [{"name": "Zeta-X"}] * (n > 0)}
        for n in range(4)
    ]
    papers[0]["abstract"] = "Nothing else."
    gold.write_text("".join(f"{json.dumps(one)}\n" for one in papers), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["background.py", str(gold), "--out", str(out)])
    main()
    assert out.read_text(encoding="utf-8") == "4\t\n4\troutin\n3\t=zetax\n3\texpert\n"
