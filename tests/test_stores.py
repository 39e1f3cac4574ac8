"""The embedded stores: made from graph.nt, remade when it changes, read and never written."""

from __future__ import annotations

import multiprocessing
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg.stores.embedded
from kg.errors import CypherNotInstalled, QueryError, StoreError
from kg.model import EntityType, KnowledgeGraph, Node
from kg.rdf import write_ntriples
from kg.stores import SparqlStore, Table, build_sparql_store, query, sparql
from kg.stores.embedded import embedded_store
from kg.stores.sparql import uses_service
from tests.conftest import require
from tests.graphs import small_graph

if TYPE_CHECKING:
    from pathlib import Path

LABELS = (
    "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> SELECT ?label { ?x skos:prefLabel ?label } ORDER BY ?label"
)
NAMES = "MATCH (n:Entity) RETURN n.name AS name ORDER BY name"


def needs_cypher() -> None:
    require(find_spec("arcadedb"), "Cypher without a server needs ArcadeDB")


def one_thing(name: str) -> KnowledgeGraph:
    return KnowledgeGraph(nodes=(Node("thing", EntityType.METHOD, name, (EntityType.METHOD,)),))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_ntriples(small_graph(), tmp_path / "graph.nt")
    return tmp_path


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# Made and remade


def test_the_sparql_store_is_made_at_the_first_query(directory: Path) -> None:
    table = sparql(directory, LABELS)
    assert table.columns == ("label",)
    assert ("FlashAttention-3",) in table.rows
    assert files(directory) == {"graph.nt", "store"}


def test_the_cypher_store_is_made_at_the_first_query(directory: Path) -> None:
    needs_cypher()
    assert ("FlashAttention-3",) in query(directory, NAMES).rows
    assert files(directory) == {"graph.nt", "cypher"}


def test_a_store_is_not_made_again_while_the_graph_is_the_same(directory: Path) -> None:
    made = build_sparql_store(directory)
    before = made.stat().st_mtime_ns
    write_ntriples(small_graph(), directory / "graph.nt")
    assert build_sparql_store(directory) == made
    assert made.stat().st_mtime_ns == before


def test_both_stores_follow_the_graph(directory: Path) -> None:
    needs_cypher()
    sparql(directory, LABELS)
    query(directory, NAMES)
    write_ntriples(one_thing("other"), directory / "graph.nt")
    assert sparql(directory, LABELS).rows == (("other",),)
    assert query(directory, NAMES).rows == (("other",),)
    assert files(directory) == {"graph.nt", "store", "cypher"}


def test_a_store_that_is_open_does_not_change_when_the_graph_does(directory: Path) -> None:
    # The new store once took the path of the old one, which read on in the files of the new one.
    needs_cypher()
    with embedded_store(directory) as old, SparqlStore(build_sparql_store(directory)) as old_triples:
        write_ntriples(one_thing("other"), directory / "graph.nt")
        assert query(directory, NAMES).rows == (("other",),)
        assert sparql(directory, LABELS).rows == (("other",),)
        assert len(old_triples.query(LABELS).rows) == 6
        assert len(old.query(NAMES).rows) == 6
    assert query(directory, NAMES).rows == (("other",),)


def test_an_older_store_is_cleared_away(directory: Path) -> None:
    first = build_sparql_store(directory)
    write_ntriples(one_thing("other"), directory / "graph.nt")
    second = build_sparql_store(directory)
    assert first != second
    assert [path.name for path in (directory / "store").iterdir()] == [second.name]


def test_without_a_graph_there_is_no_store(tmp_path: Path) -> None:
    for ask in (sparql, query):
        with pytest.raises(StoreError, match=r"graph.nt is missing; `kg build` makes it"):
            ask(tmp_path, "counts")
    assert files(tmp_path) == set()


def test_a_graph_that_is_not_ntriples_leaves_no_store(tmp_path: Path) -> None:
    (tmp_path / "graph.nt").write_text("this is no triple\n", encoding="utf-8")
    with pytest.raises(StoreError, match="is not N-Triples"):
        sparql(tmp_path, LABELS)
    assert files(tmp_path) == {"graph.nt", "store"}
    assert files(tmp_path / "store") == set()


def test_a_folder_that_cannot_be_written_is_an_error(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kg.stores.derived._scratch", full)
    with pytest.raises(StoreError, match=r"cannot be written: No space left on device"):
        sparql(directory, LABELS)


@pytest.mark.parametrize(("function", "text"), [("sparql", LABELS), ("query", NAMES)])
def test_several_processes_that_make_a_store_at_once_all_answer(directory: Path, function: str, text: str) -> None:
    needs_cypher()
    code = f"import sys; from kg.stores import {function}; print(len({function}(*sys.argv[1:]).rows))"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(directory), text],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out.strip()) == (0, "6"), err
    (folder,) = files(directory) - {"graph.nt"}
    assert len(files(directory / folder)) == 1


