"""A joined name links to all that it names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.linking import annotate
from kg.model import Paper
from kg.names import continuation, joined


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("CIFAR-10/100", ("CIFAR-10", "CIFAR-100")),
        ("Qwen2.5-7B and 72B", ("Qwen2.5-7B", "Qwen2.5-72B")),
        ("LLaMA-2 7B/13B/70B", ("LLaMA-2 7B", "LLaMA-2 13B", "LLaMA-2 70B")),
        ("ISIC 2018 and 2019", ("ISIC 2018", "ISIC 2019")),
        ("AIME 2025/2026", ("AIME 2025", "AIME 2026")),
        ("A100/H100", ("A100", "H100")),
        ("SAM v1 & v2", ("SAM v1", "SAM v2")),
    ],
)
def test_joined_names(name: str, names: tuple[str, ...]) -> None:
    assert joined(name) == names


@pytest.mark.parametrize("name", ["SQuAD 2.0", "TCP/IP", "24/7", "GPT-4", "mAP50-95", "Llama 3 2024", "H100, 2024"])
def test_one_name_is_not_joined(name: str) -> None:
    assert joined(name) == ()


@pytest.mark.parametrize(
    "text",
    [
        "CIFAR-10 and 5 others",
        "H100, 80 GB",
        "FlashAttention-3, 2 times faster",
        "GPT-4, 2024",
        "ResNet-50 and 101 layers",
        "BERT by 3 and 5 points",
        "ScanNet-50 and 7-Scenes",
        "InternVideo2-L14 and 6.3 points",
    ],
)
def test_a_number_of_something_else_is_not_joined(text: str) -> None:
    end = len(re.split("[, ]", text, maxsplit=1)[0])
    assert continuation(text, 0, end) == end


@given(st.text("AB9 0v.,/-&andor7BK", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_a_continuation_lies_within_the_text_and_is_joined(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    whole = continuation(text, start, end)
    assert end <= whole <= len(text)
    assert whole == end or len(joined(text[start:whole])) > 1


@given(st.text(max_size=60))
def test_parts_of_any_name_are_two_or_more_and_differ(name: str) -> None:
    names = joined(name)
    assert not names or len(set(names)) == len(names) > 1


def test_a_paper_that_joins_names_speaks_of_each() -> None:
    abstract = "We evaluate on CIFAR-10/100 and compare Qwen2.5-7B and 72B with LLaMA-2 7B/13B on ISIC 2018 and 2019."
    (record,) = annotate([Paper(key="p", id="p", abstract=abstract)])
    surfaces = {mention.entity: abstract[mention.start : mention.end] for mention in record.mentions}
    assert {entity.name: surfaces[entity.id] for entity in record.entities} == {
        "CIFAR-10": "CIFAR-10/100",
        "CIFAR-100": "CIFAR-10/100",
        "Qwen2.5-7B": "Qwen2.5-7B and 72B",
        "Qwen2.5-72B": "Qwen2.5-7B and 72B",
        "LLaMA-2 7B": "LLaMA-2 7B/13B",
        "LLaMA-2 13B": "LLaMA-2 7B/13B",
        "ISIC 2018": "ISIC 2018 and 2019",
        "ISIC 2019": "ISIC 2018 and 2019",
    }
