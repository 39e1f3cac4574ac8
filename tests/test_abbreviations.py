"""Abbreviations that a text defines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.names.abbreviations import abbreviations

if TYPE_CHECKING:
    from pathlib import Path

WORDS = st.lists(
    st.sampled_from(
        ["graph", "Attention", "networks", "(GAN)", "(GANs)", "SAC", "(soft", "actor-critic)", "(", ")", "the"]
    )
    | st.text(max_size=6),
    max_size=12,
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We use graph attention networks (GATs).", "GATs", "graph attention networks"),
        ("SAC (soft actor-critic) is a baseline.", "SAC", "soft actor-critic"),
        ("the Visual Geometry Grounded Transformer (VGGT)", "VGGT", "Visual Geometry Grounded Transformer"),
        ("fixed-point masked generative models (FP-MGMs)", "FP-MGMs", "fixed-point masked generative models"),
        ("Group Relative Policy Optimization (GRPO) is", "GRPO", "Group Relative Policy Optimization"),
        ("We train with Reinforcement Learning from Human Feedback (RLHF).", "RLHF",
         "Reinforcement Learning from Human Feedback"),
        ("evaluated on Massive Text Embedding Benchmark (MTEB)", "MTEB", "Massive Text Embedding Benchmark"),
        ("CORrelation ALignment (CORAL)", "CORAL", "CORrelation ALignment"),
        ("mean intersection over union (mIoU)", "mIoU", "mean intersection over union"),
        ("retrieval-augmented generation (RAG; Lewis et al.)", "RAG", "retrieval-augmented generation"),
        ("for multi-modal large language models (MLLMs)", "MLLMs", "multi-modal large language models"),
        (r"\textbf{vision foundation models}~(VFMs)", "VFMs", "vision foundation models"),
        ("3D Gaussian Splatting (3DGS)", "3DGS", "3D Gaussian Splatting"),
    ],
)  # fmt: skip
def test_a_definition_is_found(text: str, short: str, long: str) -> None:
    assert [(found.short(text), found.long(text)) for found in abbreviations(text)] == [(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "a large model (see Figure 3)",
        "results on two tasks (QA and NER)",
        "in the year (2020) we",
        "our approach (ours) wins",
        "random forests (GAT)",
        "()",
        "(",
        "FlashAttention-3 (FA3",
    ],
)
def test_no_definition_is_found(text: str) -> None:
    assert abbreviations(text) == []


@given(WORDS)
def test_spans_slice_the_text(text: str) -> None:
    for found in abbreviations(text):
        assert 0 <= found.long_start < found.long_end <= len(text)
        assert 0 <= found.short_start < found.short_end <= len(text)
        assert found.long(text) == found.long(text).strip()
        assert found.short(text).strip("()") == found.short(text)
        assert found.long_end <= found.short_start or found.short_end <= found.long_start


def test_definitions_agree_with_the_annotated_papers(shared: Path) -> None:
    """Of the definitions that touch an annotated mention, both forms are mentions of one entity."""
    right = wrong = 0
    for line in (shared / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        text = f"{paper['title']}\n{paper['abstract']}"
        owner = {
            mention.lower(): number
            for number, entity in enumerate(paper["entities"])
            for mention in entity["mentions"]
        }  # fmt: skip
        for found in abbreviations(text):
            short, long = owner.get(found.short(text).lower()), owner.get(found.long(text).lower())
            right += short is not None and short == long
            wrong += short != long
    assert right >= 360
    assert right / (right + wrong) >= 0.94
