"""By rules, names are found, linked and given roles, and a record depends on its paper alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import CatalogueError
from kg.linking import annotate, make_pipeline, records_of
from kg.model import EntityType, Paper, PaperRecord, Role

if TYPE_CHECKING:
    from spacy.language import Language

GOLDEN = Path(__file__).parent / "golden"
PIECES = st.sampled_from(
    [
        "We propose ", "FlashSSM-3D", "CIFAR-10/100", "**Compr**ession", "$\\text{MoE}^2$", " outperforms ", ", ",
        " and ",
        "Low-Rank Adaptation (LoRA)",
        " on ", "ImageNet", "8xH100", ". ", "https://a.io/CLIP ", "CLIP", "\n", "\\textbf{", "}",
        "(", ")", "Stable Diffusion XL", "question answering", " the X dataset", "A", "é", "F1", "SWE-bench",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)


@cache
def pipeline() -> Language:
    return make_pipeline(name="rules")


def paper(abstract: str = "", title: str = "", key: str = "k") -> Paper:
    return Paper(key=key, id=key, title=title, abstract=abstract)


def record(abstract: str = "", title: str = "") -> PaperRecord:
    return records_of([paper(abstract, title)], pipeline())[0]


def surfaces(found: PaperRecord, kind: EntityType | None = None) -> list[str]:
    return [found.paper.text(m.field)[m.start : m.end] for m in found.mentions if kind in (None, m.type)]


def roles(found: PaperRecord) -> dict[str, set[str]]:
    names = {entity.id: entity.name for entity in found.entities}
    told: dict[str, set[str]] = {}
    for claim in found.roles:
        told.setdefault(names[claim.entity], set()).add(claim.role.value)
    return told


def as_json(found: PaperRecord) -> dict[str, Any]:
    """The record in the form of the golden files."""
    return {
        "mentions": [
            [m.field, m.start, m.end, found.paper.text(m.field)[m.start : m.end], m.type.value, m.entity]
            for m in found.mentions
        ],
        "entities": [[e.id, e.type.value, e.name, list(e.aliases), e.catalogue] for e in found.entities],
        "roles": [[r.role.value, r.entity, list(r.evidence)] for r in found.roles],
    }


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.paper.json")), ids=lambda path: path.name.split(".")[0])
def test_a_golden_paper_gives_its_record(path: Path) -> None:
    source = json.loads(path.read_text(encoding="utf-8"))
    expected = json.loads(path.with_name(path.name.replace(".paper.", ".record.")).read_text(encoding="utf-8"))
    assert as_json(record(source["abstract"], source["title"])) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We test it on ImageNet-1K here.", "ImageNet-1K"),
        ("We test it on SWE-bench here.", "SWE-bench"),
        ("We use Qwen2.5-VL-7B here.", "Qwen2.5-VL-7B"),
        ("It runs on 8xH100 nodes.", "H100"),
        ("It runs on a single H100 GPU.", "H100"),
        ("It runs on an NVIDIA H200 here.", "NVIDIA H200"),
        ("We report CIFAR-10/100 results.", "CIFAR-10/100"),
        ("We present \\textbf{FlashSSM-3D} here.", "FlashSSM-3D"),
        ("We present $\\text{MoE}^2$ here.", "\\text{MoE}^2"),
        ("We present ***FPRM*** here.", "FPRM"),
        ("CLIP-based methods fail.", "CLIP"),
        ("A new loss, dubbed Wobble, wins.", "Wobble"),
        ("We propose Flexformer.", "Flexformer"),
        ("It improves on nuScenes here.", "nuScenes"),
    ],
)
def test_a_name_is_found_whatever_clings_to_it(text: str, name: str) -> None:
    assert name in surfaces(record(text))


@pytest.mark.parametrize(
    "text",
    [
        "LLM and LLMs run on a GPU, a CPU or TPUs.", "AI and ML are SOTA.", "An API for PDF files in 3D.",
        "Large Language Models (LLMs) are popular.", "It is 3.5x faster with 16-bit weights and 7B parameters.",
        "See https://github.com/x/CLIP and www.imagenet.org/ImageNet for code.", "A Real-Time Multi-Agent system.", "",
    ],
)  # fmt: skip
def test_what_names_no_thing_is_not_found(text: str) -> None:
    assert surfaces(record(text)) == []


def test_long_and_short_form_are_one_entity() -> None:
    found = record("We propose Conditional Poisson Sampling (CPS). CPS is fast.")
    assert [(e.name, e.aliases) for e in found.entities] == [("Conditional Poisson Sampling", ("CPS",))]
    assert surfaces(found) == ["Conditional Poisson Sampling", "CPS", "CPS"]


def test_a_joined_name_is_one_span_of_two_entities() -> None:
    found = record("We evaluate on CIFAR-10/100.")
    assert [e.name for e in found.entities] == ["CIFAR-10", "CIFAR-100"]
    assert surfaces(found) == ["CIFAR-10/100"] * 2


def test_a_name_found_once_is_found_everywhere_but_in_longer_words() -> None:
    found = record("We call it so. The model, called Wobble, wins. Wobble is fast, Wobbles and Wobbler are words.")
    assert surfaces(found) == ["Wobble", "Wobble"]


def test_a_list_shares_the_cue_before_it() -> None:
    told = roles(record("We propose FooNet. FooNet outperforms FlashMask, FlexAttention, and MagiAttention."))
    assert told["FooNet"] == {"proposes"}
    assert all(told[name] == {"comparesTo"} for name in ("FlashMask", "FlexAttention", "MagiAttention"))


@pytest.mark.parametrize(
    ("title", "abstract", "name", "role"),
    [
        ("BarNet: Fast Networks", "Networks are slow.", "BarNet", Role.PROPOSES),
        ("", "We introduce FooBench, a benchmark of 100 tasks.", "FooBench", Role.PROPOSES),
        ("", "We introduce FooBench, a benchmark of 100 tasks.", "FooBench", Role.EVALUATES_ON),
        ("", "It is compared with XGBoost.", "XGBoost", Role.COMPARES_TO),
        ("", "Unlike QLoRA, it is exact.", "QLoRA", Role.COMPARES_TO),
        ("", "The model is built on PaliGemma.", "PaliGemma", Role.BUILDS_ON),
        ("", "It reaches 84.2% on ImageNet.", "ImageNet", Role.EVALUATES_ON),
        ("", "The model is trained on the LAION-5B dataset.", "LAION-5B", Role.TRAINS_ON),
        ("", "It needs 3 ms on a single H100.", "H100", Role.RUNS_ON),
        ("", "We report a PSNR of 31 dB.", "PSNR", Role.MEASURES),
    ],
)
def test_a_cue_tells_the_role(title: str, abstract: str, name: str, role: Role) -> None:
    assert role.value in roles(record(abstract, title)).get(name, set())


def test_evidence_names_the_most_telling_mention_first() -> None:
    found = record("FooNet is a name. Then we propose FooNet. FooNet ends it.")
    claim = next(claim for claim in found.roles if claim.role is Role.PROPOSES)
    assert found.mentions[claim.evidence[0]].start == found.paper.abstract.index("propose FooNet") + 8


def test_a_thing_of_the_users_catalogue_is_found_and_typed(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("type: Hardware\nthings:\n- name: frobnicator nine\n", encoding="utf-8")
    found = next(
        iter(annotate([paper("We ran it on the frobnicator nine.")], catalogue_files=[file], pipeline="rules"))
    )
    assert [(e.name, e.type, e.catalogue) for e in found.entities] == [
        ("frobnicator nine", EntityType.HARDWARE, "frobnicatornine")
    ]


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_a_record_is_sound_for_any_paper(title: str, abstract: str) -> None:
    found = record(abstract, title)
    ids = [entity.id for entity in found.entities]
    assert ids == [f"e{number}" for number in range(1, len(ids) + 1)]
    assert list(dict.fromkeys(m.entity for m in found.mentions)) == ids
    types = {entity.id: entity.type for entity in found.entities}
    for mention in found.mentions:
        assert 0 <= mention.start < mention.end <= len(found.paper.text(mention.field))
        assert types[mention.entity] is mention.type
        assert mention.confidence == round(mention.confidence, 3)
        assert 0 < mention.confidence <= 1
    spans = sorted({(m.field, m.start, m.end) for m in found.mentions})
    for (field, _, end), (other, start, _) in pairwise(spans):
        assert field != other or end <= start
    for claim in found.roles:
        assert claim.evidence
        assert all(found.mentions[index].entity == claim.entity for index in claim.evidence)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_a_record_does_not_depend_on_the_other_papers(abstracts: list[str], random: Any) -> None:
    papers = [paper(text, key=str(number)) for number, text in enumerate(abstracts)]
    shuffled = random.sample(papers, len(papers))
    together = {found.paper.key: found for found in records_of(shuffled, pipeline())}
    assert all(together[one.key] == records_of([one], pipeline())[0] for one in papers)


@given(st.lists(TEXTS, min_size=70, max_size=90))
@settings(deadline=None, max_examples=2, suppress_health_check=[HealthCheck.large_base_example, HealthCheck.too_slow])
def test_two_processes_give_what_one_gives(abstracts: list[str]) -> None:
    papers = [paper(text, key=str(number)) for number, text in enumerate(abstracts)]
    assert list(annotate(iter(papers), jobs=2, pipeline="rules")) == list(annotate(iter(papers), pipeline="rules"))


def test_papers_are_read_only_as_they_are_needed() -> None:
    read = 0

    def papers() -> Any:
        nonlocal read
        for number in range(100_000):
            read += 1
            yield paper("We propose FooNet.", key=str(number))

    found = iter(annotate(papers(), pipeline="rules"))
    next(found)
    assert read < 1000


def test_a_mistake_in_a_catalogue_is_told_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    for jobs in (1, 2):
        with pytest.raises(CatalogueError):
            annotate([], catalogue_files=[tmp_path / "missing.yaml"], jobs=jobs, pipeline="rules")


def test_no_job_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        annotate([], jobs=0, pipeline="rules")


@pytest.mark.skipif(sys.platform == "win32", reason="a test cannot send Ctrl-C to one process on Windows")
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "from itertools import count\nfrom kg.linking import annotate\nfrom kg.model import Paper\n"
        "if __name__ == '__main__':\n"
        "    papers = (Paper(key=str(n), id=str(n), abstract='We propose FooNet. ' * 50) for n in count())\n"
        "    for number, _ in enumerate(annotate(papers, jobs=2)):\n"
        "        if not number:\n            print('ready', flush=True)\n",
        encoding="utf-8",
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert errors.count("Traceback") == 1
    assert "KeyboardInterrupt" in errors
    deadline = time.monotonic() + 10
    while _group_lives(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _group_lives(process.pid)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    "unit",
    ["A ", "A1 ", "CLIP, ", "A-", "((", "A/", "(ABC) ", "we propose ", "CIFAR-10/100/", "$\\alpha$-", "the X dataset "],
)
def test_hostile_text_is_annotated_in_linear_time(unit: str) -> None:
    began = time.process_time()
    record(unit * (60_000 // len(unit)))
    assert time.process_time() - began < 20


def test_body_text_is_read_like_the_abstract() -> None:
    source = replace(paper(title="FooNet: Fast"), body=("We use FooNet.", "FooNet runs on an A100."))
    found = records_of([source], pipeline())[0]
    assert [m.field for m in found.mentions] == ["title", "body/1", "body/2", "body/2"]
