"""Short forms made of the beginnings of words, other wordings of one name, and what they must never make one."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.model import EntityType
from kg.names import compare, normal, parse
from kg.names.initials import spells_out
from kg.names.wording import reworded

WORDS = [
    "Zorblax", "zorblax", "ZB", "Deep", "deep", "large", "language", "model", "models", "LLM", "training", "trained",
    "mechanism", "v2", "v3", "2", "3", "3.0", "7B", "70B", "base", "small", "2017", "2018", "test", "dev", "(LLM)",
]  # fmt: skip
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).flatmap(
    lambda words: st.sampled_from([" ", "-", ""]).map(lambda joint: joint.join(words))
)
WRITTEN = st.lists(st.from_regex(r"[A-Za-z][a-z]{3,8}", fullmatch=True), min_size=2, max_size=5)


def numbers(name: str) -> list[str]:
    return [number.removesuffix(".0") for number in re.findall(r"\d+(?:\.\d+)?", name)]


@given(NAMES, NAMES)
def test_compare_is_symmetric_for_names_of_parts(a: str, b: str) -> None:
    assert compare(a, b) == compare(b, a)


@given(NAMES, NAMES)
def test_names_with_other_numbers_are_never_the_same(a: str, b: str) -> None:
    assume(sorted(numbers(a)) != sorted(numbers(b)))
    assert compare(a, b) != "same"


@given(NAMES, NAMES)
def test_another_wording_is_symmetric_and_keeps_versions(a: str, b: str) -> None:
    assert reworded(a, b) == reworded(b, a)
    if reworded(a, b):
        assert sorted(numbers(a)) == sorted(numbers(b))


@given(WRITTEN)
def test_initials_are_spelled_out_by_their_words_and_not_by_fewer(words: list[str]) -> None:
    short = "".join(word[0] for word in words).upper()
    assert spells_out(short, " ".join(words))
    assert not spells_out(short + "Z", " ".join(word.replace("z", "a").replace("Z", "A") for word in words))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("FACT", "Foundation model for Assessing Cancer Tissue margins"),
        ("D3ETR", "Decoder Distillation for DEtection TRansformer"),
        ("TokenCom", "Token Communication"),
        ("LoLA", "Low-rank Linear Attention with sparse caching"),
        ("MVMoE", "Multi-Task Vehicle Routing Solver with Mixture-of-Experts"),
        ("T2VD", "text-to-video diffusion"),
        ("MARLs", "multi-agent reinforcement learning"),
        ("GMMs", "Gaussian mixture models"),
        ("OTPO", "Optimal-Transport Direct Preference Optimization"),
    ],
)
def test_a_long_form_that_looks_like_its_short_form(short: str, long: str) -> None:
    assert compare(short, long) == compare(long, short) == "same"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("MORE", "Markov decision process"),
        ("LRAE", "large language models"),
        ("SEED", "Speculative Decoding"),
        ("NAC", "Neuronal Circuit Policies"),
        ("LCL", "Label Anchored Contrastive Learning"),
        ("GrounDiff+", "Ground Diffusion"),
        ("XQ2", "Xenial Queues 3"),
        ("GEMM", "fused gather-GEMM-scatter kernel"),
        ("Multi-Agent", "Multi-Agent Training"),
        ("MVBench", "MVH-Bench"),
    ],
)
def test_letters_that_merely_occur_in_words_are_no_short_form(short: str, long: str) -> None:
    assert compare(short, long) == compare(long, short) == "different"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("contrastive fusion", "contrastive fusion mechanism"),
        ("pipeline parallel", "pipeline parallelism"),
        ("KL-regularised objective", "KL-regularized objective"),
        ("few-shot SSL", "few-shot self-supervised learning"),
        ("whole slide image analysis", "WSI analysis"),
        ("key-value (KV) cache", "KV cache"),
        ("Average Precision (AP) Loss", "AP Loss"),
        ("text-to-image (T2I) backbones", "text-to-image backbones"),
        ("DPO", "Direct Preference Optimisation"),
        ("MLLMs", "multimodal LLMs"),
    ],
)
def test_one_name_in_other_words(a: str, b: str) -> None:
    assert compare(a, b) == compare(b, a) == "same"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Fourier Transform", "Fourier Transformer"),
        ("asynchronous SGD", "synchronous SGD"),
        ("contrastive fusion module", "contrastive fusion mechanism"),
        ("interstitial lung disease", "interstitial lung disease (ILD) classification"),
        ("electroencephalogram", "electroencephalogram (EEG) analysis"),
        ("meta-RL", "RL"),
        ("Meta Self-Training", "self-training"),
        ("AMD dataset", "NVIDIA dataset"),
    ],
)
def test_other_words_that_say_something_else(a: str, b: str) -> None:
    assert compare(a, b) == compare(b, a) == "different"


@pytest.mark.parametrize(
    ("a", "b", "type_"),
    [
        ("A2Mamba", "A2Mamba-S", EntityType.METHOD),
        ("MixFormerV2", "MixFormerV2-S", EntityType.METHOD),
        ("Pre-(C)RMSNorm", "Pre-RMSNorm", EntityType.METHOD),
        ("Pre-(C)RMSNorm", "Pre-CRMSNorm", EntityType.METHOD),
        ("Blackwell", "Blackwell B200", EntityType.HARDWARE),
        ("Nvidia GTX 1080Ti", "Nvidia RTX 2080Ti", EntityType.HARDWARE),
        ("CV-Bench-2D", "CV-Bench-3D", EntityType.DATASET),
        ("Waymo", "Waymo End-to-End", EntityType.DATASET),
    ],
)
def test_versions_that_were_the_same_or_had_nothing_in_common(a: str, b: str, type_: EntityType) -> None:
    assert compare(a, b, type_) == compare(b, a, type_) == "version"


def test_a_blank_name_has_nothing_in_common_with_hardware() -> None:
    assert compare("", "QUADRO") == compare("QUADRO", "") == "different"


def test_a_gloss_that_leaves_out_a_version_is_no_other_way_to_say_it() -> None:
    assert compare("LLM", "LLM v2 (LLM)") != "same"


def test_a_size_of_one_letter_is_no_plural() -> None:
    assert normal("A2Mamba-S") == normal(normal("A2Mamba-S")) != normal("A2Mamba")
    assert normal("Swin Transformers") == normal("Swin Transformer") != normal("Swin Transformer S")


def test_meta_is_a_maker_only_of_what_has_a_number() -> None:
    assert (parse("Meta Llama 3").maker, parse("meta-RL").maker) == ("Meta", "")
