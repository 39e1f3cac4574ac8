"""The graph as RDF: what is written, the same bytes each time, and all of it read back."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple

from kg.errors import InputError
from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role
from kg.rdf import (
    DEFAULT_BASE_IRI,
    Iris,
    read_graph,
    to_rdflib,
    triples,
    vocabulary,
    write_files,
    write_jsonld,
    write_ntriples,
    write_turtle,
)
from kg.rdf.rdflib_graph import from_rdflib
from kg.rdf.reading import graph_of
from kg.resources import resource
from tests.any_graph import graphs
from tests.graphs import small_graph

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = [
    pytest.param(write_ntriples, RdfFormat.N_TRIPLES, "nt", id="nt"),
    pytest.param(write_turtle, RdfFormat.TURTLE, "turtle", id="ttl"),
    pytest.param(write_jsonld, RdfFormat.JSON_LD, "json-ld", id="jsonld"),
]
bases = st.sampled_from((None, "http://example.org/kg#", "https://example.org/a%20b/é/", "urn:x:", "http://a/?q=1"))


def written(write: Callable[..., None], graph: KnowledgeGraph, base: str | None = None) -> bytes:
    file = io.BytesIO()
    write(graph, file, base)
    return file.getvalue()


@settings(deadline=None)
@given(graphs(), bases)
def test_any_graph_is_read_back_whole(graph: KnowledgeGraph, base: str | None) -> None:
    found, used = graph_of(
        quad.triple for quad in pyoxigraph.parse(written(write_ntriples, graph, base), format=RdfFormat.N_TRIPLES)
    )
    assert found == graph.without_links()
    assert used == Iris(base).base


@pytest.mark.parametrize(("write", "strict", "lenient"), FORMATS)
@settings(max_examples=50, deadline=None)
@given(graph=graphs(), base=bases)
def test_two_parsers_read_the_triples_of_any_graph(
    write: Callable[..., None], strict: RdfFormat, lenient: str, graph: KnowledgeGraph, base: str | None
) -> None:
    wanted = list(triples(graph, base))
    data = written(write, graph, base)
    assert len(set(wanted)) == len(wanted), "a triple is made twice"
    assert {quad.triple for quad in pyoxigraph.parse(data, format=strict)} == set(wanted)
    assert set(from_rdflib(rdflib.Graph().parse(data=data, format=lenient))) == set(wanted)


@pytest.mark.parametrize(("name", "strict"), [("nt", RdfFormat.N_TRIPLES), ("turtle", RdfFormat.TURTLE)])
@settings(max_examples=50, deadline=None)
@given(graph=graphs())
def test_what_rdflib_writes_is_read_by_the_strict_parser(name: str, strict: RdfFormat, graph: KnowledgeGraph) -> None:
    data = to_rdflib(graph).serialize(format=name, encoding="utf-8")
    assert {quad.triple for quad in pyoxigraph.parse(data, format=strict)} == set(triples(graph))


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers())
def test_the_bytes_do_not_depend_on_the_order_of_the_parts(graph: KnowledgeGraph, seed: int) -> None:
    random = Random(seed)
    shuffled = replace(
        graph,
        papers=tuple(random.sample(graph.papers, len(graph.papers))),
        nodes=tuple(random.sample(graph.nodes, len(graph.nodes))),
        assertions=tuple(random.sample(graph.assertions, len(graph.assertions))),
        titles=tuple(random.sample(graph.titles, len(graph.titles))),
    )
    for write in (write_ntriples, write_turtle, write_jsonld):
        assert written(write, shuffled) == written(write, graph)


def test_the_bytes_are_equal_under_three_hash_seeds() -> None:
    program = (
        "import hashlib, io\n"
        "from kg.rdf import write_jsonld, write_ntriples, write_turtle\n"
        "from tests.graphs import small_graph\n"
        "for write in (write_ntriples, write_turtle, write_jsonld):\n"
        "    file = io.BytesIO()\n"
        "    write(small_graph(), file)\n"
        "    print(hashlib.sha256(file.getvalue()).hexdigest())\n"
    )
    root = Path(__file__).parents[1]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for seed in ("0", "1", "2")
    ]
    assert len(outputs[0].split()) == 3
    assert outputs[0] == outputs[1] == outputs[2]


@settings(deadline=None)
@given(graphs(), bases)
def test_the_lines_of_ntriples_are_sorted_by_code_point(graph: KnowledgeGraph, base: str | None) -> None:
    text = written(write_ntriples, graph, base).decode("utf-8")
    lines = text.removesuffix("\n").split("\n")
    assert lines == sorted(lines)
    assert len(set(lines)) == len(lines)


def test_papers_whose_keys_begin_alike_are_sorted_too() -> None:
    keys = sorted(("a", "a-b", "a/b", "a:b", "a_b", "a.", "a~", "aB", "a" * 40, "text:" + "0" * 32, "%", "é"))
    said = Evidence("title", 0, 1, "T", "T")
    graph = KnowledgeGraph(
        papers=tuple(Paper(key, key, title="T", authors=tuple("ABCDEFGHIJK"), body=("x", "y")) for key in keys),
        nodes=tuple(Node(key, EntityType.METHOD, "N") for key in keys),
        assertions=tuple(Assertion(key, Role.PROPOSES, other, 0.5, (said,)) for key in keys for other in keys),
        titles=tuple((key, "T") for key in keys),
    )
    lines = written(write_ntriples, graph).decode("utf-8").splitlines()
    assert lines == sorted(set(lines))
    assert graph_of(triples(graph))[0] == graph


@settings(deadline=None)
@given(graphs(), st.integers(1, 9))
def test_the_bytes_do_not_depend_on_the_size_of_a_batch(graph: KnowledgeGraph, size: int) -> None:
    for write in (write_ntriples, write_turtle, write_jsonld):
        file = io.BytesIO()
        write(graph, file, batch=size)
        assert file.getvalue() == written(write, graph)


@settings(deadline=None)
@given(graphs())
def test_a_sentence_and_a_span_are_told_once(graph: KnowledgeGraph) -> None:
    evidence = {(a.paper, e) for a in graph.assertions for e in a.evidence}
    found = list(triples(graph))
    assert sum(t.predicate == vocabulary.FIELD for t in found) == len({(p, e.field, e.sentence) for p, e in evidence})
    assert sum(t.predicate == vocabulary.EXACT for t in found) == len(evidence)
    shared = {(a.paper, a.node, a.evidence) for a in graph.assertions if a.evidence}
    assert sum(t.object == vocabulary.ANNOTATION for t in found) == len(shared)


def test_writing_takes_no_more_memory_for_a_longer_list(tmp_path: Path) -> None:
    peaks = []
    for count in (100, 1000):
        graph = many_papers(count)
        tracemalloc.start()
        write_files(graph, tmp_path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


def many_papers(count: int) -> KnowledgeGraph:
    text = "We propose N. It is compared with N on data of every kind there is."
    said = tuple(Evidence("abstract", i, i + 1, "N", text[:13] if i < 13 else text[14:]) for i in (11, 34))
    keys = sorted(f"text:{number:032x}" for number in range(count))
    roles = (Role.COMPARES_TO, Role.MENTIONS, Role.PROPOSES)
    return KnowledgeGraph(
        papers=tuple(Paper(key, key, abstract=text) for key in keys),
        nodes=(Node("n", EntityType.METHOD, "N"),),
        assertions=tuple(Assertion(key, role, "n", 0.5, said) for key in keys for role in roles),
        titles=tuple((key, "T") for key in keys),
    )


def test_all_files_together_are_those_written_one_by_one(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_files(graph, tmp_path, "http://example.org/")
    for name, write in (("graph.nt", write_ntriples), ("graph.ttl", write_turtle), ("graph.jsonld", write_jsonld)):
        write(graph, tmp_path / "one", "http://example.org/")
        assert (tmp_path / name).read_bytes() == (tmp_path / "one").read_bytes()
    assert read_graph(tmp_path / "graph.nt") == (graph.without_links(), "http://example.org/")


def test_the_order_of_evidence_is_kept_beyond_the_first() -> None:
    text = "A B C D"
    said = [Evidence("abstract", i, i + 1, text[i], text) for i in (4, 6, 0, 2)]
    graph = KnowledgeGraph(
        papers=(Paper("k", "k", abstract=text),),
        nodes=(Node("n", EntityType.METHOD, "N"),),
        assertions=(Assertion("k", Role.PROPOSES, "n", 0.5, tuple(said)),),
        titles=(("k", "K"),),
    )
    assert graph_of(triples(graph))[0] == graph
    first = [t.object for t in triples(graph) if t.predicate == vocabulary.FIRST_TARGET]
    assert first == [NamedNode(Iris().target("k", "abstract", 4, 5))]


def test_two_surfaces_of_one_span_are_an_error(graph: KnowledgeGraph) -> None:
    first = graph.assertions[0]
    wrong = replace(first, role=Role.ADDRESSES, evidence=(replace(first.evidence[0], exact="other"),))
    with pytest.raises(ValueError, match="two surfaces"):
        list(triples(replace(graph, assertions=(*graph.assertions, wrong))))


def test_each_mention_is_a_plain_edge_and_an_assertion(graph: KnowledgeGraph) -> None:
    found, iris = set(triples(graph)), Iris()
    for assertion in graph.assertions:
        paper, node = NamedNode(iris.paper(assertion.paper)), NamedNode(iris.node(assertion.node))
        told = NamedNode(iris.assertion(assertion.paper, assertion.role, assertion.node))
        assert Triple(paper, vocabulary.ROLES[assertion.role], node) in found
        assert Triple(paper, NamedNode("https://schema.org/mentions"), node) in found
        assert Triple(told, vocabulary.ROLE, vocabulary.ROLES[assertion.role]) in found


def test_a_role_without_a_mention_assertion_is_a_mention_too(graph: KnowledgeGraph) -> None:
    roles = tuple(a for a in graph.assertions if a.role is not Role.MENTIONS)
    assert {t for t in triples(graph) if t.predicate == vocabulary.ROLES[Role.MENTIONS]} == {
        t for t in triples(replace(graph, assertions=roles)) if t.predicate == vocabulary.ROLES[Role.MENTIONS]
    }


def test_no_blank_nodes_and_no_same_as(graph: KnowledgeGraph) -> None:
    for triple in triples(graph):
        assert not isinstance(triple.subject, BlankNode)
        assert not isinstance(triple.object, BlankNode)
        assert "owl#sameAs" not in triple.predicate.value


def test_what_is_no_web_address_stays_text() -> None:
    node = Node("n", EntityType.METHOD, "N", homepage="javascript:alert(1)", wikidata="<x>")
    paper = Paper("k", "k", title="T", url="https://a b/")
    graph = KnowledgeGraph(papers=(paper,), nodes=(node,))
    objects = {t.object for t in triples(graph)}
    assert {Literal("javascript:alert(1)"), Literal("<x>"), Literal("https://a b/")} <= objects
    assert graph_of(triples(graph))[0] == graph


def test_a_context_file_names_every_predicate_and_prefix(graph: KnowledgeGraph) -> None:
    terms = json.loads(resource("schemas", "context.jsonld").read_text(encoding="utf-8"))["@context"]
    prefixes = {name: iri for name, iri in terms.items() if isinstance(iri, str)}
    assert prefixes == {name: str(iri) for name, iri in vocabulary.PREFIXES.items()}
    named = {d["@id"].replace(":", " ", 1) for d in terms.values() if isinstance(d, dict)}
    full = {prefixes[prefix] + local for prefix, local in (name.split() for name in named)}
    assert {t.predicate.value for t in triples(graph)} - {vocabulary.TYPE.value} <= full


def test_json_ld_is_plain_for_people_who_read_it_as_json(graph: KnowledgeGraph) -> None:
    nodes = {node["@id"]: node for node in json.loads(written(write_jsonld, graph))["@graph"]}
    paper = nodes["paper:arxiv:2407.08608"]
    assert paper["label"] == "FlashAttention-3"
    assert paper["comparesTo"] == "entity:flashattention2"
    assert paper["issued"] == "2024"


def test_turtle_abbreviates_papers_and_things(graph: KnowledgeGraph) -> None:
    text = written(write_turtle, graph).decode("utf-8")
    assert "\npaper:arxiv:2407.08608 " in text
    assert "kg:comparesTo entity:flashattention2" in text
    assert "\\" not in text.replace('\\"', "")


def test_to_rdflib_binds_the_prefixes(graph: KnowledgeGraph) -> None:
    made = graph.to_rdflib()
    assert dict(made.namespaces())["kg"] == rdflib.URIRef(f"{DEFAULT_BASE_IRI}ontology#")
    assert len(made) == len(list(triples(graph)))
    (label,) = made.objects(rdflib.URIRef(Iris().node("h100")), rdflib.SKOS.prefLabel)
    assert label == rdflib.Literal("H100")


KG = str(vocabulary.KG)


def own_terms() -> set[str]:
    values = [
        *vars(vocabulary).values(),
        *vocabulary.ROLES.values(),
        *(class_ for classes in vocabulary.CLASSES.values() for class_ in classes),
    ]
    return {value.value for value in values if isinstance(value, NamedNode) and value.value.startswith(KG)}


def test_the_ontology_documents_every_term_and_no_other() -> None:
    path = resource("schemas", "ontology.ttl")
    strict = {quad.triple for quad in pyoxigraph.parse(path=str(path), format=RdfFormat.TURTLE)}
    ontology = rdflib.Graph().parse(path, format="turtle")
    assert set(from_rdflib(ontology)) == strict
    declared = {str(s) for s in ontology.subjects(rdflib.RDF.type) if str(s).startswith(KG)}
    assert declared == own_terms() | {f"{KG}Entity", f"{KG}Sentence"}
    for term in map(rdflib.URIRef, declared):
        assert len(list(ontology.objects(term, rdflib.RDFS.label))) == 1
        assert len(list(ontology.objects(term, rdflib.RDFS.comment))) == 1
        if rdflib.OWL.Class not in set(ontology.objects(term, rdflib.RDF.type)):
            assert len(list(ontology.objects(term, rdflib.RDFS.domain))) == 1
            assert len(list(ontology.objects(term, rdflib.RDFS.range))) == 1


def test_each_role_is_a_kind_of_mention_in_the_ontology() -> None:
    ontology = rdflib.Graph().parse(resource("schemas", "ontology.ttl"), format="turtle")
    mentions = rdflib.URIRef("https://schema.org/mentions")
    roles = {str(s) for s in ontology.subjects(rdflib.RDFS.subPropertyOf, mentions)}
    assert roles == {term.value for role, term in vocabulary.ROLES.items() if role is not Role.MENTIONS}


def test_each_public_class_of_a_type_is_a_superclass_in_the_ontology() -> None:
    ontology = rdflib.Graph().parse(resource("schemas", "ontology.ttl"), format="turtle")
    for own, *public in vocabulary.CLASSES.values():
        parents = {str(o) for o in ontology.objects(rdflib.URIRef(own.value), rdflib.RDFS.subClassOf)}
        assert parents == {f"{KG}Entity", *(class_.value for class_ in public)}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "base of its IRIs"),
        (b"not triples", "not N-Triples"),
        (b'<http://a/b> <http://a/b> "\xff" .\n', "not N-Triples"),
        (b"_:a <http://a/b> <http://a/c> .\n", "only IRIs"),
        (b"<http://a/b> <http://a/b> <http://a/b c> .\n", "not N-Triples"),
    ],
)
def test_a_file_that_holds_no_graph_is_refused_in_one_line(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.nt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_graph(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"graph\.nt"):
        read_graph(tmp_path / "graph.nt")


@pytest.mark.parametrize(
    "predicate",
    ["prefLabel", "confidence", "hasTarget", "hasSelector", "exact", "field", "sentence", "recordId", "firstTarget"],
)
def test_a_graph_that_lacks_a_part_is_refused(predicate: str) -> None:
    kept = [t for t in triples(small_graph()) if not t.predicate.value.endswith(predicate)]
    with pytest.raises(InputError, match="has no"):
        graph_of(kept)
