"""Any key gives a valid IRI, and two keys never the same one."""

from __future__ import annotations

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat

from kg.errors import InputError
from kg.model import Role
from kg.rdf import DEFAULT_BASE_IRI, Iris
from kg.rdf.iris import decode, encode, web_iri, wikidata_iri

any_text = st.text(max_size=30)  # lone surrogates too
IRIS = Iris()


@settings(deadline=None)
@given(any_text)
@example("")
@example(".")
@example("..")
@example("%2E")
@example("a/b")
@example("\ud800")
@example('\u202e\x00 <>"{}|\\^`#?%')
def test_any_key_is_told_back_by_its_iri(key: str) -> None:
    assert decode(encode(key)) == key
    assert IRIS.key("paper", IRIS.paper(key)) == key
    assert IRIS.key("entity", IRIS.node(key)) == key


@settings(deadline=None)
@given(any_text, any_text, st.sampled_from(Role), st.integers(0, 9), st.integers(0, 9))
@example("..", ".", Role.RUNS_ON, 0, 1)
def test_any_key_gives_iris_that_strict_parsers_take_as_they_are(
    paper: str, node: str, role: Role, start: int, end: int
) -> None:
    made = [
        IRIS.paper(paper),
        IRIS.node(node),
        IRIS.author(paper, 1),
        IRIS.section(paper, 1),
        IRIS.assertion(paper, role, node),
        IRIS.evidence(paper, "body/1", start, end, node),
        IRIS.span(paper, "body/1", start, end),
        IRIS.position(paper, "body/1", start, end),
        IRIS.quote(paper, "body/1", start, end),
    ]
    assert len(set(made)) == len(made)
    assert all(iri.isascii() and NamedNode(iri).value == iri for iri in made)
    turtle = "".join(f"<{iri}> <http://a/p> <{iri}> .\n" for iri in made).encode()
    strict = list(pyoxigraph.parse(turtle, format=RdfFormat.TURTLE, base_iri="http://example.org/x/y"))
    assert [quad.object for quad in strict] == [NamedNode(iri) for iri in made]
    lenient = rdflib.Graph().parse(data=turtle, format="turtle", publicID="http://example.org/x/y")
    assert {str(iri) for iri in lenient.objects()} == set(made)


@settings(deadline=None)
@given(st.lists(st.tuples(any_text, st.sampled_from(Role), any_text), unique=True, max_size=6))
@example([("a/b", Role.RUNS_ON, "c"), ("a", Role.RUNS_ON, "b/c"), ("a%2Fb", Role.RUNS_ON, "c")])
def test_two_assertions_never_share_an_iri(parts: list[tuple[str, Role, str]]) -> None:
    assert len({IRIS.assertion(*part) for part in parts}) == len(parts)


def test_the_iris_of_usual_keys_are_readable() -> None:
    assert IRIS.paper("arxiv:2407.08608") == f"{DEFAULT_BASE_IRI}paper/arxiv:2407.08608"
    assert IRIS.node("flashattention3") == f"{DEFAULT_BASE_IRI}entity/flashattention3"
    assert IRIS.paper("doi:10.1/x") == f"{DEFAULT_BASE_IRI}paper/doi:10.1%2Fx"
    assert IRIS.key("paper", IRIS.node("x")) is None


@pytest.mark.parametrize(
    "base", ["", "paper-kg", "https://example.org/a b/", "https://example.org/<x>", "http://a/../b/"]
)
def test_a_base_that_is_no_stable_iri_is_refused(base: str) -> None:
    with pytest.raises(InputError, match="base IRI"):
        Iris(base)


@pytest.mark.parametrize(("base", "used"), [("http://a/kg", "http://a/kg/"), ("http://a/kg#", "http://a/kg#")])
def test_a_base_ends_where_a_name_can_follow(base: str, used: str) -> None:
    assert Iris(base).base == used


@settings(deadline=None)
@given(st.text(max_size=20) | st.text(max_size=20).map("https://a.b/".__add__))
def test_what_passes_as_a_web_address_is_one_and_is_not_changed(text: str) -> None:
    iri = web_iri(text)
    assert iri is None or (iri.value == text and text.startswith(("http://", "https://")) and text.isprintable())


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://a/b c",
        "https://a/../b",
        "ftp://a/b",
        "https://a/\u202ex",
    ],
)
def test_no_iri_from_what_is_no_web_address(text: str) -> None:
    assert web_iri(text) is None


def test_only_a_qid_becomes_a_wikidata_iri() -> None:
    item = wikidata_iri("Q42")
    assert item is not None
    assert item.value == "http://www.wikidata.org/entity/Q42"
    assert [wikidata_iri(text) for text in ("Q0", "P1", "Q1/x", "Q١", "Q1\n", "")] == [None] * 6
