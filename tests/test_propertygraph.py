"""The rows of the property graph, and the statements that write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import KnowledgeGraph, Role
from kg.stores.propertygraph import RELATIONSHIP_TYPES, property_graph, relationship_type
from kg.stores.statements import constraints, merge_edges, merge_entities, split
from tests.graphs import small_graph


def test_rows_are_sorted_and_a_function_of_the_graph() -> None:
    graph = small_graph()
    rows = property_graph(graph)
    shuffled = KnowledgeGraph(
        graph.papers[::-1], graph.nodes[::-1], graph.assertions[::-1], graph.links, graph.titles[::-1]
    )
    assert property_graph(shuffled) == rows
    assert [edge.type for edge in rows.edges] == sorted(edge.type for edge in rows.edges)


def test_every_role_has_a_relationship_of_its_own() -> None:
    assert {relationship_type(role) for role in Role} == set(RELATIONSHIP_TYPES) - {"VERSION_OF"}
    assert len(RELATIONSHIP_TYPES) == len(Role) + 1


@pytest.mark.parametrize("word", ["Paper`) DETACH DELETE n //", "", "Person"])
def test_no_statement_is_made_of_a_word_that_is_not_ours(word: str) -> None:
    for make in (merge_entities, merge_edges):
        with pytest.raises(ValueError, match="is none of"):
            make(word)


def test_the_constraints_are_two_statements() -> None:
    assert [statement.split()[2] for statement in constraints()] == ["kg_paper_uri", "kg_entity_uri"]


@given(parts=st.lists(st.sampled_from(["'", '"', "`", ";", "//", "/*", "*/", "\\", "\n", "x"])))
def test_a_script_is_split_without_failing_and_no_statement_is_empty(parts: list[str]) -> None:
    assert all(statement.strip() == statement != "" for statement in split("".join(parts)))


def test_semicolons_in_strings_names_and_comments_do_not_split() -> None:
    script = "RETURN 'a;\\';b' AS x; /* ; */ RETURN \";\" AS `a;b`; // ;\n;\n"
    assert split(script) == ("RETURN 'a;\\';b' AS x", 'RETURN ";" AS `a;b`')
