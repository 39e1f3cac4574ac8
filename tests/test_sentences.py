"""Sentences are told apart, and no character of the text is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text import sentences

PIECES = st.sampled_from(
    ["A. ", "et al. ", "e.g., ", "Fig. 2", "3.5", ".", "! ", "? ", "\n\n", " ", "x", "Xy ", ".)", "。", "…", "**", "$"]
)


def texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
def test_spans_are_ordered_apart_and_cover_everything_but_space(text: str) -> None:
    spans = sentences(text)
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(start < end for start, end in spans)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())


@pytest.mark.parametrize(
    "text",
    [
        "Vaswani et al. propose attention.",
        "Vaswani et al. (2017) propose attention.",
        "Large models, e.g. GPT-5.4, gain 3.5 points vs. Llama 3.1 on i.e. GLUE.",
        "As Fig. 2 and Sec. 3 show, cf. Tab. 1.",
        "We follow J. R. Smith and D. Knuth.",
        "It is 2.5x faster w.r.t. memory.",
        "See https://example.org/a.b for code.",
    ],
)
def test_a_full_stop_that_ends_no_sentence(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["We present X.", "It is fast."],
        ["We use GPT-5.4.", "It wins."],
        ["We beat Smith et al.", "Our code is open."],
        ["Is it so?", "Yes!", "Good."],
        ["It works (on A100).", "nuScenes is hard."],
        [r"We present \textbf{X}.", r"\textbf{Y} is next."],
        ['He said "no."', "**Bold** is next."],
        ["It costs 5%.", "$k$-means is next."],
        ["The gain is 3.5.", "4 models win."],
        ["It needs vitamin C.", "Then it works."],
    ],
)
def test_sentences_are_told_apart(parts: list[str]) -> None:
    assert texts(" ".join(parts)) == parts


@pytest.mark.parametrize("unit", [". ", "A. ", ".)\n", "\n ", "\n", ". a", "("])
def test_hostile_text_is_split_in_linear_time(unit: str) -> None:
    began = time.process_time()
    sentences(unit * (1_000_000 // len(unit)))
    assert time.process_time() - began < 20