# SPARQL


def test_an_update_is_refused(directory: Path) -> None:
    for update in (
        "DELETE WHERE { ?s ?p ?o }",
        "INSERT DATA { <a:b> <a:c> 1 }",
        "LOAD <http://127.0.0.1:9/>",
        "CLEAR ALL",
    ):
        with pytest.raises(QueryError, match="not valid SPARQL"):
            sparql(directory, update)
    assert ("FlashAttention-3",) in sparql(directory, LABELS).rows


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o . sErViCe <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p 1SERVICE<http://127.0.0.1:PORT/>{ ?s ?p ?o } }",
        "SELECT * { VALUES ?x { <http://127.0.0.1:PORT/> }SERVICE?x{ ?s ?p ?o } }",
        "PREFIX e: <http://127.0.0.1:PORT/> SELECT * { ?s e:a\\#b ?o . SERVICE e:x { ?s ?p ?o } }",
        "PREFIX e: <http://127.0.0.1:PORT/> SELECT * { ?s e:a\\'b ?o . SERVICE e:x { ?s ?p ?o } }  # '",
        "SELECT * { ?s ?p 'a\\'' . SERVICE <http://127.0.0.1:PORT/> { ?s ?p '' } }",
        "SELECT * { ?s ?p '''a'b''' . SERVICE <http://127.0.0.1:PORT/> { ?s ?p '''''' } }",
        "SELECT * { \\u0053ERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
        "SELECT * FROM <http://127.0.0.1:PORT/> { ?s ?p ?o }",
        "ASK { SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
    ],
)
def test_no_query_reaches_a_network(directory: Path, text: str) -> None:
    reached: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)

        def listen() -> None:
            try:
                connection, _ = server.accept()
            except TimeoutError:
                return
            reached.append(connection)
            connection.close()

        listener = threading.Thread(target=listen)
        listener.start()
        with suppress(QueryError):
            sparql(directory, text.replace("PORT", str(server.getsockname()[1])))
        listener.join()
    assert not reached


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?service { ?service ?p 'SERVICE' }",
        'SELECT ?s { ?s ?p "SERVICE <http://a.example/> {}" } # SERVICE',
        "SELECT ?s { ?s <http://a.example/SERVICE> ?o }",
        "PREFIX e: <http://a.example/> SELECT ?s { ?s e:Service ?o }",
    ],
)
def test_the_word_service_is_allowed_where_it_is_no_keyword(directory: Path, text: str) -> None:
    assert not uses_service(text)
    assert sparql(directory, text).rows == ()


def test_a_syntax_error_says_where_in_one_line(directory: Path) -> None:
    with pytest.raises(QueryError, match=r"not valid SPARQL: error at 1:") as caught:
        sparql(directory, "SELECT ?s WHERE { ?s ?p")
    assert "\n" not in str(caught.value)


def test_a_parameter_that_is_not_selected_is_an_error_that_says_how(directory: Path) -> None:
    with pytest.raises(QueryError, match=r"has to select \?name"):
        sparql(directory, "SELECT ?s { ?s ?p ?name }", {"name": "x"})


