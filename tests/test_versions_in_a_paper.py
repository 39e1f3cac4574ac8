"""Which names of one paper become one thing: versions stay apart, a size that is not told apart does not.

The spans are given here, so that no test depends on what a model finds.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.linking.apart import told_apart
from kg.linking.coreference import find_coreferent
from kg.linking.draft import Alike, Found, draft_of, make_doc
from kg.linking.groups import Groups
from kg.linking.pipeline import make_pipeline
from kg.model import EntityType, Paper
from kg.names import normal

NLP = make_pipeline(name="rules")


def things(abstract: str, *names: str, kind: EntityType = EntityType.METHOD) -> list[set[str]]:
    """Return the names of each thing of a paper in which these names are found, each at its first place."""
    doc = NLP.get_pipe("kg_abbreviations")(make_doc(Paper(key="k", id="k", abstract=abstract), NLP))
    draft = draft_of(doc)
    places = [re.search(rf"(?<!\w)(?<!3D )(?<!visual ){re.escape(name)}(?![\w-]| \d)", abstract) for name in names]
    draft.found = sorted(
        (Found(*place.span(), kind, 0.9, "learned") for place in places if place), key=lambda found: found.start
    )
    assert len(draft.found) == len(names)
    NLP.get_pipe("kg_linker")(find_coreferent(doc))
    return [{thing.name, *thing.aliases} for thing in draft.things]


@pytest.mark.parametrize(
    "names",
    [
        ["Llama 2", "Llama 2-Chat", "LLaMA"],
        ["Qwen2.5-VL", "Qwen2.5", "Qwen2-VL"],
        ["Stable Diffusion 3", "Stable Diffusion XL", "Stable Diffusion"],
        ["DeepSeek-R1-Zero", "DeepSeek-R1"],
        ["FlashAttention-2", "FlashAttention-3", "FlashAttention"],
        ["SAM 2", "SAM"],
        ["Design Conductor 2.0", "Design Conductor"],
        ["GPT-4o mini", "GPT-4o", "GPT-4"],
        ["EfficientDet-D1", "EfficientDet-D2"],
    ],
)
def test_versions_that_one_paper_names_are_things_of_their_own(names: list[str]) -> None:
    found = things(f"We compare with {', '.join(names[:-1])} and {names[-1]}.", *names)
    assert sorted(map(sorted, found)) == sorted([name] for name in names)


@pytest.mark.parametrize("names", [["CIFAR-100", "CIFAR-10"], ["MNIST-M", "MNIST"], ["SQuAD 2.0", "SQuAD 1.1"]])
def test_versions_of_a_data_set_are_things_of_their_own(names: list[str]) -> None:
    found = things(f"We test on {names[0]} and {names[1]}.", *names, kind=EntityType.DATASET)
    assert sorted(map(sorted, found)) == sorted([name] for name in names)


def test_a_size_that_the_paper_does_not_tell_apart_is_another_name_of_the_thing() -> None:
    assert things("We release ROBIN. Our ROBIN-3B is small.", "ROBIN", "ROBIN-3B") == [{"ROBIN", "ROBIN-3B"}]
    both = things("We release ROBIN. Then ROBIN-3B and ROBIN-7B differ.", "ROBIN-3B", "ROBIN-7B", "ROBIN")
    assert sorted(map(sorted, both)) == [["ROBIN"], ["ROBIN-3B"], ["ROBIN-7B"]]


def test_the_year_of_a_challenge_named_once_is_no_thing_of_its_own() -> None:
    found = things("MAGMaR 2026 is hard. For MAGMaR we train.", "MAGMaR 2026", "MAGMaR", kind=EntityType.DATASET)
    assert found == [{"MAGMaR", "MAGMaR 2026"}]


@pytest.mark.parametrize("names", [["COCO 2017", "COCO-Stuff"], ["ImageNet 2012", "ImageNet-A"]])
def test_a_data_set_with_a_year_is_not_made_one_with_another_of_its_family(names: list[str]) -> None:
    found = things(f"We test on {names[0]} and {names[1]}.", *names, kind=EntityType.DATASET)
    assert sorted(map(sorted, found)) == sorted([name] for name in names)


def test_known_tasks_of_which_one_name_stands_in_the_other_are_two() -> None:
    names = ["object detection", "3D object detection", "visual question answering", "question answering"]
    text = f"We address {names[0]} and {names[1]}. Then come {names[2]} and mere {names[3]}."
    assert sorted(map(sorted, things(text, *names, kind=EntityType.TASK))) == sorted([name] for name in names)


def test_names_with_a_short_form_each_are_two_things() -> None:
    text = "Vision-Language models (VLMs) act. We extend Vision-Language-Action models (VLAs) today."
    found = things(text, "Vision-Language models", "VLMs", "Vision-Language-Action models", "VLAs")
    assert found == [{"Vision-Language models", "VLMs"}, {"Vision-Language-Action models", "VLAs"}]


def test_a_name_between_two_versions_does_not_join_them() -> None:
    text = "SAM-based search works. Segment Anything Model 2 (SAM 2) and the Segment Anything Model (SAM) differ."
    found = things(text, "Segment Anything Model 2", "SAM 2", "Segment Anything Model", "SAM")
    assert sorted(map(sorted, found)) == [["SAM", "Segment Anything Model"], ["SAM 2", "Segment Anything Model 2"]]


VERSIONS = [
    "Llama",
    "LLaMA",
    "Llama 2",
    "Llama-2",
    "Llama 2-Chat",
    "Llama 3.1 8B",
    "Llama 3.1 70B",
    "SAM",
    "SAM 2",
    "SAM2",
]


@given(
    names=st.lists(st.sampled_from(VERSIONS), min_size=2, unique=True),
    pairs=st.lists(st.tuples(st.sampled_from(VERSIONS), st.sampled_from(VERSIONS))),
)
def test_whatever_is_alike_no_group_has_two_versions(names: list[str], pairs: list[tuple[str, str]]) -> None:
    groups = Groups({name: normal(name) for name in names}, {})
    groups.join_alike(Alike(0.1, a, b, EntityType.METHOD) for a, b in pairs if {a, b} <= set(names))
    owners = groups.owners()
    for one in names:
        for other in names:
            if owners[one] == owners[other]:
                assert not told_apart(one, other, EntityType.METHOD, names)


def test_a_name_put_together_of_another_and_more_is_no_long_form_of_that() -> None:
    names = ["TensoRF-DS", "TensoRF"]
    assert sorted(map(sorted, things("We train TensoRF-DS (TensoRF with depth).", *names))) == [
        ["TensoRF"],
        ["TensoRF-DS"],
    ]
