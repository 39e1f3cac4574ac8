"""The page as bytes, and the networkx graph. What it does in a browser: test_view_in_browser.py."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import OutputError
from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role
from kg.view import render, to_networkx, write_html
from kg.view.details import sentence_offset
from kg.view.drawing import LONGEST_LABEL, SHAPES, best_connected, number
from kg.view.layout import positions
from tests.drawings import made_up, with_texts

ROOT = Path(__file__).resolve().parents[1]


class Parts(HTMLParser):
    """The elements of a page, and the text of its scripts and its title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        tag, attributes = self.tags[-1] if self.tags else ("", {})
        name = attributes.get("id") or tag
        self.texts[name] = self.texts.get(name, "") + data

    def json(self, name: str) -> Any:
        return json.loads(self.texts[name])


def shuffled(graph: KnowledgeGraph) -> KnowledgeGraph:
    mix = random.Random(3)
    parts = {name: mix.sample(getattr(graph, name), len(getattr(graph, name))) for name in ("papers", "nodes")}
    assertions, titles = list(graph.assertions), list(graph.titles)
    mix.shuffle(assertions)
    mix.shuffle(titles)
    return replace(
        graph,
        papers=tuple(parts["papers"]),
        nodes=tuple(parts["nodes"]),
        assertions=tuple(assertions),
        titles=tuple(titles),
    )


def test_the_same_bytes_whatever_the_order_of_the_graph() -> None:
    graph = made_up(30, 60)
    assert render(shuffled(graph)) == render(graph)


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "import hashlib; from kg.view import render; from tests.drawings import made_up; "
        "print(hashlib.sha256(render(made_up(30, 60)).encode()).hexdigest())"
    )
    expected = hashlib.sha256(render(made_up(30, 60)).encode()).hexdigest()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
        assert run.stdout.decode().strip() == expected


def test_nothing_is_loaded(graph: KnowledgeGraph) -> None:
    page = Parts(render(graph))
    assert not [tag for tag, attributes in page.tags if "src" in attributes]
    assert [attributes["href"] for tag, attributes in page.tags if tag == "link"] == ["data:,"]
    policies = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert policies[0] is not None
    assert policies[0].startswith("default-src 'none'; script-src 'sha256-")


def test_the_heading_is_escaped_and_stands_once(graph: KnowledgeGraph) -> None:
    title = "<img src=x onerror=alert(1)> & \"q\" 'a'"
    html = render(graph, title=title)
    page = Parts(html)
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert "img" not in [tag for tag, _ in page.tags]
    assert page.texts["title"].strip() == title


def test_the_page_has_a_language_a_title_and_words_for_readers_without_javascript(graph: KnowledgeGraph) -> None:
    html = render(graph)
    page = Parts(html)
    assert ("html", {"lang": "en"}) in page.tags
    assert page.texts["title"].strip() == "Knowledge graph of 2 papers"
    assert "<td>FlashAttention-3</td><td>Method</td><td>3</td>" in html[html.index("<noscript>") :]


def test_pyvis_draws_each_node_once_with_shape_place_and_no_physics(graph: KnowledgeGraph) -> None:
    page = Parts(render(graph))
    nodes, options = page.json("kg-nodes"), page.json("kg-options")
    assert [n["id"] for n in nodes] == list(range(len(graph.papers) + len(graph.nodes)))
    assert {n["group"]: n["shape"] for n in nodes} == {k: v for k, v in SHAPES.items() if k not in ("Task", "Metric")}
    assert len({(n["x"], n["y"]) for n in nodes}) == len(nodes)
    assert options["physics"]["enabled"] is False


def test_types_have_shapes_of_their_own() -> None:
    assert set(SHAPES) == {"Paper", *map(str, EntityType)}
    assert len(set(SHAPES.values())) == len(SHAPES)


def test_parallel_edges_are_kept_and_bent_apart() -> None:
    """pyvis drops parallel edges of undirected graphs, and straight ones would cover one another."""
    node = Node("m", EntityType.METHOD, "M", (EntityType.METHOD,))
    roles = (Role.BUILDS_ON, Role.COMPARES_TO, Role.USES_METHOD)
    graph = KnowledgeGraph(
        (Paper("text:1", "1", "T"),), (node,), tuple(Assertion("text:1", role, "m", 1.0) for role in roles)
    )
    edges = Parts(render(graph)).json("kg-edges")
    assert sorted(e["role"] for e in edges) == sorted(roles)
    assert len({json.dumps(e.get("smooth")) for e in edges}) == len(roles)


def test_mentions_are_left_out_where_a_role_is_told(graph: KnowledgeGraph) -> None:
    page = Parts(render(graph))
    assert {e["role"] for e in page.json("kg-edges")} == {
        "proposes",
        "comparesTo",
        "runsOn",
        "usesMethod",
        "evaluatesOn",
        "isVersionOf",
    }
    assert len(page.json("kg-details")["assertions"]) == 5


def test_an_empty_graph_is_a_page() -> None:
    page = Parts(render(KnowledgeGraph()))
    assert page.json("kg-nodes") == []
    assert page.texts["title"].strip() == "Knowledge graph of 0 papers"


def test_a_large_graph_is_capped_to_the_best_connected_and_keeps_the_rest_in_reach() -> None:
    graph = made_up(300, 700)
    page = Parts(render(graph, shown=100))
    numbering = number(graph)
    drawn = [n["id"] for n in page.json("kg-nodes")]
    assert drawn == best_connected(numbering, 100)
    assert len(drawn) == 100
    joined = {
        end for source, target, _ in numbering.links if {source, target} <= set(drawn) for end in (source, target)
    }
    assert joined == set(drawn), "each has a neighbour in sight"
    assert numbering.degree.index(max(numbering.degree)) in drawn
    assert len(page.json("kg-details")["things"]) == 700


