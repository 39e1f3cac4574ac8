# ruff: noqa: D103, S101, S603
"""Tests of training and export, on texts and weights made here; they need PyTorch."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from data import IGNORED, batches, example
from export import FILES, build, difference, manifest, write
from model import Layer, Model, Shape, collate, load_model, load_tokenizer, losses, shortened, unpack_encoder
from pseudo import Wanted, chosen, labels
from train import annotation, as_tagger

from kg.linking.tagger import Line, Settings, Tagger, save_settings
from kg.linking.tagger.encoding import FIELDS, GLUES, SHAPES, encode
from kg.linking.tagger.labels import LABELS, ROLES
from kg.model import Entity, EntityType, Mention, Paper, PaperRecord, Role, RoleClaim

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
    model, teacher = Model(Shape(layers=2)).eval(), Model(Shape(layers=1)).eval()
    short = example(paper(), tokenizer)
    long = example({**paper(), "abstract": str(paper()["abstract"]) * 4}, tokenizer)
    with torch.inference_mode():
        alone = [losses(model, collate([one]), teacher=teacher).values() for one in (short, long)]
        both = losses(model, collate([short, long]), teacher=teacher).values()
    # What the role features of a teacher weigh depends on how far they are from zero in the whole batch.
    for kind, tolerance in enumerate((1e-4, 1e-4, 0.05)):
        assert both[kind] == pytest.approx((alone[0][kind] + alone[1][kind]) / 2, rel=tolerance)


def test_a_student_with_all_parts_reads_as_its_teacher(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    teacher = Model(Shape(layers=3)).eval()
    batch = collate([example(paper(), tokenizer)])
    whole = shortened(teacher, range(3), teacher.shape.heads, teacher.shape.inner).eval()
    with torch.inference_mode():
        assert losses(whole, batch, teacher=teacher).soft.item() == pytest.approx(0, abs=1e-3)
        assert losses(shortened(teacher, (0, 2), 6, 768).eval(), batch, teacher=teacher).soft.item() > 0.1


def test_the_heaviest_parts_of_a_layer_are_kept() -> None:
    torch.manual_seed(0)
    teacher = Model(Shape(layers=1))
    layer = cast("Layer", teacher.layers[0])
    with torch.no_grad():
        layer.up.weight[5] *= 100
        layer.out.weight[:, 64:96] *= 100
    short = cast("Layer", shortened(teacher, (0,), 1, 1).layers[0])
    assert torch.equal(short.up.weight, layer.up.weight[5:6])
    assert torch.equal(short.down.weight, layer.down.weight[:, 5:6])
    assert torch.equal(short.out.weight, layer.out.weight[:, 64:96])
    assert torch.equal(short.qkv.weight.view(3, 32, -1), layer.qkv.weight.view(3, 12, 32, -1)[:, 2])


def test_what_the_model_doubts_is_not_taught() -> None:
    """A name that is not sure is optional, a role that is neither sure nor unlikely an alternative."""
    text = "We propose FlashNet and use attention."
    said = Paper(key="p", id="p", title="", abstract=text)
    mentions = (
        Mention("abstract", 11, 19, EntityType.METHOD, "e1", 0.9),
        Mention("abstract", 28, 37, EntityType.METHOD, "e2", 0.5),
    )
    entities = (
        Entity("e1", EntityType.METHOD, "FlashNet", (), None),
        Entity("e2", EntityType.METHOD, "attention", (), None),
    )
    claims = (RoleClaim(Role.PROPOSES, "e1", 0.9, (0,)), RoleClaim(Role.BUILDS_ON, "e1", 0.45, (0,)))
    taught = labels(PaperRecord(said, mentions, entities, claims))
    assert taught["entities"] == [
        {"type": "Method", "name": "FlashNet", "mentions": ["FlashNet"], "roles": ["proposes"], "alt": ["buildsOn"]},
        {"type": "Method", "name": "attention", "mentions": ["attention"], "roles": [], "optional": True},
    ]


def test_no_paper_is_labelled_twice_and_none_that_is_annotated() -> None:
    known = [Paper(key=str(n), id=str(n), title=f"Title {n}", abstract=f"Abstract {n}.") for n in range(30)]
    known += [Paper(key="h", id="h", title="Fast", abstract="It runs on an H100.")]
    gold = [{"title": "TITLE 3", "abstract": "Another one"}]
    first = chosen(known, Wanted(10, 0, 1), gold)
    rest = chosen(known[::-1], Wanted(100, 10, 1), gold)
    assert "h" in {one.key for one in first}
    assert not {one.key for one in first} & {one.key for one in rest}
    assert {one.key for one in first + rest} == {one.key for one in known} - {"3"}


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

    def train(out: str, steps: int | None, *more: str) -> None:
        options = ["--epochs", "2", "--pieces", "128", "--checks", "4", "--fp32", "--holdout", "0", *more]
        stop = [] if steps is None else ["--stop-after", str(steps)]
        command = [sys.executable, str(HERE / "train.py"), str(gold), str(tmp_path / out), *options, *stop]
        subprocess.run(command, check=True, capture_output=True)

    def same(one: str, other: str) -> bool:
        a, b = (torch.load(tmp_path / run / "model.pt")["model"] for run in (one, other))
        return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)

    train("whole", None)
    train("halves", 3)
    train("halves", None)
    assert same("whole", "halves")
    student = ["--teacher", str(tmp_path / "whole"), "--pseudo", str(gold), "--layers", "0", "5"]
    train("student", None, *student)
    train("student in two", 3, *student)
    train("student in two", None, *student)
    assert same("student", "student in two")
    assert load_model(tmp_path / "student" / "model.pt").shape == Shape(layers=2, heads=6, inner=768)
