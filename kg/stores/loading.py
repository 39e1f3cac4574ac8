"""From the rows of a property graph to a database that holds them.

A load makes what is ours in the database equal to the graph. It reads what is there, works out the
difference, and writes that alone, so a second load of the same graph writes nothing and a load that was cut
short is finished by the next. Ours is what carries the graph's base IRI in the property `graph`: of that,
what the graph has no longer is removed. Other nodes, other relationships and other properties stay; only a
relationship that hangs on a removed node goes with it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from kg.stores import statements
from kg.stores.propertygraph import (
    ENTITY_LABELS,
    ENTITY_PROPERTIES,
    PAPER_PROPERTIES,
    RELATIONSHIP_PROPERTIES,
    RELATIONSHIP_TYPES,
    EdgeKey,
    PropertyGraph,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kg.stores.cypher import CypherStore
    from kg.stores.propertygraph import Edge, Vertex

__all__ = ["Loaded", "Present", "Progress", "Step", "difference", "load_graph", "present", "write_new"]

Progress: TypeAlias = "Callable[[int, int], None]"
Row: TypeAlias = "dict[str, Any]"
_T = TypeVar("_T")

_BATCH: Final = 1000
_NODE: Final = "n.uri AS uri, labels(n) AS labels, properties(n) AS properties"
_PRESENT: Final = {
    "papers": f"MATCH (n:Paper {{graph: $graph}}) RETURN {_NODE}",
    "entities": f"MATCH (n:Entity {{graph: $graph}}) RETURN {_NODE}",
    "edges": (
        "MATCH (a)-[r {graph: $graph}]->(b:Entity) WHERE (a:Paper OR a:Entity) AND type(r) IN $types "
        "RETURN a.uri AS source, type(r) AS type, b.uri AS target, properties(r) AS properties"
    ),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did: how much the graph holds, and how much of it had to be written or removed."""

    nodes: int
    relationships: int
    written: int
    removed: int

    def __str__(self) -> str:
        """Say it in words.

        >>> str(Loaded(nodes=8, relationships=13, written=16, removed=0))
        '8 nodes and 13 relationships: 16 written, 5 as they were, 0 removed'
        """
        same = self.nodes + self.relationships - self.written
        return (
            f"{self.nodes} nodes and {self.relationships} relationships: "
            f"{self.written} written, {same} as they were, {self.removed} removed"
        )


