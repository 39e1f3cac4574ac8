"""The named queries: what they answer, and that both languages answer the same."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import chain, pairwise
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from kg.errors import QueryError
from kg.model import Assertion, EntityType, KnowledgeGraph, Node, Paper, Role
from kg.rdf import write_ntriples
from kg.stores import SparqlStore, ask, build_sparql_store, named_queries, query, resolve, sparql
from kg.stores.embedded import embedded_store
from kg.stores.named import parse
from tests.conftest import require
from tests.library import QUESTIONS, library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.stores import CypherStore

NAMES = (
    *("baseline-users", "comparisons", "counts", "datasets-by-use", "evidence", "hardware-by-paper"),
    *("lineage", "shared-baselines", "versions"),
)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library")
    write_ntriples(library(), path / "graph.nt")
    return path


@pytest.fixture(scope="module")
def triples(directory: Path) -> Iterator[SparqlStore]:
    with SparqlStore(build_sparql_store(directory)) as store:
        yield store


@pytest.fixture(scope="module")
def embedded(directory: Path) -> Iterator[CypherStore]:
    require(find_spec("arcadedb"), "Cypher without a server needs ArcadeDB")
    with embedded_store(directory) as store:
        yield store


def test_both_languages_have_the_same_queries() -> None:
    cypher, other = named_queries("cypher"), named_queries("sparql")
    assert tuple(cypher) == tuple(other) == NAMES
    for name in NAMES:
        assert cypher[name].description
        assert cypher[name].description == other[name].description
        assert cypher[name].parameters == other[name].parameters
        assert cypher[name].columns == other[name].columns


def test_every_named_query_is_asked() -> None:
    assert {name for name, _ in QUESTIONS} == set(NAMES)


@pytest.mark.parametrize(("name", "params"), QUESTIONS)
def test_sparql_and_embedded_cypher_answer_the_same(
    name: str, params: dict[str, str], triples: SparqlStore, embedded: CypherStore
) -> None:
    answer = ask(triples, name, params)
    assert ask(embedded, name, params) == answer
    assert answer.columns == named_queries("sparql")[name].columns


@pytest.mark.parametrize("name", NAMES)
def test_the_declared_columns_are_those_of_the_query(name: str, triples: SparqlStore, embedded: CypherStore) -> None:
    params = next(params for asked, params in QUESTIONS if asked == name)
    for store in (triples, embedded):
        found = resolve(name, params, store.language)
        table = store.query(found.text, params)
        assert table.rows
        assert table.columns == found.columns


def test_baseline_users_finds_versions_and_aliases_in_any_case(triples: SparqlStore) -> None:
    table = ask(triples, "baseline-users", {"name": "fLASH aTTENTION"})
    assert [(row[0], row[2], row[3], row[4]) for row in table.rows] == [
        ("flash2", 2023, "FlashAttention", 0.93),
        ("flash3", 2024, "FlashAttention-2", 0.9),
        ("mamba", 2023, "FlashAttention-2", 0.7),
    ]
    assert table.rows[2][5] == "We compare with the Transformer and FlashAttention-2 on an A100."


def test_a_year_that_is_not_known_is_none(triples: SparqlStore) -> None:
    table = ask(triples, "baseline-users", {"name": "Transformer"})
    assert {row[0]: row[2] for row in table.rows} == {"flash1": 2022, "mamba": 2023, "vision": None}


def test_comparisons(triples: SparqlStore) -> None:
    table = ask(triples, "comparisons", {"paper": "FlashAttention-3"})
    assert [row[2:5] for row in table.rows] == [("FlashAttention-2", "Method", 0.9), ("Mamba", "Method", 0.55)]


def test_datasets_by_use_counts_a_paper_that_trains_and_evaluates_once(triples: SparqlStore) -> None:
    table = ask(triples, "datasets-by-use")
    assert [row[:4] for row in table.rows] == [
        ("ImageNet", 1, 2, 3),
        ("CIFAR-10", 2, 1, 2),
        ("CIFAR-100", 1, 0, 1),
        ("École-Σ", 1, 0, 1),
    ]


def test_hardware_by_paper(triples: SparqlStore) -> None:
    table = ask(triples, "hardware-by-paper")
    assert [(row[0], row[2]) for row in table.rows] == [
        ("flash1", "A100"),
        ("flash2", "A100"),
        ("flash3", "H100"),
        ("mamba", "A100"),
        ("untitled", "H100"),
    ]


def test_lineage_goes_all_the_way_back_and_ends_where_it_runs_in_a_circle(triples: SparqlStore) -> None:
    table = ask(triples, "lineage", {"name": "FA3"})
    assert [row[:3] for row in table.rows] == [
        ("FlashAttention", "Transformer", "flash1"),
        ("FlashAttention-2", "FlashAttention", "flash2"),
        ("FlashAttention-3", "FlashAttention-2", "flash3"),
        ("Transformer", "Mamba", "untitled"),
        ("Transformer", "Transformer", "untitled"),
        ("Transformer", "attention", "vaswani"),
    ]


def test_lineage_does_not_try_every_way_through_the_graph(tmp_path: Path) -> None:
    # Eight layers of four methods, each built on all four of the layer before: 65,536 ways, 116 steps.
    require(find_spec("arcadedb"), "Cypher without a server needs ArcadeDB")
    layers = [[f"m{layer}x{column}" for column in range(4)] for layer in range(9)]
    papers, claims = [], []
    for layer, older in pairwise(layers):
        for key in layer:
            paper = Paper(key=f"text:{key}", id=key, title=f"On {key}")
            papers.append(paper)
            claims += [(paper.key, Role.PROPOSES, key), *((paper.key, Role.BUILDS_ON, other) for other in older)]
    graph = KnowledgeGraph(
        papers=tuple(sorted(papers, key=lambda paper: paper.key)),
        nodes=tuple(Node(key, EntityType.METHOD, key.upper()) for key in sorted(chain.from_iterable(layers))),
        assertions=tuple(Assertion(*claim, confidence=0.5) for claim in sorted(claims)),
        titles=tuple(sorted((paper.key, paper.title) for paper in papers)),
    )
    write_ntriples(graph, tmp_path / "graph.nt")
    started = perf_counter()
    answer = query(tmp_path, "lineage", {"name": "m0x0"})
    assert perf_counter() - started < 20
    assert len(answer.rows) == 4 + 7 * 16
    assert answer == sparql(tmp_path, "lineage", {"name": "m0x0"})


def test_shared_baselines_has_each_pair_once(triples: SparqlStore) -> None:
    table = ask(triples, "shared-baselines")
    pairs = [(row[0], row[2], row[4], row[5]) for row in table.rows]
    assert pairs == [
        ("flash1", "mamba", 1, "Transformer"),
        ("flash1", "vision", 1, "Transformer"),
        ("mamba", "flash3", 1, "FlashAttention-2"),
        ("mamba", "vision", 1, "Transformer"),
    ]


def test_evidence_gives_the_most_telling_first_and_where_it_stands(triples: SparqlStore) -> None:
    table = ask(triples, "evidence", {"paper": "untitled", "name": "CIFAR-10"})
    evaluates = [row for row in table.rows if row[2] == "EVALUATES_ON"]
    abstract = next(paper.abstract for paper in library().papers if paper.id == "untitled")
    assert [row[4] for row in evaluates] == [True, False]
    for *_, field, start, end, exact, sentence in evaluates:
        assert field == "abstract"
        assert isinstance(start, int)
        assert isinstance(end, int)
        assert abstract[start:end] == exact == "CIFAR-10"
        assert sentence == abstract
    assert evaluates[0][6] > evaluates[1][6]  # type: ignore[operator]


def test_versions_are_found_by_a_version_too(triples: SparqlStore, embedded: CypherStore) -> None:
    # In one MATCH a relationship is walked once: from ResNet-50 to its family there was no way back.
    for store in (triples, embedded):
        assert [row[:4] for row in ask(store, "versions", {"name": "R50"}).rows] == [
            ("ResNet", "ResNet-50", "Method", 1)
        ]


def test_counts_are_those_of_the_graph(triples: SparqlStore) -> None:
    graph = library()
    counts = {(row[0], row[1]): row[2] for row in ask(triples, "counts").rows}
    assert counts["node", "Paper"] == len(graph.papers)
    assert counts["relationship", "VERSION_OF"] == sum(node.family is not None for node in graph.nodes)
    assert sum(n for (kind, _), n in counts.items() if kind == "node" and isinstance(n, int)) == len(
        graph.papers
    ) + len(graph.nodes)
    assert counts["relationship", "MENTIONS"] == sum(a.role == "mentions" for a in graph.assertions)


def test_an_unknown_name_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(QueryError, match=r"no query named 'baselines'.*baseline-users, comparisons, counts"):
        resolve("baselines", {}, "sparql")


def test_a_missing_parameter_is_named_and_described() -> None:
    with pytest.raises(QueryError, match=r"evidence needs paper: a paper's id.*; name: the name of a method"):
        resolve("evidence", {}, "cypher")


def test_a_parameter_that_the_query_does_not_take_is_an_error() -> None:
    with pytest.raises(QueryError, match=r"versions knows no parameter nmae; it takes: name"):
        resolve("versions", {"name": "x", "nmae": "y"}, "cypher")


def test_a_header_line_that_says_nothing_known_is_refused() -> None:
    with pytest.raises(ValueError, match="says nothing known: '@parameter x'"):
        parse("x", "cypher", "// @parameter x\nRETURN 1")