@settings(deadline=None, max_examples=30)
@given(value=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_parameter_is_a_value_whatever_it_holds(value: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp() / "parameters"
    if not folder.exists():
        folder.mkdir()
        write_ntriples(small_graph(), folder / "graph.nt")
    table = sparql(folder, "SELECT (STRLEN(?name) AS ?length) (CONCAT(?name, '') AS ?same) ?name {}", {"name": value})
    assert table == Table(("length", "same"), ((len(value), value),))


def test_values_come_as_python_values(directory: Path) -> None:
    table = sparql(
        directory,
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
        "SELECT (1 AS ?a) (1.5 AS ?b) (1e0 AS ?c) (true AS ?d) ('x'@en AS ?e) "
        "(<http://a.example/> AS ?f) ('2024'^^xsd:gYear AS ?g) ('no'^^xsd:integer AS ?h) ?none {}",
    )
    assert table == Table(
        ("a", "b", "c", "d", "e", "f", "g", "h", "none"),
        ((1, 1.5, 1.0, True, "x", "http://a.example/", 2024, "no", None),),
    )
    assert sparql(directory, "ASK { ?s ?p ?o }") == Table(("answer",), ((True,),))
    assert sparql(directory, "CONSTRUCT { <a:a> <a:b> 1 } {}") == Table(
        ("subject", "predicate", "object"), (("a:a", "a:b", 1),)
    )


def test_a_folder_that_is_no_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        SparqlStore(tmp_path)


def test_a_store_that_is_closed_says_so(directory: Path) -> None:
    store = SparqlStore(build_sparql_store(directory))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.query(LABELS)


# Cypher without a server


def test_without_the_extra_one_line_says_how_to_get_it(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(kg.stores.embedded, "import_module", missing)
    with pytest.raises(CypherNotInstalled, match=r'pip install "paper-kg\[cypher\]"') as caught:
        query(directory, "counts")
    assert "\n" not in str(caught.value)
    assert ("FlashAttention-3",) in sparql(directory, LABELS).rows


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CREATE (n:Paper) RETURN n", "would write"),
        ("MATCH (n) DETACH DELETE n", "would write"),
        ("MATCH (n:Paper) SET n.title = 'x'", "would write"),
        ("MERGE (n:Paper {uri: 'x'})", "would write"),
        ("CREATE CONSTRAINT c IF NOT EXISTS FOR (n:X) REQUIRE n.uri IS UNIQUE", "would write"),
        ("MATCH (n RETURN n", "not valid Cypher: Syntax error at line 1:9"),
        ("MATCH (n) RETURN m", "not valid Cypher: UndefinedVariable: Variable 'm' not defined"),
        ("RETURN nonsense(1)", "not valid Cypher: UnknownFunction: Unknown function 'nonsense'"),
        ("LOAD CSV FROM 'http://127.0.0.1:9/' AS row RETURN row", "LOAD CSV is not available"),
        ("LOAD CSV FROM 'file:///etc/hostname' AS row RETURN row", "LOAD CSV is not available"),
        ("RETURN $absent AS x", "lacks a parameter: Expected parameter.*absent"),
    ],
)
def test_embedded_cypher_only_reads_and_says_what_is_wrong(directory: Path, text: str, said: str) -> None:
    needs_cypher()
    with embedded_store(directory) as store:
        before = store.query("MATCH (n) RETURN count(n) AS nodes, count(n.title) AS titles")
        with pytest.raises(QueryError, match=said) as caught:
            store.query(text)
        assert "\n" not in str(caught.value)
        assert store.query("MATCH (n) RETURN count(n) AS nodes, count(n.title) AS titles") == before


def test_nodes_relationships_and_paths_come_as_plain_values(directory: Path) -> None:
    needs_cypher()
    table = query(
        directory,
        "MATCH p=(:Paper)-[r:RUNS_ON]->(n:Hardware) "
        "RETURN n, r, nodes(p)[1].name AS name, [1, null, {a: 'b'}] AS list, p",
    )
    node, relationship, name, values, path = table.rows[0]
    assert isinstance(node, dict)
    assert node["labels"] == ("Entity", "Hardware")
    assert isinstance(relationship, dict)
    assert relationship["type"] == "RUNS_ON"
    assert (name, values) == ("H100", (1, None, {"a": "b"}))
    assert isinstance(path, tuple)
    assert path[1:] == (relationship, node)


@settings(deadline=None, max_examples=8)
@given(names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=20))
def test_names_come_back_from_both_stores_as_they_were(
    names: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    needs_cypher()
    folder = tmp_path_factory.mktemp("names")
    method = EntityType.METHOD
    nodes = tuple(Node(f"n{i:02}", method, name, (method,), (f"{name}!",)) for i, name in enumerate(names))
    write_ntriples(KnowledgeGraph(nodes=nodes), folder / "graph.nt")
    answer = query(folder, "MATCH (n:Method) RETURN n.key AS key, n.name AS name, n.aliases[0] AS alias ORDER BY key")
    assert answer.rows == tuple((node.key, node.name, node.aliases[0]) for node in nodes)
    assert [row[0] for row in sparql(folder, LABELS).rows] == sorted(names)


def _count(directory: str, results: multiprocessing.Queue[object]) -> None:
    try:
        results.put(query(directory, "MATCH (n:Paper) RETURN count(n) AS papers").rows)
    except StoreError as error:
        results.put(str(error))


def test_two_processes_read_one_cypher_store_at_once(directory: Path) -> None:
    needs_cypher()
    with embedded_store(directory) as store:
        context = multiprocessing.get_context("spawn")
        results: multiprocessing.Queue[object] = context.Queue()
        process = context.Process(target=_count, args=(str(directory), results))
        process.start()
        assert results.get(timeout=120) == ((2,),)
        process.join(timeout=60)
        assert store.query("MATCH (n:Paper) RETURN count(n) AS papers").rows == ((2,),)


def test_the_embedded_listener_is_on_loopback_and_wants_its_password(directory: Path) -> None:
    needs_cypher()
    with embedded_store(directory) as store:
        address = store.uri
        assert address.startswith("bolt://127.0.0.1:")
        with pytest.raises(StoreError, match="wrong user name or password"):
            kg.stores.CypherStore(address, "root", "guess", refusal=lambda _: None)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_who_may_read_the_graph_may_read_its_stores(directory: Path) -> None:
    needs_cypher()
    (directory / "graph.nt").chmod(0o644)
    query(directory, NAMES)
    sparql(directory, LABELS)
    made = [path for name in ("store", "cypher") for path in (directory / name).rglob("*")]
    assert made
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in made if not path.name.startswith("."))
