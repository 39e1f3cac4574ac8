"""The cues of roles: what they say of plain sentences, and that they bear any text."""

from __future__ import annotations

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.linking.contexts import Context, contexts
from kg.linking.cues import CUES, nats, votes
from kg.linking.draft import Found, draft_of, make_doc
from kg.model import EntityType, Paper, Role

NLP = spacy.blank("en")


def around(abstract: str, *names: str, title: str = "") -> list[Context]:
    draft = draft_of(make_doc(Paper(key="k", id="k", title=title, abstract=abstract), NLP))
    starts = [(name, draft.text.index(name)) for name in names]
    return contexts(draft, [Found(start, start + len(name), None, 1.0, "test") for name, start in starts])


def surest(kind: EntityType, mentions: list[Context]) -> tuple[Role, float] | None:
    said = [(role, max(heard.values())) for role, heard in votes(kind, mentions).items()]
    return max(said, key=lambda one: one[1], default=None)


@pytest.mark.parametrize(
    ("text", "kind", "role"),
    [
        ("We train Foo, an autoregressive language model.", EntityType.METHOD, Role.PROPOSES),
        ("We release Foo, a family of models.", EntityType.METHOD, Role.PROPOSES),
        ("In this paper, we introduce Foo (FO), the first of its kind.", EntityType.METHOD, Role.PROPOSES),
        ("It is faster than Foo by far.", EntityType.METHOD, Role.COMPARES_TO),
        ("It stands against classical methods such as Foo.", EntityType.METHOD, Role.COMPARES_TO),
        ("Recently, Foo has become popular.", EntityType.METHOD, Role.BUILDS_ON),
        ("We adapt Foo to video.", EntityType.METHOD, Role.BUILDS_ON),
        ("Two training sets, Foo among them, are new.", EntityType.DATASET, Role.TRAINS_ON),
        ("Models were pretrained for weeks on Foo.", EntityType.DATASET, Role.TRAINS_ON),
    ],
)
def test_a_plain_sentence_tells_the_role(text: str, kind: EntityType, role: Role) -> None:
    said = surest(kind, around(text, "Foo"))
    assert said is not None
    assert said[0] is role


@pytest.mark.parametrize(
    ("text", "kind", "role"),
    [
        ("We train Foo with Adam.", EntityType.METHOD, Role.PROPOSES),
        ("It uses Foo instead of others.", EntityType.METHOD, Role.COMPARES_TO),
        ("Evaluated on Foo, it does well.", EntityType.DATASET, Role.TRAINS_ON),
    ],
)
def test_what_only_resembles_a_cue_tells_nothing(text: str, kind: EntityType, role: Role) -> None:
    assert role not in votes(kind, around(text, "Foo"))


def test_what_a_thing_runs_on_is_not_in_a_list_with_it() -> None:
    foo, board = around("We implement Foo on Jetson today.", "Foo", "Jetson")
    assert foo.before == "We implement "
    assert board.before == "We implement Foo on "


def test_a_list_may_name_its_preposition_again() -> None:
    first, second = around("It is trained on Foo and on Bar.", "Foo", "Bar")
    assert first.before == second.before == "It is trained on "


def test_what_the_title_names_late_and_the_abstract_first_is_built_on() -> None:
    seen = around("Bar models are slow.", "Foo", "Bar", title="A Study of Foo")
    assert Role.BUILDS_ON in votes(EntityType.METHOD, seen)
    assert Role.BUILDS_ON not in votes(EntityType.METHOD, seen[:1])


def test_every_confidence_is_a_probability_that_nats_take() -> None:
    for cues in CUES.values():
        assert all(-10 < nats(cue.role, cue.confidence) < 10 for cue in cues)
        assert [cue.confidence for cue in cues] == sorted((cue.confidence for cue in cues), reverse=True)
    assert nats(Role.PROPOSES, 0.99) > 0 > nats(Role.PROPOSES, 0.01)


PIECES = st.sampled_from(
    [
        "we ",
        "paper ",
        "and ",
        "propose ",
        "train ",
        "on ",
        "the ",
        ", ",
        "(",
        ") ",
        "Foo ",
        "than ",
        "a-b ",
        ". ",
        "to ",
    ]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, max_size=80).map("".join), st.sampled_from(list(EntityType)))
def test_any_surroundings_are_heard(text: str, kind: EntityType) -> None:
    side = text[:300]
    context = Context("abstract", side, side, side[-60:], side, 0.0, first=False, name="Foo")
    assert all(0 < c < 1 for heard in votes(kind, [context]).values() for c in heard.values())
