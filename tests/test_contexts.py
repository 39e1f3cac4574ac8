"""How like papers are, by their words and names: one measure for lists of any length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.resolution.contexts import Contexts, background, likeness, words_of_name, words_of_text
from tests.test_resolution import entity
from tests.test_senses import LEARNING, OTHERS, ROUTING, about


@given(st.lists(st.sampled_from(OTHERS), min_size=1, max_size=6))
def test_likeness_lies_between_0_and_1_and_is_symmetric(texts: list[str]) -> None:
    contexts = Contexts(about(str(number), text) for number, text in enumerate(texts))
    for number in range(len(texts)):
        one, mean = contexts.of_paper(f"url:{number}"), contexts.of_papers(f"url:{n}" for n in range(len(texts))).unit
        assert 0 <= likeness(one, mean) <= 1.00001
        assert likeness(one, mean) == likeness(mean, one)
        assert likeness(one, one) == pytest.approx(1)


@given(st.lists(st.sampled_from([*OTHERS, ROUTING, LEARNING, "", "Few words."]), min_size=1, max_size=8))
def test_a_paper_is_as_like_to_any_papers_as_usual_in_a_list_of_any_length(texts: list[str]) -> None:
    contexts = Contexts(about(str(number), text) for number, text in enumerate(texts))
    for papers in (1, 3, 40):
        times = [contexts.times("url:0", like, papers) for like in (0.0, 0.01, 0.1, 0.5)]
        assert times == sorted(times)
        assert 0 <= times[0] <= 1
    if len(texts[0]) > 60:
        assert contexts.times("url:0", 0.5, 1) > 3


def test_the_background_counts_words_and_names_and_keeps_no_text() -> None:
    papers, counts = background()
    assert papers > 1000
    assert all(3 <= count <= papers for count in counts.values())
    assert all(word.startswith("=") or {word} == words_of_text(word) for word in counts)
    assert counts["that"] > counts["graph"] > counts["routin"]
    assert counts["=largelanguagemodel"] > 100


def test_the_name_that_is_judged_does_not_make_papers_alike() -> None:
    contexts = Contexts([about("p", "", entity("Backpressure")), about("q", "", entity("Backpressure"))])
    one, other = contexts.of_paper("url:p"), contexts.of_paper("url:q")
    assert likeness(one, other) > 0
    assert likeness(one, other, words_of_name("Backpressure")) == 0
