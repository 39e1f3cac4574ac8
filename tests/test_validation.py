"""Each mistake in a graph is reported; a sound graph is not."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph
import pyshacl
import pytest
import rdflib
from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple

from kg.model import Assertion, EntityType, KnowledgeGraph, Role
from kg.rdf import Iris, triples, validate, write_files
from kg.rdf import vocabulary as v
from kg.resources import resource
from tests.graphs import small_graph

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Triples = set[Triple]
IRIS = Iris()
PAPER = NamedNode(IRIS.paper("arxiv:2407.08608"))
METHOD = NamedNode(IRIS.node("flashattention3"))
BOARD = NamedNode(IRIS.node("h100"))
PROPOSES = NamedNode(IRIS.assertion("arxiv:2407.08608", Role.PROPOSES, "flashattention3"))
PLACE = ("abstract", 11, 27)
EVIDENCE = NamedNode(IRIS.evidence("arxiv:2407.08608", "flashattention3", [PLACE]))
SPAN = NamedNode(IRIS.target("arxiv:2407.08608", *PLACE))
WORDS = NamedNode(IRIS.words("arxiv:2407.08608", *PLACE))
SENTENCE = NamedNode(IRIS.sentence("arxiv:2407.08608", "abstract", "We propose FlashAttention-3."))
OTHER_SPAN = NamedNode(IRIS.target("arxiv:2407.08608", "abstract", 38, 54))
EDGE = Triple(PAPER, v.ROLES[Role.PROPOSES], METHOD)


def write(found: Triples, directory: Path) -> None:
    for name, form in (
        ("graph.nt", RdfFormat.N_TRIPLES),
        ("graph.ttl", RdfFormat.TURTLE),
        ("graph.jsonld", RdfFormat.JSON_LD),
    ):
        pyoxigraph.serialize(sorted(found, key=str), str(directory / name), format=form)


def without(subject: NamedNode, predicate: NamedNode) -> Callable[[Triples], Triples]:
    def change(found: Triples) -> Triples:
        kept = {t for t in found if (t.subject, t.predicate) != (subject, predicate)}
        assert len(kept) < len(found)
        return kept

    return change


def put(subject: NamedNode, predicate: NamedNode, *values: NamedNode | Literal | BlankNode) -> Callable[..., Triples]:
    return lambda found: without(subject, predicate)(found) | {Triple(subject, predicate, value) for value in values}


def plus(subject: NamedNode, predicate: NamedNode, value: NamedNode | Literal | BlankNode) -> Callable[..., Triples]:
    return lambda found: found | {Triple(subject, predicate, value)}


def decimal(text: str) -> Literal:
    return Literal(text, datatype=v.DECIMAL)


def count(text: str) -> Literal:
    return Literal(text, datatype=v.COUNT)


class Mistake(NamedTuple):
    name: str
    change: Callable[[Triples], Triples]
    place: NamedNode | None
    message: str


SHAPES = [
    Mistake("a paper without a label", without(PAPER, v.LABEL), PAPER, "label"),
    Mistake("a paper with an empty title", put(PAPER, v.TITLE, Literal("")), PAPER, "title"),
    Mistake("a paper with two labels", plus(PAPER, v.LABEL, Literal("x")), PAPER, "label"),
    Mistake("a year that is text", put(PAPER, v.ISSUED, Literal("2024")), PAPER, "issued"),
    Mistake("a paper with an unknown property", plus(PAPER, v.KG.term("uses"), METHOD), PAPER, "uses"),
    Mistake("an edge to what is no entity", plus(PAPER, v.ROLES[Role.RUNS_ON], PAPER), PAPER, "runsOn"),
    Mistake(
        "an author without a name",
        without(NamedNode(IRIS.author("arxiv:2407.08608", 1)), v.NAME),
        NamedNode(IRIS.author("arxiv:2407.08608", 1)),
        "name",
    ),
    Mistake("an entity without a name", without(METHOD, v.PREFERRED_LABEL), METHOD, "prefLabel"),
    Mistake("an entity with two names", plus(METHOD, v.PREFERRED_LABEL, Literal("x")), METHOD, "prefLabel"),
    Mistake("an entity without a class", without(METHOD, v.TYPE), METHOD, "one"),
    Mistake("an entity of two classes", plus(METHOD, v.TYPE, v.KG.term("Task")), METHOD, "one"),
    Mistake(
        "an alias that is the name", plus(METHOD, v.ALTERNATIVE_LABEL, Literal("FlashAttention-3")), METHOD, "altLabel"
    ),
    Mistake("a told type that is none", plus(METHOD, v.TOLD_TYPE, v.ASSERTION), METHOD, "toldType"),
    Mistake("a version that is not narrower", without(METHOD, v.BROADER), METHOD, "broader"),
    Mistake("a Wikidata item elsewhere", put(BOARD, v.EXACT_MATCH, NamedNode("http://a/Q1")), BOARD, "exactMatch"),
    Mistake("an untyped assertion", without(PROPOSES, v.TYPE), PROPOSES, "Assertion"),
    Mistake("no confidence", without(PROPOSES, v.CONFIDENCE), PROPOSES, "confidence"),
    Mistake("a confidence above one", put(PROPOSES, v.CONFIDENCE, decimal("1.001")), PROPOSES, "confidence"),
    Mistake("a confidence below zero", put(PROPOSES, v.CONFIDENCE, decimal("-0.1")), PROPOSES, "confidence"),
    Mistake("a confidence that is text", put(PROPOSES, v.CONFIDENCE, Literal("0.9")), PROPOSES, "confidence"),
    Mistake("a role that is none", put(PROPOSES, v.ROLE, v.KG.term("likes")), PROPOSES, "role"),
    Mistake("two roles", plus(PROPOSES, v.ROLE, v.ROLES[Role.ADDRESSES]), PROPOSES, "role"),
    Mistake("no evidence", without(PROPOSES, v.EVIDENCE), PROPOSES, "evidence"),
    Mistake("evidence twice", plus(PROPOSES, v.EVIDENCE, SPAN), PROPOSES, "evidence"),
    Mistake("an entity that is nowhere", put(PROPOSES, v.ENTITY, NamedNode(IRIS.node("x"))), PROPOSES, "entity"),
    Mistake("untyped evidence", without(EVIDENCE, v.TYPE), EVIDENCE, "Annotation"),
    Mistake("evidence without a body", without(EVIDENCE, v.HAS_BODY), EVIDENCE, "hasBody"),
    Mistake("evidence without a target", without(EVIDENCE, v.HAS_TARGET), EVIDENCE, "hasTarget"),
    Mistake("evidence without a first target", without(EVIDENCE, v.FIRST_TARGET), EVIDENCE, "firstTarget"),
    Mistake(
        "evidence of no assertion",
        plus(NamedNode(IRIS.base + "e/x"), v.TYPE, v.ANNOTATION),
        NamedNode(IRIS.base + "e/x"),
        "inversePath",
    ),
    Mistake("a span without a source", without(SPAN, v.HAS_SOURCE), SPAN, "hasSource"),
    Mistake("a span in no paper", put(SPAN, v.HAS_SOURCE, METHOD), SPAN, "hasSource"),
    Mistake("a span without a sentence", without(SPAN, v.SENTENCE), SPAN, "sentence"),
    Mistake("a span without words", without(SPAN, v.HAS_SELECTOR), SPAN, "hasSelector"),
    Mistake("a span with two selectors", plus(SPAN, v.HAS_SELECTOR, SENTENCE), SPAN, "hasSelector"),
    Mistake("a sentence without text", without(SENTENCE, v.TEXT), SENTENCE, "text"),
    Mistake("a sentence without a field", without(SENTENCE, v.FIELD), SENTENCE, "field"),
    Mistake("a field that is none", put(SENTENCE, v.FIELD, Literal("body/0")), SENTENCE, "field"),
    Mistake("words without a quote", without(WORDS, v.EXACT), WORDS, "exact"),
    Mistake("words without an end", without(WORDS, v.END), WORDS, "end"),
    Mistake("an end before the start", put(WORDS, v.END, count("2")), WORDS, "start"),
    Mistake("an empty span", put(WORDS, v.END, count("11")), WORDS, "start"),
    Mistake("a negative start", put(WORDS, v.START, Literal("-1", datatype=v.XSD.term("integer"))), WORDS, "start"),
    Mistake("an empty quote", put(WORDS, v.EXACT, Literal("")), WORDS, "exact"),
    Mistake("two bases", plus(NamedNode(IRIS.graph()), v.URI_SPACE, Literal("x")), NamedNode(IRIS.graph()), "uriSpace"),
    Mistake("a blank author", plus(PAPER, v.CREATOR, BlankNode("a")), PAPER, "creator"),
]

CONSISTENCY = [
    Mistake("an assertion without its edge", lambda found: found - {EDGE}, PAPER, "is missing"),
    Mistake(
        "an edge without its assertion", plus(PAPER, v.ROLES[Role.ADDRESSES], METHOD), PAPER, "follows from nothing"
    ),
    Mistake(
        "an edge without a mention",
        lambda found: found - {Triple(PAPER, v.ROLES[Role.MENTIONS], METHOD)},
        PAPER,
        "is missing",
    ),
    Mistake("a quote that is not there", put(WORDS, v.EXACT, Literal("Flash")), SPAN, "the text there is not"),
    Mistake(
        "a thing said of nobody",
        plus(NamedNode("http://a/b"), v.LABEL, Literal("x")),
        NamedNode("http://a/b"),
        "follows from nothing",
    ),
    Mistake("evidence of another entity", put(EVIDENCE, v.HAS_BODY, BOARD), EVIDENCE, "is missing"),
    Mistake("evidence elsewhere", plus(EVIDENCE, v.HAS_TARGET, OTHER_SPAN), EVIDENCE, "follows from nothing"),
    Mistake("a first target that is no target", put(EVIDENCE, v.FIRST_TARGET, OTHER_SPAN), None, "has no"),
    Mistake(
        "a sentence that is another",
        put(SENTENCE, v.TEXT, Literal("We propose nothing.")),
        SENTENCE,
        "follows from nothing",
    ),
]


def named(mistakes: list[Mistake]) -> list[object]:
    return [pytest.param(mistake, id=mistake.name) for mistake in mistakes]


def test_a_sound_graph_conforms(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path, "http://example.org/other#")
    report = validate(tmp_path)
    assert report.problems == ()
    assert report.conforms
    assert report.triples == len(set(triples(graph)))


@pytest.mark.parametrize("mistake", named(SHAPES))
def test_the_shapes_report(mistake: Mistake, tmp_path: Path) -> None:
    write(mistake.change(set(triples(small_graph()))), tmp_path)
    report = validate(tmp_path)
    assert not report.conforms
    found = [p.message for p in report.problems if p.message.startswith("SHACL") and p.place == str(mistake.place)]
    assert any(mistake.message in message for message in found), report.problems


@pytest.mark.parametrize("mistake", named(CONSISTENCY))
def test_what_no_shape_can_tell_is_reported(mistake: Mistake, tmp_path: Path) -> None:
    write(mistake.change(set(triples(small_graph()))), tmp_path)
    problems = validate(tmp_path).problems
    assert any(p.place == str(mistake.place or "") and mistake.message in p.message for p in problems), problems


def test_blank_nodes_are_reported_in_each_file(tmp_path: Path) -> None:
    write(set(triples(small_graph())) | {Triple(BlankNode("a"), v.LABEL, Literal("x"))}, tmp_path)
    files = {p.file for p in validate(tmp_path).problems if "blank node" in p.message}
    assert files == {"graph.nt", "graph.ttl", "graph.jsonld"}


def test_a_role_may_have_an_entity_of_any_type(graph: KnowledgeGraph, tmp_path: Path) -> None:
    simulator = next(a for a in graph.assertions if a.role is Role.EVALUATES_ON)
    ran = Assertion(simulator.paper, Role.RUNS_ON, simulator.node, 0.5, simulator.evidence)
    method = tuple(replace(n, type=EntityType.METHOD) if n.key == simulator.node else n for n in graph.nodes)
    write_files(replace(graph, assertions=(*graph.assertions, ran), nodes=method), tmp_path)
    assert validate(tmp_path).problems == ()


@pytest.mark.parametrize("name", ["graph.nt", "graph.ttl", "graph.jsonld"])
def test_a_missing_file_is_reported(name: str, graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path)
    (tmp_path / name).unlink()
    problems = validate(tmp_path).problems
    assert [p.file for p in problems] == [name]
    assert "cannot be read" in problems[0].message


def test_an_iri_that_only_a_lenient_parser_takes_is_reported_with_its_line(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    write_files(graph, tmp_path)
    path = tmp_path / "graph.nt"
    content = path.read_bytes()
    path.write_bytes(content + b"<http://a/b c> <http://a/p> <http://a/o> .\n")
    (problem,) = [p for p in validate(tmp_path).problems if p.file == "graph.nt"]
    lines = content.count(b"\n")
    assert problem.place == f"line {lines + 1}"
    assert "oxigraph" in problem.message


def test_a_file_that_says_less_is_reported(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path)
    pyoxigraph.serialize(list(triples(graph))[:-1], str(tmp_path / "graph.ttl"), format=RdfFormat.TURTLE)
    problems = validate(tmp_path).problems
    assert {p.file for p in problems} == {"graph.ttl"}
    assert any("does not read here what graph.nt has" in p.message for p in problems)


def test_broken_syntax_is_reported_by_file(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path)
    for name in ("graph.ttl", "graph.jsonld"):
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-20])
    assert {p.file for p in validate(tmp_path).problems} == {"graph.ttl", "graph.jsonld"}


def test_many_problems_of_a_kind_are_counted(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path)
    pyoxigraph.serialize([], str(tmp_path / "graph.ttl"), format=RdfFormat.TURTLE)
    problems = [p for p in validate(tmp_path).problems if p.file == "graph.ttl"]
    assert len(problems) == 21
    assert problems[-1].message.endswith(f"{len(list(triples(graph))) - 20} more")


def test_the_shapes_are_shapes_by_the_rules_of_shacl() -> None:
    shapes = rdflib.Graph().parse(resource("schemas", "shapes.ttl"), format="turtle")
    read = len(shapes)
    conforms, _, text = pyshacl.validate(rdflib.Graph(), shacl_graph=shapes, meta_shacl=True)
    assert conforms, text
    strict = list(pyoxigraph.parse(path=str(resource("schemas", "shapes.ttl")), format=RdfFormat.TURTLE))
    assert len(strict) == read


def test_a_context_elsewhere_is_reported_and_never_fetched(
    graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    write_files(graph, tmp_path)
    (tmp_path / "graph.jsonld").write_text(
        '{"@context": "http://127.0.0.1:9/c", "@id": "http://a/b"}', encoding="utf-8"
    )
    (problem,) = validate(tmp_path).problems
    assert problem.file == "graph.jsonld"
    assert problem.message.startswith("oxigraph")


def test_a_great_many_breaches_of_shapes_are_counted(tmp_path: Path) -> None:
    unnamed = {Triple(NamedNode(IRIS.node(str(n))), v.TYPE, v.KG.term("Method")) for n in range(150)}
    write(set(triples(small_graph())) | unnamed, tmp_path)
    shown = [p.message for p in validate(tmp_path).problems if p.message.startswith("SHACL")]
    assert len(shown) == 201
    assert shown[-1] == "SHACL: 100 more"
