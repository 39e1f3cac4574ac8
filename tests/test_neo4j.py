"""`kg load` and the named queries on real Neo4j servers, of both supported versions."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import neo4j
import pytest
import yaml

from kg.errors import QueryError, StoreError, UsageError
from kg.model import EntityType, Evidence, KnowledgeGraph
from kg.rdf import write_ntriples
from kg.stores import CypherStore, Loaded, SparqlStore, ask, build_sparql_store, load
from kg.stores.embedded import embedded_store
from kg.stores.loading import Present, difference, load_graph, present
from kg.stores.propertygraph import property_graph
from tests.conftest import require
from tests.graphs import small_graph
from tests.library import QUESTIONS, library
from tests.neo4j_server import Server, neo4j_server, started

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["neo4j_server"]

OURS = "MATCH (n) WHERE n:Paper OR n:Entity DETACH DELETE n"
HOSTILE = (
    "'}) DETACH DELETE n //",
    '"}) MATCH (m) DETACH DELETE m RETURN "',
    "`Method` {uri: 'x'}",
    "a\nb\r\n\tc",
    "\\u0027 \\' \\\\",
    "$name {{x}} %s <script>alert(1)</script>",
    "\U0001f600 \U0001f469\u200d\U0001f52c π₀ é ２",
)


@pytest.fixture
def driver(neo4j_server: Server) -> Iterator[neo4j.Driver]:
    auth = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth, notifications_min_severity="OFF") as driver:
        driver.execute_query(OURS)
        yield driver


@pytest.fixture
def store(neo4j_server: Server, driver: neo4j.Driver) -> Iterator[CypherStore]:
    assert driver
    with CypherStore(neo4j_server.uri, neo4j_server.user, neo4j_server.password) as store:
        yield store


def run(driver: neo4j.Driver, text: str, **params: Any) -> list[dict[str, Any]]:
    return [record.data() for record in driver.execute_query(text, params).records]


def everything(driver: neo4j.Driver) -> tuple[list[Any], list[Any]]:
    nodes = run(driver, "MATCH (n) RETURN n.uri AS uri, labels(n) AS labels, properties(n) AS p ORDER BY uri")
    edges = run(
        driver,
        "MATCH (a)-[r]->(b) RETURN a.uri AS a, type(r) AS type, b.uri AS b, properties(r) AS p ORDER BY type, a, b",
    )
    return nodes, edges


def without(graph: KnowledgeGraph, paper: str) -> KnowledgeGraph:
    """Return the graph without a paper, and without the things that it alone speaks of."""
    assertions = tuple(a for a in graph.assertions if a.paper != paper)
    spoken = {a.node for a in assertions}
    kept = spoken | {n.family for n in graph.nodes if n.key in spoken and n.family}
    return KnowledgeGraph(
        papers=tuple(p for p in graph.papers if p.key != paper),
        nodes=tuple(n for n in graph.nodes if n.key in kept),
        assertions=assertions,
        titles=tuple(t for t in graph.titles if t[0] != paper),
    )


# What the server is, and how one gets in


def test_the_server_is_neo4j_community_of_the_version_asked_for(neo4j_server: Server, store: CypherStore) -> None:
    ((name, versions, edition),) = store.query(
        "CALL dbms.components() YIELD name, versions, edition "
        "WHERE name = 'Neo4j Kernel' RETURN name, versions, edition"
    ).rows
    assert (name, edition) == ("Neo4j Kernel", "community")
    if neo4j_server.version != "given":
        assert versions == (neo4j_server.version,)


def test_every_variable_in_the_compose_file_is_a_setting_of_neo4j(store: CypherStore) -> None:
    compose = yaml.safe_load((Path(__file__).parents[1] / "docker-compose.yml").read_text(encoding="utf-8"))
    names = set(compose["services"]["neo4j"]["environment"]) - {"NEO4J_AUTH"}
    wanted = {re.sub("_(?!_)(?<!__)", ".", n.removeprefix("NEO4J_")).replace("__", "_") for n in names}
    known = {row[0] for row in store.query("SHOW SETTINGS YIELD name RETURN name").rows}
    assert "dbms.usage_report.enabled" in wanted
    assert wanted <= known


def test_a_wrong_password_is_an_error_in_one_line(neo4j_server: Server) -> None:
    with pytest.raises(StoreError, match=r"refuses the user 'neo4j': wrong user name or password$") as caught:
        CypherStore(neo4j_server.uri, neo4j_server.user, "not the password")
    assert "not the password" not in str(caught.value)


def test_a_host_that_does_not_answer_is_an_error_in_one_line(tmp_path: Path) -> None:
    write_ntriples(small_graph(), tmp_path / "graph.nt")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(StoreError, match=rf"Neo4j at bolt://127.0.0.1:{port} does not answer") as caught:
        load(tmp_path, f"bolt://127.0.0.1:{port}", "neo4j", "password")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("uri", ["", "localhost:7687", "http://127.0.0.1:7474", "bolt://a:b", "bolt://a:0"])
def test_an_address_that_is_none_is_an_error(uri: str) -> None:
    with pytest.raises(UsageError, match="is not an address of a Neo4j server"):
        CypherStore(uri, "neo4j", "password")


def test_a_database_that_is_not_there_is_an_error(neo4j_server: Server, store: CypherStore) -> None:
    assert store
    with (
        CypherStore(neo4j_server.uri, "neo4j", neo4j_server.password, database="absent") as absent,
        pytest.raises(StoreError, match="absent"),
    ):
        absent.query("RETURN 1 AS one")


# Queries


@pytest.mark.parametrize(("name", "params"), QUESTIONS)
def test_named_queries_answer_as_sparql_and_as_the_embedded_store(
    name: str, params: dict[str, str], loaded_library: tuple[CypherStore, SparqlStore, CypherStore]
) -> None:
    server, triples, embedded = loaded_library
    answer = ask(server, name, params)
    assert answer == ask(triples, name, params)
    assert answer == ask(embedded, name, params)


@pytest.fixture(scope="module")
def loaded_library(
    neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[CypherStore, SparqlStore, CypherStore]]:
    require(find_spec("arcadedb"), "Cypher without a server needs ArcadeDB")
    directory = tmp_path_factory.mktemp("library")
    write_ntriples(library(), directory / "graph.nt")
    with (
        CypherStore(neo4j_server.uri, neo4j_server.user, neo4j_server.password) as server,
        SparqlStore(build_sparql_store(directory)) as triples,
        embedded_store(directory) as embedded,
    ):
        server.write(OURS, [])
        load(directory, neo4j_server.uri, neo4j_server.user, neo4j_server.password)
        yield server, triples, embedded


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CREATE (n:Paper) RETURN n", "would write"),
        ("MATCH (n) DETACH DELETE n", "would write"),
        ("MATCH (n RETURN n", "not valid Cypher: .*Invalid input"),
        ("RETURN $absent AS x", "lacks a parameter: .*absent"),
        ("CALL nonsense()", "cannot be answered"),
    ],
)
def test_a_query_only_reads_and_what_is_wrong_with_it_is_told(store: CypherStore, text: str, said: str) -> None:
    with pytest.raises(QueryError, match=said) as caught:
        store.query(text)
    assert "\n" not in str(caught.value)


# Loading


def test_a_load_writes_all_that_the_property_graph_holds(driver: neo4j.Driver, store: CypherStore) -> None:
    rows = property_graph(library())
    done = load_graph(store, rows)
    nodes, edges = everything(driver)
    assert {(n["uri"], frozenset(n["labels"])) for n in nodes} == {
        *((v.uri, frozenset({"Paper"})) for v in rows.papers),
        *((v.uri, frozenset({"Entity", v.label})) for v in rows.entities),
    }
    written = {n["uri"]: n["p"] for n in nodes}
    for vertex in (*rows.papers, *rows.entities):
        known = {key: value for key, value in vertex.properties.items() if value is not None}
        assert written[vertex.uri] == {**known, "uri": vertex.uri}
    assert [(e["type"], e["a"], e["b"]) for e in edges] == [(e.type, e.source, e.target) for e in rows.edges]
    for edge, found in zip(rows.edges, edges, strict=True):
        assert found["p"] == {key: value for key, value in edge.properties.items() if value is not None}
    count = len(nodes) + len(edges)
    assert done == Loaded(nodes=len(nodes), relationships=len(edges), written=count, removed=0)


def test_the_evidence_of_a_relationship_is_where_it_says(driver: neo4j.Driver, store: CypherStore) -> None:
    load_graph(store, property_graph(library()))
    found = run(driver, "MATCH (p:Paper)-[r]->(:Entity) RETURN p.abstract AS text, r")
    properties = run(driver, "MATCH (p:Paper)-[r]->(:Entity) RETURN p.abstract AS text, properties(r) AS r")
    assert len(found) == len(properties) > 20
    for row in properties:
        r = row["r"]
        spans = zip(r["evidence_starts"], r["evidence_ends"], r["evidence_exacts"], r["evidence"], strict=True)
        for start, end, exact, sentence in spans:
            assert row["text"][start:end] == exact
            assert exact in sentence


def test_constraints_are_there_before_and_after(driver: neo4j.Driver, store: CypherStore) -> None:
    load_graph(store, property_graph(small_graph()))
    constraints = run(driver, "SHOW CONSTRAINTS YIELD name, labelsOrTypes, properties RETURN *")
    named = {c["name"]: (c["labelsOrTypes"], c["properties"]) for c in constraints}
    assert named["kg_paper_uri"] == (["Paper"], ["uri"])
    assert named["kg_entity_uri"] == (["Entity"], ["uri"])


def test_a_second_load_writes_nothing(driver: neo4j.Driver, store: CypherStore) -> None:
    rows = property_graph(library())
    load_graph(store, rows)
    before = everything(driver)
    again = load_graph(store, rows)
    assert (again.written, again.removed) == (0, 0)
    assert everything(driver) == before


def test_the_statements_are_idempotent_themselves(driver: neo4j.Driver, store: CypherStore) -> None:
    # A transaction whose commit was not acknowledged is tried again, and may have been done already.
    rows = property_graph(library())
    steps = difference(rows, present(store, rows.graph))
    load_graph(store, rows)
    before = everything(driver)
    for step in steps:
        counters = driver.execute_query(step.statement, {"rows": list(step.rows)}).summary.counters
        assert (counters.nodes_created, counters.nodes_deleted, counters.relationships_created) == (0, 0, 0)
    assert everything(driver) == before


def test_a_load_of_a_smaller_graph_removes_what_is_gone_and_no_more(driver: neo4j.Driver, store: CypherStore) -> None:
    smaller = without(library(), "arxiv:2407.08608")
    load_graph(store, property_graph(smaller))
    expected = everything(driver)
    driver.execute_query(OURS)
    load_graph(store, property_graph(library()))
    done = load_graph(store, property_graph(smaller))
    assert done.removed > 0
    assert everything(driver) == expected


def test_what_is_not_ours_stays(driver: neo4j.Driver, store: CypherStore) -> None:
    load_graph(store, property_graph(library()))
    run(
        driver,
        "CREATE (:Paper {uri: 'urn:mine', title: 'mine'})-[:MENTIONS {note: 1}]->(:Entity:Method {uri: 'urn:m'}) "
        "WITH 1 AS one MATCH (p:Paper {id: 'flash2'}), (m:Entity {key: 'transformer'}) "
        "CREATE (p)-[:COMPARES_TO {note: 'mine'}]->(m), (:Reader {name: 'me'})-[:READ]->(p) SET p.stars = 5",
    )
    load_graph(store, property_graph(without(library(), "arxiv:2407.08608")))
    assert run(driver, "MATCH (p:Paper {uri: 'urn:mine'})-[r:MENTIONS]->(m) RETURN r.note AS note, labels(m) AS l") == [
        {"note": 1, "l": ["Entity", "Method"]}
    ]
    assert run(driver, "MATCH (:Reader)-[:READ]->(p:Paper) RETURN p.id AS id, p.stars AS stars") == [
        {"id": "flash2", "stars": 5}
    ]
    assert run(driver, "MATCH (:Paper {id: 'flash2'})-[r:COMPARES_TO {note: 'mine'}]->() RETURN r.graph AS graph") == [
        {"graph": None}
    ]
    run(driver, "MATCH (r:Reader) DETACH DELETE r")


def test_a_graph_with_another_base_lives_beside(driver: neo4j.Driver, store: CypherStore) -> None:
    one, other = property_graph(library()), property_graph(library(), "https://example.org/other/")
    load_graph(store, one)
    load_graph(store, other)
    (count,) = run(driver, "MATCH (n) WHERE n:Paper OR n:Entity RETURN count(n) AS n")
    assert count["n"] == 2 * (len(one.papers) + len(one.entities))
    load_graph(store, property_graph(KnowledgeGraph(), "https://example.org/other/"))
    (count,) = run(driver, "MATCH (n) WHERE n:Paper OR n:Entity RETURN count(n) AS n")
    assert count["n"] == len(one.papers) + len(one.entities)
    assert load_graph(store, one).written == 0


def test_what_changed_is_written_and_what_was_edited_is_mended(driver: neo4j.Driver, store: CypherStore) -> None:
    graph = library()
    load_graph(store, property_graph(graph))
    run(driver, "MATCH (n:Entity {key: 'mamba'}) SET n.name = 'Edited', n:Task REMOVE n.aliases")
    nodes = tuple(
        replace(node, type=EntityType.DATASET, homepage=None) if node.key == "a100" else node for node in graph.nodes
    )
    papers = tuple(replace(paper, year=None) if paper.id == "flash1" else paper for paper in graph.papers)
    changed = replace(graph, nodes=nodes, papers=papers)
    assert load_graph(store, property_graph(changed)).written == 3
    assert run(
        driver, "MATCH (n:Entity) WHERE n.key IN ['a100', 'mamba'] RETURN n.name AS name, labels(n) AS l ORDER BY n.key"
    ) == [{"name": "A100", "l": ["Entity", "Dataset"]}, {"name": "Mamba", "l": ["Entity", "Method"]}]
    assert load_graph(store, property_graph(changed)).written == 0


def test_names_are_data_whatever_they_hold(driver: neo4j.Driver, store: CypherStore) -> None:
    graph = small_graph()
    for text in HOSTILE:
        said = Evidence("abstract", 0, 1, text, f"{text} {text}")
        hostile = KnowledgeGraph(
            papers=tuple(replace(p, title=text, venue=text, authors=(text, "x")) for p in graph.papers),
            nodes=tuple(replace(n, name=text, aliases=(f"{text}!",)) for n in graph.nodes),
            assertions=tuple(replace(a, evidence=(said,)) for a in graph.assertions),
            titles=tuple((key, text) for key, _ in graph.titles),
        )
        rows = property_graph(hostile)
        load_graph(store, rows)
        nodes, edges = everything(driver)
        assert len(nodes) == len(rows.papers) + len(rows.entities)
        assert {n["p"].get("name", n["p"].get("title")) for n in nodes} == {text}
        assert {e["p"]["evidence"][0] for e in edges if e["type"] != "VERSION_OF"} == {f"{text} {text}"}
        assert load_graph(store, rows).written == 0
        found = ask(store, "baseline-users", {"name": f"{text}!".upper()})
        assert [row[3] for row in found.rows] == [text]


def test_a_load_from_a_folder_tells_how_far_it_is(neo4j_server: Server, driver: neo4j.Driver, tmp_path: Path) -> None:
    write_ntriples(library(), tmp_path / "graph.nt")
    told: list[tuple[int, int]] = []
    done = load(
        tmp_path,
        neo4j_server.uri,
        neo4j_server.user,
        neo4j_server.password,
        progress=lambda count, total: told.append((count, total)),
    )
    assert told[-1] == (done.written, done.written)
    assert [count for count, _ in told] == sorted(count for count, _ in told)
    (count,) = run(driver, "MATCH (n) RETURN count(n) AS n")
    assert count["n"] == done.nodes


def test_a_constraint_that_cannot_be_made_is_an_error_and_nothing_is_written(
    driver: neo4j.Driver, store: CypherStore
) -> None:
    run(driver, "DROP CONSTRAINT kg_paper_uri IF EXISTS")
    run(driver, "UNWIND [1, 2] AS i CREATE (:Paper {uri: 'urn:twice'})")
    with pytest.raises(StoreError, match=r"reports a fault: .*[Cc]onstraint"):
        load_graph(store, property_graph(small_graph()))
    (count,) = run(driver, "MATCH (n) WHERE n:Paper OR n:Entity RETURN count(n) AS n")
    assert count["n"] == 2


# Without a server


def test_the_difference_to_an_empty_database_is_everything() -> None:
    rows = property_graph(library())
    steps = difference(rows, Present({}, {}, {}))
    assert not any(step.removes for step in steps)
    assert sum(len(step.rows) for step in steps) == len(rows.papers) + len(rows.entities) + len(rows.edges)


def test_without_java_a_line_says_what_to_install_and_ci_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.neo4j_server._javas", lambda: iter(()))
    for ci, outcome in (("", pytest.skip.Exception), ("true", pytest.fail.Exception)):
        monkeypatch.setenv("CI", ci)
        with pytest.raises(outcome, match=r"Neo4j 5.26.0 needs Java 17: install a JDK"), started("5.26.0"):
            pass
