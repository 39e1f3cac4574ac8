"""Which spans of one paper name one thing, and which forms that a paper defines are found with each other.

The spans are given here, so that no test depends on what a model finds.
"""

from __future__ import annotations

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from kg.linking.coreference import find_coreferent, one_thing
from kg.linking.draft import Draft, Found, draft_of, make_doc
from kg.linking.learned import read, settle
from kg.linking.selection import find_abbreviations, find_other_forms
from kg.linking.tagger import shipped_tagger
from kg.model import EntityType, Paper


def drafted(text: str, *names: str, kind: EntityType = EntityType.METHOD) -> Draft:
    """Return the draft of a paper of this abstract, with abbreviations told and the first place of each name found."""
    doc = find_abbreviations(make_doc(Paper(key="k", id="k", abstract=text), spacy.blank("en")))
    draft = draft_of(doc)
    starts = sorted((draft.text.index(name), name) for name in names)
    draft.found = [Found(start, start + len(name), kind, 0.9, "learned") for start, name in starts]
    find_coreferent(find_other_forms(doc))
    return draft


def alike(draft: Draft) -> set[frozenset[str]]:
    return {frozenset({pair.long, pair.short}) for pair in draft.alike}


def surfaces(draft: Draft) -> list[str]:
    return [draft.surface(found) for found in draft.found]


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("We use consistency distillation with score regularization (rCM).",
         "consistency distillation with score regularization", "rCM"),
        ("We use a Space-to-Depth (S2D) strategy.", "Space-to-Depth", "S2D"),
        ("We develop a stochastic multi-objective gradient correction (MoCo) method.",
         "stochastic multi-objective gradient correction", "MoCo"),
        ("We propose VideoPASTA (Preference Alignment with Spatio-Temporal-Cross Frame Adversaries).",
         "Preference Alignment with Spatio-Temporal-Cross Frame Adversaries", "VideoPASTA"),
        ("We introduce LLM-ACES, or LLM-guided Active Closed-loop Equation Search.",
         "LLM-guided Active Closed-loop Equation Search", "LLM-ACES"),
        ("We propose MAPA: a Multi-turn Adaptive Prompting Attack.", "Multi-turn Adaptive Prompting Attack", "MAPA"),
    ],
)  # fmt: skip
def test_a_short_form_that_skips_letters_is_its_long_forms_where_the_text_joins_them(
    text: str, long: str, short: str
) -> None:
    assert (long, short) in drafted(text, long, short).same


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("We use parameter-efficient fine-tuning (LoRA).", "parameter-efficient fine-tuning", "LoRA"),
        ("We use ordinary networks (ResNets, ViT).", "ordinary networks", "ResNets"),
        ("We test Mask R-CNN, Swin Transformer.", "Mask R-CNN", "Swin Transformer"),
    ],
)
def test_an_example_in_parentheses_or_a_neighbour_in_a_list_is_no_short_form(text: str, one: str, other: str) -> None:
    draft = drafted(text, one, other)
    assert not {(one, other), (other, one)} & set(draft.same)


@pytest.mark.parametrize(("one", "other"), [("LoRA+", "LoRA"), ("SAM2S", "SAM2")])
def test_a_plus_or_a_capital_s_tells_a_name_from_a_shorter_one(one: str, other: str) -> None:
    assert drafted(f"We test {one}, then {other} with it.", one, f"{other} with").alike == []
    assert alike(drafted(f"We test {one}. Then we run {other}-based search.", one, f"{other}-based search")) == set()


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("soft mask", "Soft Masking", EntityType.METHOD),
        ("multimodal LLMs", "Multimodal Large Language Models", EntityType.METHOD),
        ("mitigating hallucinations", "Hallucination Mitigation", EntityType.TASK),
        ("self-evolving agents", "Self-Evolving Video Agents", EntityType.METHOD),
    ],
)
def test_the_same_words_with_other_endings_or_spelled_out_may_be_one_thing(
    one: str, other: str, kind: EntityType
) -> None:
    assert alike(drafted(f"We study {one}. We present {other}.", one, other, kind=kind)) == {frozenset({one, other})}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CoT", "confidence-aware fine-tuning"),
        ("MoE", "memory reusing strategies"),
        ("ViT", "visual prompt tuning"),
        ("text-to-speech", "speech-to-text"),
        ("OmniLayout", "OmniLayout-LLM"),
    ],
)
def test_letters_that_stand_in_a_name_do_not_make_it_a_long_form(one: str, other: str) -> None:
    assert alike(drafted(f"We use {one}. We present {other}.", one, other)) == set()


def test_a_defined_short_form_that_looks_generic_is_found_with_its_long_form() -> None:
    draft = drafted("Model Recovery (MR) is costly, so MR runs at the edge.", "Model Recovery", kind=EntityType.TASK)
    assert surfaces(draft) == ["Model Recovery", "MR", "MR"]
    assert {found.type for found in draft.found} == {EntityType.TASK}
    assert ("Model Recovery", "MR") in draft.same


def test_a_long_form_is_found_with_its_short_form() -> None:
    draft = drafted("Conditional Poisson Sampling (CPS) is fast.", "CPS")
    assert surfaces(draft) == ["Conditional Poisson Sampling", "CPS"]


def test_the_singular_of_a_short_form_is_found_with_its_plural() -> None:
    draft = drafted("Our MLLMs beat every MLLM, but no MLLMX and no MLLM-2.", "MLLMs")
    assert surfaces(draft) == ["MLLMs", "MLLM"]
    draft = drafted("Large vision models (LVMs) beat every other LVM.", "Large vision models")
    assert surfaces(draft) == ["Large vision models", "LVMs", "LVM"]


def test_an_abbreviation_of_what_is_no_name_stays_unfound() -> None:
    assert surfaces(drafted("The state of the art (SOTA) is weak; CLIP is not.", "CLIP")) == ["CLIP"]


@pytest.mark.parametrize("abstract", [
    "We train Finite Scalar Quantization (FSQ) Autoencoder and Semi-Global Matching (SGM) stereo with CLIP.",
    "Chest X-ray (CXR) interpretation improves with a cross-attention (CA) alignment constraint.",
])  # fmt: skip
def test_no_span_has_one_bracket_without_the_other(abstract: str) -> None:
    doc = make_doc(Paper(key="k", id="k", abstract=abstract), spacy.blank("en"))
    draft = draft_of(doc)
    draft.found = []
    settle(doc, read(draft, shipped_tagger()))
    assert draft.found
    assert all(draft.surface(found).count("(") == draft.surface(found).count(")") for found in draft.found)


def test_a_short_form_within_a_longer_name_is_spelled_out() -> None:
    text = "Autonomous driving (AD) is hard. We improve AD planning, that is autonomous driving planning, not planning."
    draft = drafted(text, "AD planning", "autonomous driving planning", kind=EntityType.TASK)
    assert alike(draft) == {frozenset({"autonomous driving planning", "AD planning"})}
    other = drafted(text.replace("AD planning", "AP planning"), "AP planning", "autonomous driving planning")
    assert alike(other) == set()


@given(st.lists(st.text("XY+", min_size=1, max_size=6), min_size=2, max_size=2, unique=True))
def test_without_a_short_form_nothing_is_spelled_out(names: list[str]) -> None:
    draft = drafted(f"We use {names[0]} then {names[1]} now.", *names)
    assert all(one_thing(pair.long, pair.short) for pair in draft.alike)


def test_two_signs_are_not_one_thing_for_having_no_letters() -> None:
    assert not one_thing("∇", "⊕")
    assert alike(drafted("We apply ∇ and then ⊕ to it.", "∇", "⊕")) == set()
