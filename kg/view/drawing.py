"""What is drawn: the numbering of nodes, the best connected of them, and the pyvis network of these."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import EntityType, Role
from kg.view.layout import positions
from kg.view.networks import IS_VERSION_OF

if TYPE_CHECKING:
    from pyvis.network import Network  # type: ignore[import-untyped]

    from kg.model import Assertion, KnowledgeGraph, Node, Paper

__all__ = ["PAPER", "ROLES", "SHAPES", "Numbering", "best_connected", "draw", "number"]

PAPER = "Paper"
LONGEST_LABEL = 60
"""In characters: a longer one would leave the drawing no room."""

SHAPES = {
    PAPER: "square",
    str(EntityType.METHOD): "dot",
    str(EntityType.DATASET): "diamond",
    str(EntityType.HARDWARE): "triangle",
    str(EntityType.TASK): "hexagon",
    str(EntityType.METRIC): "triangleDown",
}
"""The shape of each type, as vis-network names them: types are told apart without colour too."""

ROLES = (*(str(role) for role in Role), IS_VERSION_OF)
"""All kinds of edges, in the order of the legend. A number in the page's data is an index into this."""

_OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "hoverConnectedEdges": True,
        "keyboard": {"enabled": True, "bindToWindow": False},
        "multiselect": False,
    },
    "nodes": {"borderWidth": 1.5, "borderWidthSelected": 3},
    "edges": {"smooth": False, "arrows": {"to": {"enabled": True, "scaleFactor": 0.35}}, "selectionWidth": 1.5},
}


@dataclass(frozen=True)
class Numbering:
    """Papers and things in the order of their keys, numbered through; and what joins them.

    The number of a paper is its place in `papers`, that of a thing its place in `nodes` plus the number of
    papers. `assertions` are sorted, without what adds nothing: that a paper mentions a thing is left out
    where it also plays a role. `links` are (paper or version, thing, role), the drawn edges.
    """

    papers: tuple[Paper, ...]
    nodes: tuple[Node, ...]
    assertions: tuple[Assertion, ...]
    paper_number: dict[str, int]
    node_number: dict[str, int]
    links: tuple[tuple[int, int, str], ...]
    degree: tuple[int, ...]

    def type_of(self, number: int) -> str:
        """Return the type of a node by its number: ``Paper``, or that of the entity."""
        return PAPER if number < len(self.papers) else str(self.nodes[number - len(self.papers)].type)

    def size_of(self, number: int) -> int:
        """Return the radius at which a node is drawn: the more neighbours, the larger."""
        least, growth, most = (8, 0.9, 13) if number < len(self.papers) else (6, 3.4, 36)
        return round(min(least + growth * math.sqrt(self.degree[number]), most))


def number(graph: KnowledgeGraph) -> Numbering:
    """Number the nodes of a graph, in an order that depends on their keys alone."""
    papers = tuple(sorted(graph.papers, key=lambda p: p.key))
    nodes = tuple(sorted(graph.nodes, key=lambda n: n.key))
    paper_number = {paper.key: i for i, paper in enumerate(papers)}
    node_number = {node.key: i for i, node in enumerate(nodes, start=len(papers))}
    told = {(a.paper, a.node) for a in graph.assertions if a.role is not Role.MENTIONS}
    kept = [a for a in graph.assertions if a.role is not Role.MENTIONS or (a.paper, a.node) not in told]
    kept.sort(key=lambda a: (a.paper, ROLES.index(a.role), a.node))
    links = [(paper_number[a.paper], node_number[a.node], str(a.role)) for a in kept]
    links += [(node_number[n.key], node_number[n.family], IS_VERSION_OF) for n in nodes if n.family in node_number]
    neighbours: defaultdict[int, set[int]] = defaultdict(set)
    for source, target, role in links:
        if role != Role.MENTIONS:
            neighbours[source].add(target)
            neighbours[target].add(source)
    degree = tuple(len(neighbours[i]) for i in range(len(papers) + len(nodes)))
    return Numbering(papers, nodes, tuple(kept), paper_number, node_number, tuple(links), degree)


def best_connected(numbering: Numbering, limit: int) -> list[int]:
    """Return the numbers of the `limit` nodes with most neighbours, ascending. Equals are taken in their order.

    A node none of whose neighbours is among them says nothing there: it gives way to the next that has one.
    """
    ranked = sorted(range(len(numbering.degree)), key=lambda i: (-numbering.degree[i], i))
    neighbours: defaultdict[int, set[int]] = defaultdict(set)
    for source, target, role in numbering.links:
        if role != Role.MENTIONS:
            neighbours[source].add(target)
            neighbours[target].add(source)
    first = set(ranked[:limit])
    kept = [i for i in ranked if (i in first) and not neighbours[i].isdisjoint(first)]
    joined = [i for i in ranked if i not in first and not neighbours[i].isdisjoint(kept)]
    alone = sorted(first.difference(kept), key=lambda i: (-numbering.degree[i], i))
    return sorted([*kept, *joined, *alone][:limit])


def _short(label: str) -> str:
    """A label that leaves room for others; the panel and the search have the whole name."""
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1].rstrip() + "…"


def draw(numbering: Numbering, shown: list[int], labels: list[str]) -> Network:
    """Return the pyvis network of the nodes `shown`, each with its place, and of the edges between them."""
    from pyvis.network import Network

    network = Network(directed=True)
    place = {n: i for i, n in enumerate(shown)}
    links = [link for link in numbering.links if link[0] in place and link[1] in place]
    spots = positions(
        [float(numbering.size_of(n)) for n in shown],
        [(place[a], place[b]) for a, b, role in links if role != Role.MENTIONS],
    )
    for n, (x, y) in zip(shown, spots, strict=True):
        kind = numbering.type_of(n)
        # pyvis takes the id for a label that is empty.
        label = _short(labels[n]) or " "
        network.add_node(n, label=label, shape=SHAPES[kind], group=kind, size=numbering.size_of(n), x=x, y=y)
    parallel: defaultdict[tuple[int, int], int] = defaultdict(int)
    for source, target, role in links:
        bend = parallel[source, target]
        parallel[source, target] += 1
        curve = {"smooth": {"enabled": True, "type": "curvedCW", "roundness": round(0.14 * bend, 2)}} if bend else {}
        network.add_edge(source, target, id=f"{source}-{target}-{role}", role=role, **curve)
    network.set_options(json.dumps(_OPTIONS))
    return network