def test_a_page_of_500_nodes_is_modest() -> None:
    assert len(render(made_up(150, 350)).encode()) < 1_500_000


def test_write_html_is_utf8_with_line_feeds(tmp_path: Path, graph: KnowledgeGraph) -> None:
    path = tmp_path / "graph.html"
    write_html(graph, path)
    assert path.read_bytes() == render(graph).encode("utf-8")
    assert b"\r" not in path.read_bytes()


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path: Path, graph: KnowledgeGraph) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        write_html(graph, tmp_path / "file" / "graph.html")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(), min_size=1), min_size=1, max_size=3))
def test_any_text_is_data_and_never_markup(texts: list[str]) -> None:
    html = render(with_texts(*texts))
    page = Parts(html)
    plain = Parts(render(with_texts(*["x"] * len(texts))))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert [thing["name"] for thing in page.json("kg-details")["things"]] == texts
    for name in ("kg-nodes", "kg-edges", "kg-details"):
        assert not re.search("[<>&\u2028\u2029]", page.texts[name])
    html.encode("utf-8")


@given(st.text(max_size=20), st.text(min_size=1, max_size=8), st.text(max_size=20))
def test_the_mention_is_found_in_its_sentence(before: str, exact: str, after: str) -> None:
    sentence = f"{exact} {before}{exact}{after}"
    text = f"First. {sentence} Last."
    start = len(f"First. {exact} {before}")
    paper = Paper("text:1", "1", abstract=text)
    offset = sentence_offset(paper, Evidence("abstract", start, start + len(exact), exact, sentence))
    assert sentence[offset : offset + len(exact)] == exact
    assert text.rfind(sentence, 0, start + len(sentence)) + offset == start


def test_a_sentence_that_lacks_the_mention_has_no_offset() -> None:
    paper = Paper("text:1", "1", abstract="We use $\\pi_0$.")
    assert sentence_offset(paper, Evidence("abstract", 7, 14, "$\\pi_0$", "We use π0.")) == -1


def test_offsets_count_utf16_units() -> None:
    page = Parts(render(with_texts("\U0001d53c-net")))
    ((_, start, length, _),) = page.json("kg-details")["assertions"][0][4]
    assert (start, length) == (11, 6)


# ---- layout ----------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40), st.data())
def test_no_two_nodes_lie_on_one_another(count: int, data: st.DataObject) -> None:
    ends = st.integers(0, max(count - 1, 0))
    edges = data.draw(st.lists(st.tuples(ends, ends), max_size=80)) if count else []
    places = positions([10.0] * count, edges)
    assert len(places) == count
    for i, (x, y) in enumerate(places):
        for u, v in places[:i]:
            assert (x - u) ** 2 + (y - v) ** 2 >= 18**2


def test_neighbours_stand_nearer_than_strangers() -> None:
    """Two stars that nothing joins are drawn as two stars."""
    edges = [(0, i) for i in range(2, 12)] + [(1, i) for i in range(12, 22)]
    places = positions([8.0] * 22, edges)

    def gap(a: int, b: int) -> float:
        return float(((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5)

    own = [gap(*edge) for edge in edges]
    other = [gap(1 - a, b) for a, b in edges]
    assert sum(own) / len(own) < 0.6 * sum(other) / len(other)


# ---- networkx --------------------------------------------------------------------------------------------------


def test_networkx_has_papers_things_and_edges_keyed_by_role(graph: KnowledgeGraph) -> None:
    result = to_networkx(graph)
    assert result.number_of_nodes() == len(graph.papers) + len(graph.nodes)
    assert result.number_of_edges() == len(graph.assertions) + 3
    edge = result.edges["paper/arxiv:2407.08608", "node/flashattention2", "comparesTo"]
    assert edge == {"role": "comparesTo", "confidence": 0.9, "evidence": "It beats FlashAttention-2 on an H100."}
    assert result.nodes["node/flashattention3"] == {
        "kind": "entity",
        "label": "FlashAttention-3",
        "type": "Method",
        "aliases": "FA3",
    }
    assert result.has_edge("node/flashattention3", "node/flashattention", "isVersionOf")


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), min_size=1))
def test_graphml_and_gexf_hold_any_text(text: str) -> None:
    graph = to_networkx(with_texts(text))
    graphml, gexf = io.BytesIO(), io.BytesIO()
    networkx.write_graphml(graph, graphml)
    networkx.write_gexf(graph, gexf)
    again = networkx.read_graphml(io.BytesIO(graphml.getvalue()))
    assert set(again.nodes) == set(graph.nodes)
    assert again.number_of_edges() == graph.number_of_edges()
    assert set(networkx.read_gexf(io.BytesIO(gexf.getvalue())).nodes) == set(graph.nodes)


def test_the_callers_graph_is_not_changed(graph: KnowledgeGraph) -> None:
    before = repr(graph)
    to_networkx(graph)
    render(graph)
    assert repr(graph) == before


def test_a_very_long_name_leaves_the_drawing_its_room(graph: KnowledgeGraph) -> None:
    long = replace(graph, nodes=tuple(replace(node, name="x" * 9000) for node in graph.nodes))
    page = render(long)
    assert '"label": "' + "x" * (LONGEST_LABEL - 1) + "…" in page or "x" * (LONGEST_LABEL - 1) + "\\u2026" in page
