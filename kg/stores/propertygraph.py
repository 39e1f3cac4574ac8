"""From a KnowledgeGraph to the rows of a property graph: ``(:Paper)-[:COMPARES_TO]->(:Entity:Method)``.

Labels, types of relationships and names of properties come from the closed lists here; everything that was
read from a paper is a value. Every node and relationship carries `graph`, the base IRI of the graph that it
belongs to: what does not carry it is not ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from kg.model import EntityType, Role
from kg.rdf.iris import Iris

if TYPE_CHECKING:
    from kg.model import Assertion, KnowledgeGraph, Node, Paper

__all__ = [
    "ENTITY_LABELS",
    "ENTITY_PROPERTIES",
    "PAPER_PROPERTIES",
    "RELATIONSHIP_PROPERTIES",
    "RELATIONSHIP_TYPES",
    "VERSION_OF",
    "Edge",
    "EdgeKey",
    "Properties",
    "PropertyGraph",
    "Vertex",
    "property_graph",
    "relationship_type",
]

Properties: TypeAlias = "dict[str, str | int | float | list[str] | list[int] | None]"
EdgeKey: TypeAlias = "tuple[str, str, str]"

ENTITY_LABELS: Final = tuple(type_.value for type_ in EntityType)
VERSION_OF: Final = "VERSION_OF"


def relationship_type(role: Role) -> str:
    """Return the type of the relationship that stands for a role.

    >>> relationship_type(Role.COMPARES_TO)
    'COMPARES_TO'
    """
    return re.sub(r"(?=[A-Z])", "_", role.value).upper()


RELATIONSHIP_TYPES: Final = (*(relationship_type(role) for role in Role), VERSION_OF)
PAPER_PROPERTIES: Final = (
    *("graph", "key", "id", "title", "abstract", "authors", "venue", "year", "url", "identifiers"),
)
ENTITY_PROPERTIES: Final = (
    *("graph", "key", "name", "type", "types", "aliases", "homepage", "introduced_by", "wikidata"),
)
RELATIONSHIP_PROPERTIES: Final = (
    *("graph", "confidence", "evidence", "evidence_fields", "evidence_starts", "evidence_ends", "evidence_exacts"),
)
"""`evidence` holds sentences, the most telling first; the other lists say, in the same order, where in the
paper's field the mention lies (code points, end exclusive) and how it reads."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node: `label` is ``Paper`` or the type of an entity. `properties` holds every one, None where unknown."""

    uri: str
    label: str
    properties: Properties


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship from a paper to an entity, or ``VERSION_OF`` between two entities."""

    source: str
    type: str
    target: str
    properties: Properties

    @property
    def key(self) -> EdgeKey:
        """What tells it from others."""
        return self.source, self.type, self.target


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """All rows of a graph, sorted: `papers` and `entities` by uri, `edges` by type, source and target."""

    graph: str
    papers: tuple[Vertex, ...]
    entities: tuple[Vertex, ...]
    edges: tuple[Edge, ...]


def property_graph(graph: KnowledgeGraph, base_iri: str | None = None) -> PropertyGraph:
    """Return the property graph of a graph. The node key is `uri`, the node's IRI in RDF."""
    iris = Iris(base_iri)
    papers = [_paper(paper, graph.title_of.get(paper.key), iris) for paper in graph.papers]
    entities = [_entity(node, iris) for node in graph.nodes]
    edges = [_assertion(assertion, iris) for assertion in graph.assertions]
    edges += [_version(node, node.family, iris) for node in graph.nodes if node.family is not None]
    return PropertyGraph(
        iris.base,
        tuple(sorted(papers, key=lambda vertex: vertex.uri)),
        tuple(sorted(entities, key=lambda vertex: vertex.uri)),
        tuple(sorted(edges, key=lambda edge: (edge.type, edge.source, edge.target))),
    )


def _paper(paper: Paper, title: str | None, iris: Iris) -> Vertex:
    properties: Properties = {
        "graph": iris.base,
        "key": paper.key,
        "id": paper.id,
        "title": title or paper.title or paper.id,
        "abstract": paper.abstract or None,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "url": paper.url,
        "identifiers": [f"{scheme}:{value}" for scheme, value in paper.identifiers],
    }
    return Vertex(iris.paper(paper.key), "Paper", properties)


def _entity(node: Node, iris: Iris) -> Vertex:
    properties: Properties = {
        "graph": iris.base,
        "key": node.key,
        "name": node.name,
        "type": node.type.value,
        "types": [type_.value for type_ in node.types],
        "aliases": list(node.aliases),
        "homepage": node.homepage,
        "introduced_by": node.introduced_by,
        "wikidata": node.wikidata,
    }
    return Vertex(iris.node(node.key), node.type.value, properties)


def _assertion(assertion: Assertion, iris: Iris) -> Edge:
    evidence = assertion.evidence
    properties: Properties = {
        "graph": iris.base,
        "confidence": assertion.confidence,
        "evidence": [e.sentence for e in evidence],
        "evidence_fields": [e.field for e in evidence],
        "evidence_starts": [e.start for e in evidence],
        "evidence_ends": [e.end for e in evidence],
        "evidence_exacts": [e.exact for e in evidence],
    }
    source, target = iris.paper(assertion.paper), iris.node(assertion.node)
    return Edge(source, relationship_type(assertion.role), target, properties)


def _version(node: Node, family: str, iris: Iris) -> Edge:
    properties: Properties = dict.fromkeys(RELATIONSHIP_PROPERTIES)
    properties["graph"] = iris.base
    return Edge(iris.node(node.key), VERSION_OF, iris.node(family), properties)
