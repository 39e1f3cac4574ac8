# ruff: noqa: D103, S101, S603
"""Tests of the tagger and its training, on texts and weights made here."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from coref import entities
from data import IGNORED, batches, example, occurrences
from export import build, difference, fit, write
from hypothesis import given, settings
from hypothesis import strategies as st
from infer import (
    INSIDE,
    LABELS,
    ROLES,
    Line,
    RoleHead,
    Settings,
    Span,
    Tagger,
    encode,
    run,
    save_settings,
    viterbi,
    windows,
    words,
)
from model import Model, Shape, collate, load_tokenizer, losses, unpack_encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return load_tokenizer(unpack_encoder(tmp_path_factory.mktemp("encoder")))


def paper(number: int = 0) -> dict[str, object]:
    return {
        "id": f"p{number}",
        "title": "FlashNet: faster attention",
        "abstract": f"We propose FlashNet (FN{number}) and train on 8xH100. It beats ResNet-50 on ImageNet-1K.",
        "entities": [
            {"type": "Method", "name": "FlashNet", "mentions": ["FlashNet"], "roles": ["proposes"]},
            {"type": "Method", "name": "attention", "mentions": ["attention"], "roles": [], "optional": True},
            {"type": "Method", "name": "ResNet-50", "mentions": ["ResNet-50"], "roles": [], "alt": ["comparesTo"]},
            {"type": "Hardware", "name": "H100", "mentions": ["H100"], "roles": ["runsOn"]},
            {"type": "Dataset", "name": "ImageNet-1K", "mentions": ["ImageNet-1K"], "roles": ["evaluatesOn"]},
        ],
    }


@given(st.lists(st.text(), max_size=3))
def test_words_are_all_that_is_visible(fields: list[str]) -> None:
    cut = words(fields)
    for number, text in enumerate(fields):
        seen = "".join(text[w.start : w.end] for w in cut if w.field == number)
        assert seen == "".join(text.split())
    assert all(1 <= w.shape <= 11 for w in cut)


def legal(path: tuple[int, ...], breaks: set[int]) -> bool:
    return all(
        label not in INSIDE or (w > 0 and w not in breaks and path[w - 1] in (label, label - 1))
        for w, label in enumerate(path)
    )


@given(st.integers(0, 2**32 - 1), st.sets(st.integers(0, 3)))
@settings(max_examples=20, deadline=None)
def test_viterbi_finds_the_best_legal_path(seed: int, breaks: set[int]) -> None:
    scores = np.random.default_rng(seed).normal(size=(3, len(LABELS)))
    paths = [p for p in itertools.product(range(len(LABELS)), repeat=3) if legal(p, breaks)]
    best = max(paths, key=lambda p: sum(scores[w, label] for w, label in enumerate(p)))
    assert viterbi(scores, breaks) == list(best)


@pytest.mark.parametrize("length", [0, 1, 300, 509, 510, 511, 3000])
def test_windows_cover_long_texts(tokenizer: Tokenizer, length: int) -> None:
    encoded = encode(["Title", "transformer " * length], tokenizer)
    found = windows(encoded)
    assert found[0][0] == 0
    assert found[-1][1] == length + 1
    for (_, end), (start, _) in itertools.pairwise(found):
        assert start < end
    assert all(encoded.firsts[b] - encoded.firsts[a] <= 510 for a, b in found)


@given(st.lists(st.text(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=30)
def test_any_text_is_tagged_with_spans_inside_it(tokenizer: Tokenizer, fields: list[str]) -> None:
    def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(batch["ids"].sum())
        shape = batch["ids"].shape
        return rng.normal(size=(*shape, len(LABELS)), scale=3), rng.normal(size=(*shape, 4))

    head = RoleHead(np.zeros((5, 4)), np.zeros(4), np.ones((len(ROLES), 4)), np.zeros(len(ROLES)))
    for span in Tagger.of(tokenizer, forward, head, Settings()).tag(fields):
        text = fields[span.field][span.start : span.end]
        assert text
        assert text == text.strip()
        assert 0 <= span.probability <= 1
        assert span.roles


def test_each_word_of_a_long_text_gets_its_own_window_s_logits(tokenizer: Tokenizer) -> None:
    encoded = encode(["", " ".join(str(n) for n in range(2000))], tokenizer)

    def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        tags = np.zeros((*batch["ids"].shape, len(LABELS)))
        tags[..., 1] = batch["ids"]
        return tags, batch["ids"][..., None].astype(float)

    logp, features = run(encoded, forward, 101, 102)
    assert (features[:, 0] == encoded.ids).all()
    assert np.isfinite(logp).all()


def test_optional_words_and_multipliers(tokenizer: Tokenizer) -> None:
    e = example(paper(), tokenizer)
    encoded = encode(["FlashNet: faster attention", str(paper()["abstract"])], tokenizer)
    by_word = {
        (["FlashNet: faster attention", str(paper()["abstract"])][w.field][w.start : w.end], w.field): e.labels[a + 1]
        for w, a in zip(encoded.words, encoded.firsts, strict=False)
    }
    assert by_word["attention", 0] == IGNORED
    assert LABELS[by_word["H100", 1]] == "B-Hardware"
    assert LABELS[by_word["8x", 1]] == "O"
    assert LABELS[by_word["1K", 1]] == "I-Dataset"
    resnet = next(t for t in e.targets if not t.mask[ROLES.index("comparesTo")] and t.type == 0)
    assert resnet.mask[ROLES.index("proposes")] == 1


def test_names_in_urls_do_not_count() -> None:
    assert [o[:2] for o in occurrences("see github.com/org/Foo for Foo", ["Foo"])] == [(27, 30)]


def test_batches_hold_each_example_once() -> None:
    lengths = [int(n) for n in np.random.default_rng(0).integers(2, 512, 200)]
    found = batches(lengths, 2048, np.random.default_rng(1))
    assert sorted(itertools.chain(*found)) == list(range(200))
    assert all(max(lengths[i] for i in b) * len(b) <= 2048 for b in found)


def test_padding_changes_nothing(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    model = Model(Shape(layers=2)).eval()
    short = example(paper(), tokenizer)
    long = example({**paper(), "abstract": str(paper()["abstract"]) * 4}, tokenizer)
    with torch.inference_mode():
        alone = losses(model, collate([short])), losses(model, collate([long]))
        both = losses(model, collate([short, long]))
    for kind in range(2):
        assert both[kind].item() == pytest.approx((alone[0][kind] + alone[1][kind]).item() / 2, rel=1e-4)


def test_the_graph_computes_what_the_model_does(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    model = Model(Shape(layers=2)).eval()
    graph = build(model)
    onnx.checker.check_model(graph)
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    batch = collate([example(paper(), tokenizer)])
    values = {name: getattr(batch, name) for name in ("ids", "shapes", "glues", "fields")}
    with torch.inference_mode():
        expected = model(**values)
    for got, want in zip(
        session.run(["tags", "roles"], {k: v.numpy() for k, v in values.items()}), expected, strict=True
    ):
        np.testing.assert_allclose(got, want.numpy(), atol=1e-4)


@pytest.mark.parametrize(("eight_bits", "tolerance"), [(False, 1e-4), (True, 1.0)])
def test_an_exported_folder_is_read_and_tags(
    tokenizer: Tokenizer, tmp_path: Path, eight_bits: bool, tolerance: float
) -> None:
    torch.manual_seed(0)
    model = Model(Shape(layers=2)).eval()
    tokenizer.save(str(tmp_path / "source.json"))
    write(model, tmp_path / "source.json", tmp_path / "out", eight_bits)
    chosen = Settings(o_bias=0.0, spans=Line(0.5, 0.1), roles={"proposes": Line(2, 1)}, role_thresholds={"runsOn": 0.3})
    save_settings(chosen, tmp_path / "out" / "settings.json")
    tagger = Tagger(tmp_path / "out")
    assert tagger.settings == chosen
    fields = ["FlashNet: faster attention", str(paper()["abstract"])]
    assert difference(model, [encode(fields, tokenizer)], tagger) < tolerance
    assert tagger.tag(fields) == Tagger(tmp_path / "out").tag(fields)
    assert tagger.tag(fields)


def test_roles_without_pytorch_are_the_same(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    model = Model(Shape(layers=1)).eval()
    batch = collate([example(paper(), tokenizer)])
    with torch.inference_mode():
        _, features = model(batch.ids, batch.shapes, batch.glues, batch.fields)
        expected = torch.sigmoid(model.role_logits(features, batch)).numpy()
    head = model.role_head()
    for number, kind in enumerate(batch.types.tolist()):
        mine = [
            features[p, a:b].numpy().mean(axis=0)
            for (p, a, b), o in zip(batch.mentions, batch.owners, strict=True)
            if o == number
        ]
        np.testing.assert_allclose(head(np.max(mine, axis=0), kind), expected[number], atol=1e-4)


def test_calibration_finds_the_line_and_bears_separable_outcomes() -> None:
    rng = np.random.default_rng(0)
    said = rng.uniform(0.01, 0.99, 20000)
    odds = np.log(said / (1 - said))
    line = fit(said.tolist(), (rng.random(20000) < 1 / (1 + np.exp(-0.5 * odds - 0.7))).tolist())
    assert line.scale == pytest.approx(0.5, abs=0.05)
    assert line.shift == pytest.approx(0.7, abs=0.05)
    clear = fit([0.999999] * 5 + [0.000001] * 5, [True] * 5 + [False] * 5)
    assert 0 < clear(1e-9) < clear(1.0) < 1


def test_long_and_short_forms_are_one_thing() -> None:
    text = "Mixture of Experts (MoE) and MoE"
    spans = [Span(0, a, b, "Method", 1.0, g, {}) for a, b, g in ((0, 18, 0), (20, 23, 1), (29, 32, 1))]
    assert entities(spans, [text]) == [[0, 1, 2]]


def test_a_stopped_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(paper(n)) + "\n" for n in range(8)), encoding="utf-8")

    def train(out: str, steps: int | None) -> None:
        options = ["--epochs", "2", "--pieces", "128", "--checks", "4", "--fp32", "--holdout", "0"]
        stop = [] if steps is None else ["--stop-after", str(steps)]
        command = [sys.executable, str(HERE / "train.py"), str(gold), str(tmp_path / out), *options, *stop]
        subprocess.run(command, check=True, capture_output=True)

    train("whole", None)
    train("halves", 3)
    train("halves", None)
    a, b = (torch.load(tmp_path / run / "model.pt")["model"] for run in ("whole", "halves"))
    assert all(torch.equal(a[name], b[name]) for name in a)
