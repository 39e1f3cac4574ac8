"""Any key gives a valid IRI, and two keys never the same one."""

from __future__ import annotations

from itertools import groupby

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat

from kg.errors import InputError
from kg.model import Role
from kg.rdf import DEFAULT_BASE_IRI, Iris
from kg.rdf.iris import decode, encode, short, web_iri, wikidata_iri

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
        IRIS.evidence(paper, node, [("body/1", start, end)]),
        IRIS.target(paper, "body/1", start, end),
        IRIS.words(paper, "body/1", start, end),
        IRIS.sentence(paper, "body/1", node),
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


@settings(deadline=None)
@given(st.lists(st.tuples(any_text, any_text, st.integers(0, 99), st.integers(0, 99)), unique=True, max_size=6))
@example([("a", "b_1", 1, 2), ("a_b", "1", 1, 2), ("", "b", 1, 2), ("_", "b", 1, 2)])
@example([("x" * 24, "t", 1, 2), ("x" * 25, "t", 1, 2), (short("x" * 25), "t", 1, 2), (short("x" * 25)[1:], "t", 1, 2)])
def test_two_spans_never_share_an_iri(places: list[tuple[str, str, int, int]]) -> None:
    assert len({IRIS.target(*place) for place in places}) == len(places)
    assert len({IRIS.evidence(paper, "x", [(field, start, end)]) for paper, field, start, end in places}) == len(places)


@settings(deadline=None)
@given(
    st.lists(st.tuples(any_text, any_text, st.integers(0, 9), st.integers(0, 9)), max_size=4),
    st.lists(st.tuples(any_text, st.integers(0, 9), st.integers(0, 9)), max_size=3),
)
def test_evidence_is_told_by_its_entity_and_its_spans_in_order(
    others: list[tuple[str, str, int, int]], spans: list[tuple[str, int, int]]
) -> None:
    evidence = {(node, ((field, start, end),)) for node, field, start, end in others} | {("n", tuple(spans))}
    evidence |= {("n", tuple(spans[::-1])), ("n 0-1", tuple(spans)), ("n\nx 0-1", ()), ("n", (("x", 0, 1),))}
    assert len({IRIS.evidence("p", node, told) for node, told in evidence}) == len(evidence)


@settings(deadline=None)
@given(st.sets(any_text, max_size=6), st.lists(any_text, min_size=1, max_size=4))
@example({"a", "a-b", "a/b", "a:b", "a_b", "a.", "", "_", "A" * 30, "B" * 30}, ["x", "~", "%", "!"])
def test_what_belongs_to_one_paper_stands_together_when_sorted(papers: set[str], nodes: list[str]) -> None:
    made = sorted((f"<{IRIS.assertion(paper, Role.RUNS_ON, node)}>", paper) for paper in papers for node in {*nodes})
    assert [paper for paper, _ in groupby(paper for _, paper in made)] == sorted(papers, key=lambda p: f"{short(p)}_")


def test_long_keys_of_papers_are_cut_where_nobody_reads_them_back() -> None:
    key = "text:025e9a5ba558048d193f6616af896581"
    assert IRIS.paper(key).endswith(f"/paper/{key}")
    assert len(IRIS.target(key, "abstract", 110, 113)) < len(IRIS.paper(key)) + 8


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


@pytest.mark.parametrize("base", ["e:x/", "kg:x/"])
def test_a_base_that_json_ld_would_take_for_a_short_name_is_refused(base: str) -> None:
    with pytest.raises(InputError, match="its scheme is a prefix"):
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
