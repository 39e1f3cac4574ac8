"""A networkx graph with attributes that GraphML and GEXF can write: strings and numbers, never None or a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import networkx

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph, Node, Paper

__all__ = ["IS_VERSION_OF", "node_id", "paper_id", "to_networkx"]

IS_VERSION_OF = "isVersionOf"
"""The key of the edge from a version to its family."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def paper_id(key: str) -> str:
    """Return the id of a paper in the networkx graph, e.g. ``paper/arxiv:1706.03762``."""
    return _writable(f"paper/{key}")


def node_id(key: str) -> str:
    """Return the id of a thing in the networkx graph, e.g. ``node/transformer``."""
    return _writable(f"node/{key}")


def to_networkx(graph: KnowledgeGraph) -> networkx.MultiDiGraph[str]:
    r"""Return papers and things as nodes, assertions as edges from paper to thing whose key is the role.

    Nodes carry `kind` (``paper`` or ``entity``), `label` and `type` (``Paper`` or the entity's type), and what
    is known besides. Edges carry `role`, `confidence` and the most telling `evidence` sentence. A version is
    joined to its family by an edge with the key ``isVersionOf``. Characters that XML cannot hold are written
    as escapes (``\u0000``), so that every format can be written and read back.
    """
    result: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for paper in sorted(graph.papers, key=lambda p: p.key):
        result.add_node(paper_id(paper.key), **_paper(paper, graph.title_of.get(paper.key, paper.title)))
    nodes = sorted(graph.nodes, key=lambda n: n.key)
    for node in nodes:
        result.add_node(node_id(node.key), **_node(node))
    for a in sorted(graph.assertions, key=lambda a: (a.paper, a.role, a.node)):
        role = str(a.role)
        sentence = _writable(a.evidence[0].sentence) if a.evidence else ""
        source, target = paper_id(a.paper), node_id(a.node)
        result.add_edge(source, target, key=role, role=role, confidence=a.confidence, evidence=sentence)
    for node in nodes:
        if node.family is not None:
            ends = node_id(node.key), node_id(node.family)
            result.add_edge(*ends, key=IS_VERSION_OF, role=IS_VERSION_OF, confidence=1.0, evidence="")
    return result


def _paper(paper: Paper, title: str) -> dict[str, str | int]:
    known = {"venue": paper.venue, "url": paper.url, "authors": "; ".join(paper.authors)}
    year = {} if paper.year is None else {"year": paper.year}
    return {"kind": "paper", "label": _writable(title), "type": "Paper", **_texts(known), **year}


def _node(node: Node) -> dict[str, str | int]:
    known = {
        "aliases": " | ".join(node.aliases),
        "homepage": node.homepage,
        "introduced_by": node.introduced_by,
        "wikidata": node.wikidata,
    }
    return {"kind": "entity", "label": _writable(node.name), "type": str(node.type), **_texts(known)}


def _texts(known: dict[str, str | None]) -> dict[str, str]:
    return {name: _writable(value) for name, value in known.items() if value}


def _writable(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
