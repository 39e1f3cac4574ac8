# ruff: noqa: D103, S101, S603
"""Tests of training and export, on texts and weights made here; they need PyTorch."""

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
from data import IGNORED, batches, example
from export import FILES, build, difference, manifest, write
from model import Model, Shape, collate, load_tokenizer, losses, unpack_encoder
from train import annotation, as_tagger

from kg.linking.tagger import Line, Settings, Tagger, save_settings
from kg.linking.tagger.encoding import FIELDS, GLUES, SHAPES, encode
from kg.linking.tagger.labels import LABELS, ROLES

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


@pytest.mark.parametrize("shape", [Shape(layers=1), Shape(layers=2), Shape(layers=3, heads=6, inner=768)])
def test_the_graph_computes_what_the_model_does(shape: Shape) -> None:
    torch.manual_seed(0)
    model = Model(shape).eval()
    for weights in model.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    graph = build(model)
    onnx.checker.check_model(graph)
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    # Every combination of the features of letter case, and as many pieces as there are places.
    case = np.array(list(itertools.product(range(SHAPES), range(GLUES), range(FIELDS)))).T
    case = np.tile(case, 5)[:, None, : shape.positions]
    ids = np.random.default_rng(0).integers(0, shape.vocabulary, case[0].shape)
    values = dict(zip(("ids", "shapes", "glues", "fields"), (ids, *case), strict=True))
    with torch.inference_mode():
        expected = model(**{name: torch.from_numpy(value) for name, value in values.items()})
    for got, want in zip(session.run(["tags", "roles"], values), expected, strict=True):
        np.testing.assert_allclose(got, want.numpy(), atol=1e-3)


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
    tagger = Tagger.load(tmp_path / "out")
    assert tagger.settings == chosen
    fields = ["FlashNet: faster attention", str(paper()["abstract"])]
    assert difference(model, [encode(fields, tokenizer)], tagger) < tolerance
    assert tagger.read(fields).spans() == Tagger.load(tmp_path / "out").read(fields).spans()
    assert set(json.loads(manifest(tmp_path / "out", {}))["files"]) == set(FILES)


def test_the_model_in_training_annotates_as_the_scorer_reads(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    said = annotation(paper(), as_tagger(Model(Shape(layers=1)), tokenizer))
    assert said["mentions"]
    assert {mention["entity"] for mention in said["mentions"]} == {thing["id"] for thing in said["entities"]}
    assert all(mention["field"] in ("title", "abstract") for mention in said["mentions"])


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
