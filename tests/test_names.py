"""The algebra of names."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.model import EntityType
from kg.names import Relation, compare, family, normal, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = st.text(max_size=40) | st.text(alphabet="aAbBsS019.-+*#@&$\\_{}()~ xπ²ß™İ", max_size=16)


@given(TEXT)
@example("ʼns")
@example("b&amp;lt;")
@example("1.0.00")
@example("*a*b*")
def test_normal_is_idempotent(name: str) -> None:
    assert normal(normal(name)) == normal(name)


@given(TEXT)
def test_normal_is_empty_only_for_a_blank_name(name: str) -> None:
    assert bool(normal(name)) == bool(name.strip())


@given(TEXT)
def test_normal_holds_no_white_space_and_no_markup(name: str) -> None:
    assert not set(normal(name)) & set(" \t\n\r<>\"'{}|\\^`$~/")


@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from([" ", "-", "_", "/", ", "]))
def test_digits_never_run_together(a: int, b: int, separator: str) -> None:
    assert normal(f"GPT-{a}{separator}{b}") != normal(f"GPT-{a}{b}")


@pytest.mark.parametrize(
    "spellings",
    [
        ("FlashAttention-3", "Flash Attention 3", "flashattention3", "Flash-Attention-3", r"\textbf{FlashAttention-3}"),
        ("π0", r"$\pi_0$", "$\\pi_{0}$", "pi0", "π₀", "**π0**"),
        ("Graph Attention Networks", "graph attention network", "Graph-Attention Networks"),
        ("GPUs", "GPU"),
        ("FP-MGMs", "FP-MGM"),
        ("AlpacaEval 2.0", "AlpacaEval-2"),
        ("Schrödinger Bridges", "Schrodinger bridge"),
        ("AMD Instinct™ MI300X", "AMD Instinct(TM) MI300X"),
        ("β-VAE", "beta-VAE", r"$\beta$-VAE"),
        ("<b>CLIP</b>", "CLIP"),
    ],
)
def test_spellings_of_one_name_are_equal(spellings: tuple[str, ...]) -> None:
    assert len({normal(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("C++", "C"),
        ("C#", "C"),
        ("A*", "A"),
        ("GPT-4-32k", "GPT-432k"),
        ("CAMS", "CAMs"),
        ("BC", "B&C"),
        ("R1", "R@1"),
        ("Llama 3.1", "Llama 31"),
        ("INP-Former++", "INP-Former"),
        ("🤗", "🦙"),
    ],
)
def test_names_that_differ_stay_apart(a: str, b: str) -> None:
    assert normal(a) != normal(b)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Qwen2.5-VL-7B-Instruct", {"family": "Qwen", "version": "2.5", "size": "7B", "variant": "VL Instruct"}),
        ("Llama 3.1 8B", {"family": "Llama", "version": "3.1", "size": "8B"}),
        ("ViT-B/16", {"family": "ViT", "variant": "B", "version": "16"}),
        ("NVIDIA A100 80GB", {"maker": "NVIDIA", "family": "A100", "size": "80GB"}),
        ("SQuAD 2.0", {"family": "SQuAD", "version": "2.0"}),
        ("PASCAL VOC 2012", {"family": "PASCAL VOC", "year": "2012"}),
        ("TPU v5e", {"family": "TPU", "version": "v5e"}),
        ("wav2vec 2.0", {"family": "wav2vec", "version": "2.0"}),
        ("Mixtral-8x7B", {"family": "Mixtral", "size": "8x7B"}),
        ("ImageNet-1K", {"family": "ImageNet", "version": "1K"}),
        ("LibriSpeech test-clean", {"family": "LibriSpeech", "split": "test clean"}),
        ("3D Gaussian Splatting", {"family": "3D Gaussian Splatting"}),
        ("YOLOv8m", {"family": "YOLO", "version": "v8m"}),
        ("word2vec", {"family": "word2vec"}),
    ],
)
def test_parts_of_a_name(name: str, parts: dict[str, str]) -> None:
    parsed = parse(name)
    told = {part: getattr(parsed, part) for part in ("maker", "family", "version", "size", "variant", "year", "split")}
    assert {part: value for part, value in told.items() if value} == parts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("FlashAttention-3", "FlashAttention"),
        ("CIFAR-10", "CIFAR"),
        ("Qwen2.5-VL-7B-Instruct", "Qwen"),
        ("ViT-B/16", "ViT"),
        ("Fisher-R1-14B", "Fisher-R1"),
        ("Fisher-R1", None),
        ("A100", None),
        ("word2vec", None),
        ("Recall@10", None),
        ("3D Gaussian Splatting", None),
        ("GSM8K", None),
    ],
)
def test_family_of_a_name(name: str, expected: str | None) -> None:
    assert family(name) == expected


@given(TEXT, TEXT)
def test_compare_is_symmetric(a: str, b: str) -> None:
    assert compare(a, b) == compare(b, a)


@given(TEXT.filter(str.strip))
def test_a_name_is_the_same_as_itself(name: str) -> None:
    assert compare(name, name) == "same"


def test_a_gloss_picks_the_sense() -> None:
    assert compare("MAE", "MAE (mean absolute error)") == "different"
    assert compare("Geo Reason Enhancement", "Geo Reason Enhancement (GRE) Suite") == "same"


def test_an_ampersand_is_no_abbreviation() -> None:
    assert compare("BC", "B&C") == "different"


def pairs(path: Path) -> Iterator[tuple[str, str, str, EntityType | None]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("#", "a\tb\t")):
            a, b, relation, *told = line.split("\t")
            yield a, b, relation, EntityType(told[0]) if told else None


def test_compare_judges_curated_pairs(shared: Path) -> None:
    wrong = [
        (a, b, relation)
        for a, b, relation, told in pairs(shared / "gold" / "name_pairs.tsv")
        if compare(a, b, told) != relation
    ]
    assert not wrong


def test_compare_judges_pairs_met_in_abstracts(shared: Path) -> None:
    judged = [
        (relation, compare(a, b, told)) for a, b, relation, told in pairs(shared / "gold" / "name_pairs_real.tsv")
    ]
    apart = [found for relation, found in judged if relation != "same"]
    right = sum(relation == found for relation, found in judged)
    spelled = [found for relation, found in judged if relation == "same"]
    assert right / len(judged) >= 0.96
    assert spelled.count("same") / len(spelled) >= 0.91
    assert apart.count("same") / len(apart) <= 0.01


def test_compare_keeps_apart_what_annotators_tell_apart_in_one_paper(shared: Path) -> None:
    alike: list[Relation] = []
    apart: list[Relation] = []
    for line in (shared / "gold" / "train.jsonl").read_text(encoding="utf-8").splitlines()[::10]:
        surfaces = {
            (surface, entity["type"], number)
            for number, entity in enumerate(json.loads(line)["entities"])
            for surface in entity["mentions"]
        }
        for (a, kind, mine), (b, other, its) in combinations(sorted(surfaces), 2):
            if kind == other:
                (alike if mine == its else apart).append(compare(a, b, EntityType(kind)))
    assert apart.count("same") / len(apart) <= 0.001
    assert alike.count("same") / (alike.count("same") + apart.count("same")) >= 0.99


@pytest.mark.parametrize(
    ("a", "b", "type_", "relation"),
    [
        ("FA", "FA4", EntityType.METHOD, "different"),
        ("FA2", "FA3", EntityType.METHOD, "version"),
        ("Wikipedia", "multilingual Wikipedia", EntityType.DATASET, "version"),
        ("GenEval", "MT-GenEval", EntityType.DATASET, "different"),
        ("Transformer decoders", "Transformer-based decoder", EntityType.METHOD, "same"),
        ("Sa2VA", "SA", EntityType.METHOD, "different"),
    ],
)
def test_short_families_modifiers_and_numbers_within_names(a: str, b: str, type_: EntityType, relation: str) -> None:
    assert compare(a, b, type_) == compare(b, a, type_) == relation


def test_names_is_part_of_the_package_as_it_is_imported() -> None:
    code = "import kg; print(kg.names.compare('FlashAttention 3', 'FlashAttention-3'))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "same\n"


@pytest.mark.parametrize(
    "phrase", ["graph optimal policy hybrid evaluation recurrent", "Gaussian options per hidden eigen root"]
)
def test_a_known_name_that_is_a_word_is_not_the_initials_of_a_phrase(phrase: str) -> None:
    assert compare("Gopher", phrase) == "different"