@dataclass(frozen=True, slots=True)
class Present:
    """What of ours is in the database: nodes by uri with their labels, relationships by their key."""

    papers: Mapping[str, tuple[frozenset[str], Mapping[str, object]]]
    entities: Mapping[str, tuple[frozenset[str], Mapping[str, object]]]
    edges: Mapping[EdgeKey, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Step:
    """A statement and the rows to run it for."""

    statement: str
    rows: tuple[Row, ...]
    removes: bool = False


def load_graph(store: CypherStore, graph: PropertyGraph, progress: Progress | None = None) -> Loaded:
    """Make what is ours in a database equal to `graph`; `progress` gets the rows done and the rows to do.

    Raises:
        StoreError: the database is gone, full, or forbids it: a constraint cannot be made, say.
    """
    for statement in statements.constraints():
        store.declare(statement)
    steps = difference(graph, present(store, graph.graph))
    _write(store, steps, progress)
    return Loaded(
        nodes=len(graph.papers) + len(graph.entities),
        relationships=len(graph.edges),
        written=sum(len(step.rows) for step in steps if not step.removes),
        removed=sum(len(step.rows) for step in steps if step.removes),
    )


def write_new(store: CypherStore, graph: PropertyGraph) -> None:
    """Write `graph` into a database that is empty."""
    for statement in statements.constraints():
        store.declare(statement)
    vertices = _by((*graph.papers, *graph.entities), lambda vertex: vertex.label)
    edges = _by(graph.edges, lambda edge: edge.type)
    steps = [Step(statements.create_vertices(label), _vertex_rows(rows)) for label, rows in vertices]
    steps += [Step(statements.create_edges(type_), _edge_rows(rows)) for type_, rows in edges]
    _write(store, steps, None)


def present(store: CypherStore, graph: str) -> Present:
    """Read what of the graph with that base IRI is in the database."""
    nodes: dict[str, dict[str, tuple[frozenset[str], Mapping[str, object]]]] = {}
    for kind in ("papers", "entities"):
        records = store.read(_PRESENT[kind], {"graph": graph})
        nodes[kind] = {r["uri"]: (frozenset(r["labels"]), r["properties"]) for r in records}
    records = store.read(_PRESENT["edges"], {"graph": graph, "types": list(RELATIONSHIP_TYPES)})
    edges = {(r["source"], r["type"], r["target"]): r["properties"] for r in records}
    return Present(nodes["papers"], nodes["entities"], edges)


def difference(graph: PropertyGraph, found: Present) -> list[Step]:
    """Return the steps that make `found` equal to `graph`, in the order in which they can be run."""
    papers = [v for v in graph.papers if not _same_vertex(v, found.papers, {"Paper"}, PAPER_PROPERTIES)]
    entities = [v for v in graph.entities if not _same_vertex(v, found.entities, {v.label}, ENTITY_PROPERTIES)]
    edges = [e for e in graph.edges if not _same(e.properties, found.edges.get(e.key), RELATIONSHIP_PROPERTIES)]
    old_edges = sorted(found.edges.keys() - {edge.key for edge in graph.edges})
    old_papers = sorted(found.papers.keys() - {vertex.uri for vertex in graph.papers})
    old_entities = sorted(found.entities.keys() - {vertex.uri for vertex in graph.entities})

    steps = [Step(statements.MERGE_PAPERS, _vertex_rows(papers))]
    steps += [
        Step(statements.merge_entities(label), _vertex_rows(rows)) for label, rows in _by(entities, lambda v: v.label)
    ]
    steps += [Step(statements.merge_edges(type_), _edge_rows(rows)) for type_, rows in _by(edges, lambda e: e.type)]
    for type_, keys in _by(old_edges, lambda key: key[1]):
        rows = tuple({"source": s, "target": t, "graph": graph.graph} for s, _, t in keys)
        steps.append(Step(statements.delete_edges(type_), rows, removes=True))
    for statement, uris in ((statements.DELETE_PAPERS, old_papers), (statements.DELETE_ENTITIES, old_entities)):
        steps.append(Step(statement, tuple({"uri": uri, "graph": graph.graph} for uri in uris), removes=True))
    return [step for step in steps if step.rows]


def _same_vertex(
    vertex: Vertex,
    found: Mapping[str, tuple[frozenset[str], Mapping[str, object]]],
    labels: set[str],
    names: Iterable[str],
) -> bool:
    there, properties = found.get(vertex.uri, (frozenset[str](), None))
    return there & {*ENTITY_LABELS, "Paper"} == labels and _same(vertex.properties, properties, names)


def _same(wanted: Mapping[str, object], found: Mapping[str, object] | None, names: Iterable[str]) -> bool:
    return found is not None and all(wanted[name] == found.get(name) for name in names)


def _vertex_rows(vertices: Iterable[Vertex]) -> tuple[Row, ...]:
    return tuple({"uri": v.uri, "properties": v.properties} for v in vertices)


def _edge_rows(edges: Iterable[Edge]) -> tuple[Row, ...]:
    return tuple(
        {"source": e.source, "target": e.target, "graph": e.properties["graph"], "properties": e.properties}
        for e in edges
    )


def _by(items: Sequence[_T], key: Callable[[_T], str]) -> Iterator[tuple[str, list[_T]]]:
    groups: defaultdict[str, list[_T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    yield from sorted(groups.items())


def _write(store: CypherStore, steps: Sequence[Step], progress: Progress | None) -> None:
    total, done = sum(len(step.rows) for step in steps), 0
    for step in steps:
        for start in range(0, len(step.rows), _BATCH):
            batch = step.rows[start : start + _BATCH]
            store.write(step.statement, batch)
            done += len(batch)
            if progress is not None:
                progress(done, total)
