"""The learned tagger in the pipeline: what it finds whatever clings to it, and what it must never depend on."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language

from kg.linking import annotate, make_pipeline, records_of
from kg.linking.draft import Found, draft_of, make_doc
from kg.linking.gazetteer import OWN
from kg.linking.learned import read, settle
from kg.linking.tagger import SHIPPED, Hint, Tagger, shipped_tagger
from kg.linking.tagger.encoding import MAX_PIECES
from kg.model import EntityType, Paper, PaperRecord, Role


@cache
def pipeline() -> Language:
    return make_pipeline()


@cache
def tagger() -> Tagger:
    return shipped_tagger()


def record(abstract: str = "", title: str = "") -> PaperRecord:
    return records_of([Paper(key="k", id="k", title=title, abstract=abstract)], pipeline())[0]


def surfaces(found: PaperRecord) -> list[str]:
    return [found.paper.text(m.field)[m.start : m.end] for m in found.mentions]


def roles(found: PaperRecord) -> dict[str, set[Role]]:
    names = {entity.id: entity.name for entity in found.entities}
    told: dict[str, set[Role]] = {}
    for claim in found.roles:
        told.setdefault(names[claim.entity], set()).add(claim.role)
    return told


@pytest.mark.parametrize("folder", SHIPPED.values(), ids=SHIPPED.keys())
def test_the_weights_are_those_of_the_manifest(folder: Path) -> None:
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    assert {p.name for p in folder.iterdir()} == {"MANIFEST.json", "settings.json", *manifest["files"]}
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We test it on ImageNet-1K here.", "ImageNet-1K"),
        ("We test it on SWE-bench here.", "SWE-bench"),
        ("We use Qwen2.5-VL-7B here.", "Qwen2.5-VL-7B"),
        ("It runs on 8xH100 nodes.", "H100"),
        ("It runs on an NVIDIA H200 here.", "NVIDIA H200"),
        ("We report CIFAR-10/100 results.", "CIFAR-10/100"),
        ("We present \\textbf{FlashSSM-3D} here.", "FlashSSM-3D"),
        ("We present $\\text{MoE}^2$ here.", "\\text{MoE}^2"),
        ("We present ***FPRM***, a fast model.", "FPRM"),
        ("We propose Flexformer.", "Flexformer"),
    ],
)
def test_a_name_is_found_whatever_clings_to_it(text: str, name: str) -> None:
    assert name in surfaces(record(text))


@pytest.mark.parametrize("text", ["LLM and LLMs run on a GPU, a CPU or TPUs.", "", "$$$", "See https://x.org/CLIP."])
def test_what_names_no_thing_is_not_found(text: str) -> None:
    assert surfaces(record(text)) == []


def test_title_cue_and_comparison_tell_the_roles() -> None:
    told = roles(
        record(
            "We introduce FooNet, a fast network. FooNet outperforms FlashMask, FlexAttention, and MagiAttention. "
            "Evaluated on ImageNet, it reaches 84.2% accuracy, and it needs 3 ms on a single H100.",
            "FooNet: Fast Networks",
        )
    )
    assert told["FooNet"] == {Role.PROPOSES}
    assert all(Role.COMPARES_TO in told[name] for name in ("FlashMask", "FlexAttention", "MagiAttention"))
    assert Role.EVALUATES_ON in told["ImageNet"]
    assert told["H100"] == {Role.RUNS_ON}


def test_a_thing_of_the_users_catalogue_is_found_and_typed(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("type: Hardware\nthings:\n- name: frobnicator nine\n", encoding="utf-8")
    paper = Paper(key="k", id="k", abstract="We ran it on the frobnicator nine.")
    found = next(iter(annotate([paper], catalogue_files=[file])))
    assert [(e.name, e.type, e.catalogue) for e in found.entities] == [
        ("frobnicator nine", EntityType.HARDWARE, "frobnicatornine")
    ]


def test_a_hint_makes_a_span_likelier() -> None:
    reading = tagger().read(["", "some plain words of no name"])
    assert reading.spans() == []
    found = reading.spans([Hint(1, 5, 16, "Method", 20.0)])
    assert [(s.field, s.start, s.end, s.type) for s in found] == [(1, 5, 16, "Method")]


def test_texts_longer_than_a_window_are_read_to_the_end() -> None:
    filler = "This sentence says nothing of note about anything at all. " * 200
    found = surfaces(record(f"We propose FooNet. {filler} FooNet outperforms MagiAttention on ImageNet."))
    assert len(filler.split()) > 3 * MAX_PIECES
    assert found.count("FooNet") == 2
    assert {"MagiAttention", "ImageNet"} <= set(found)


def test_a_record_depends_on_neither_neighbours_nor_processes() -> None:
    texts = ["We propose FooNet. It beats BERT on GLUE.", "On CIFAR-10, BarNet runs on an A100.", "", "Words."]
    papers = [Paper(key=str(n), id=str(n), title="T", abstract=text) for n, text in enumerate(texts)]
    together = list(annotate(papers))
    assert together == list(annotate(papers, jobs=2))
    assert together == [record for paper in reversed(papers) for record in annotate([paper])][::-1]


@settings(deadline=None, max_examples=30)
@given(st.text(st.characters(codec="utf-8"), max_size=200), st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_gives_spans_inside_it(abstract: str, title: str) -> None:
    found = record(abstract, title)
    fields = dict(found.paper.fields())
    assert all(0 <= m.start < m.end <= len(fields[m.field]) for m in found.mentions)
    confidences = [m.confidence for m in found.mentions] + [claim.confidence for claim in found.roles]
    assert all(0 <= confidence <= 1 for confidence in confidences)


def test_there_is_no_pipeline_of_another_name() -> None:
    with pytest.raises(ValueError, match="accurate, fast"):
        annotate([], pipeline="best")


def test_no_name_begins_or_ends_with_a_function_word() -> None:
    doc = make_doc(Paper(key="k", id="k", abstract="we do object detection and of segmentation here"), pipeline())
    draft = draft_of(doc)
    draft.found = [Found(6, 26, EntityType.TASK, 1.0, OWN), Found(27, 42, EntityType.TASK, 1.0, OWN)]
    settle(doc, read(draft, tagger()))
    assert [draft.surface(found) for found in draft.found] == ["object detection", "segmentation"]


def test_the_smaller_model_finds_names_and_tells_roles_too() -> None:
    text = "We propose Flexformer. It outperforms CLIP on ImageNet-1K and runs on an NVIDIA H200."
    said = records_of([Paper(key="k", id="k", title="", abstract=text)], make_pipeline(name="fast"))[0]
    assert surfaces(said) == ["Flexformer", "CLIP", "ImageNet-1K", "NVIDIA H200"]
    told = roles(said)
    assert told["Flexformer"] == {Role.PROPOSES}
    assert told["CLIP"] == {Role.COMPARES_TO}
    assert told["NVIDIA H200"] == {Role.RUNS_ON}


def test_short_names_that_annotators_always_mark_are_found_where_they_stand_alone() -> None:
    found = record("Many MLLMs answer such questions; an MLLM-based agent and our VLM do not.")
    assert surfaces(found) == ["MLLMs", "MLLM", "VLM"]


@pytest.mark.parametrize("pipeline", ["accurate", "fast"])
def test_the_stop_after_a_number_and_the_next_sentence_are_no_part_of_a_name(pipeline: str) -> None:
    text = "We compare with GPT-3.5. We beat it on WikiText-103. Ours is Stable Diffusion. ViT-L is slow. We use SAM 2."
    (record,) = annotate([Paper(key="k", id="k", title="A study", abstract=text)], pipeline=pipeline)
    names = {text[one.start : one.end] for one in record.mentions if one.field == "abstract"}
    assert names == {"GPT-3.5", "WikiText-103", "Stable Diffusion", "ViT-L", "SAM 2"}


def test_a_hyphen_or_a_slash_at_its_end_is_no_part_of_a_name() -> None:
    doc = make_doc(Paper(key="k", id="k", abstract="we use ViT- and Qwen3/ in it"), pipeline())
    draft = draft_of(doc)
    draft.found = [Found(7, 11, EntityType.METHOD, 1.0, OWN), Found(16, 22, EntityType.METHOD, 1.0, OWN)]
    settle(doc, read(draft, tagger()))
    assert [draft.surface(found) for found in draft.found] == ["ViT", "Qwen3"]


@pytest.mark.parametrize("pipeline", ["accurate", "fast", "rules"])
def test_a_name_that_things_of_several_types_have_takes_its_type_from_the_text(pipeline: str) -> None:
    text = "We prove a rate for convex problems. Compared to SGD, our optimizer needs fewer gradient steps."
    (record,) = annotate([Paper(key="k", id="k", title="", abstract=text)], pipeline=pipeline)
    assert [entity.type for entity in record.entities if entity.name == "SGD"] == [EntityType.METHOD]
