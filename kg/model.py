"""The values that flow through `kg`: papers, what was found in them, and the graph that comes of it.

Every class here is a frozen dataclass: a stage takes a value and returns a new one. Nothing here reads a
file, knows a format, or mints an IRI; a *key* is a plain string from which later stages make IRIs.

Offsets are Unicode code points into the value of a field as the reader decoded it, end exclusive, so
``paper.text(mention.field)[mention.start:mention.end]`` is the mention's surface.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import networkx
    import rdflib

__all__ = [
    "Assertion",
    "Entity",
    "EntityType",
    "Evidence",
    "KnowledgeGraph",
    "Link",
    "Mention",
    "Node",
    "Paper",
    "PaperRecord",
    "Role",
    "RoleClaim",
    "Source",
]


class EntityType(StrEnum):
    """What an entity is. The order is the one that breaks ties."""

    METHOD = "Method"
    DATASET = "Dataset"
    HARDWARE = "Hardware"
    TASK = "Task"
    METRIC = "Metric"


class Role(StrEnum):
    """What part an entity plays in a paper. `MENTIONS` holds always; the others are told."""

    PROPOSES = "proposes"
    BUILDS_ON = "buildsOn"
    USES_METHOD = "usesMethod"
    COMPARES_TO = "comparesTo"
    EVALUATES_ON = "evaluatesOn"
    TRAINS_ON = "trainsOn"
    RUNS_ON = "runsOn"
    ADDRESSES = "addresses"
    MEASURES = "measures"
    MENTIONS = "mentions"


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a record was read: the file as it was given, and the record's number in it, from 1."""

    file: str
    record: int


@dataclass(frozen=True)
class Paper:
    """A paper as a reader gives it: a title, or an abstract, or both.

    `key` is the strongest identifier the paper has (``doi:…``, ``arxiv:…``, ``openreview:…``, ``acl:…``,
    ``pubmed:…``, ``url:…``), else ``text:`` and a hash of normalised title and abstract. `id` is the
    record's own id where that is unique in the input, else the key. `identifiers` maps a scheme to a
    value, as pairs sorted by scheme. `sources` says where the paper was read; it does not take part in
    equality and stands only in the report, for the same papers read from other files are the same graph.
    """

    key: str
    id: str
    title: str = ""
    abstract: str = ""
    body: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    url: str | None = None
    identifiers: tuple[tuple[str, str], ...] = ()
    sources: tuple[Source, ...] = field(default=(), compare=False)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield (name, text) of each field that has text: title, abstract, body/1, body/2, …

        >>> list(Paper(key="text:1", id="1", title="On X", body=("Intro.",)).fields())
        [('title', 'On X'), ('body/1', 'Intro.')]
        """
        named = [("title", self.title), ("abstract", self.abstract)]
        named += [(f"body/{number}", text) for number, text in enumerate(self.body, start=1)]
        yield from ((name, text) for name, text in named if text)

    def text(self, name: str) -> str:
        """Return the text of a field.

        Raises:
            KeyError: the paper has no such field.
        """
        return dict(self.fields())[name]


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a field that names an entity of the record. `confidence` lies in [0, 1]."""

    field: str
    start: int
    end: int
    type: EntityType
    entity: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing in one paper. `id` is local to the record; `catalogue` is the key of the known thing it is."""

    id: str
    type: EntityType
    name: str
    aliases: tuple[str, ...] = ()
    catalogue: str | None = None


@dataclass(frozen=True, slots=True)
class RoleClaim:
    """That an entity plays a role in the paper. `evidence` holds indices into the record's mentions,
    the most telling first. The role `mentions` is never claimed: it holds of every entity."""

    role: Role
    entity: str
    confidence: float
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class PaperRecord:
    """What was found in one paper: a pure function of the paper, the model and the catalogue."""

    paper: Paper
    mentions: tuple[Mention, ...] = ()
    entities: tuple[Entity, ...] = ()
    roles: tuple[RoleClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of a paper that say so: a mention's span, its surface (`exact`) and its sentence."""

    field: str
    start: int
    end: int
    exact: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """(paper, role, entity) in the graph, by keys, with the evidence, the most telling first."""

    paper: str
    role: Role
    node: str
    confidence: float
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A thing in the graph: one node per version.

    `key` comes from the normal name, and the sense where two things share it. `types` counts what the
    papers say, `type` is the primary one. `family` is the key of the node that this is a version of.
    `homepage`, `introduced_by` (an identifier such as ``arxiv:1706.03762``) and `wikidata` (a QID) come
    from the catalogue. A family node may be spoken of by no paper itself.
    """

    key: str
    type: EntityType
    name: str
    types: tuple[EntityType, ...] = ()
    aliases: tuple[str, ...] = ()
    family: str | None = None
    homepage: str | None = None
    introduced_by: str | None = None
    wikidata: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Where resolution led an entity of a record: `paper` is the paper's id, `node` the node's key."""

    paper: str
    entity: str
    node: str
    reason: str


@dataclass(frozen=True)
class KnowledgeGraph:
    """The graph: a pure function of the set of records.

    `papers`, `nodes` and `links` are sorted by key; `assertions` by (paper, role, node).
    `titles` gives each paper a readable title by its key, also where the paper has none.
    """

    papers: tuple[Paper, ...] = ()
    nodes: tuple[Node, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    links: tuple[Link, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()

    @cached_property
    def title_of(self) -> dict[str, str]:
        """Readable titles by the paper's key."""
        return dict(self.titles)

    @cached_property
    def node_of(self) -> dict[str, Node]:
        """Nodes by key."""
        return {node.key: node for node in self.nodes}

    def without_links(self) -> KnowledgeGraph:
        """The graph as its RDF holds it: how each entity came to its node is told in links.jsonl alone."""
        return replace(self, links=())

    def to_rdflib(self, base_iri: str | None = None) -> rdflib.Graph:
        """Return the graph's triples as an rdflib graph, with IRIs under `base_iri` (default: the ontology's)."""
        from kg.rdf import to_rdflib

        return to_rdflib(self, base_iri)

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Return papers and things as nodes, assertions as edges whose key is the role."""
        from kg.view.networks import to_networkx

        return to_networkx(self)

    def to_html(self, path: str | Path) -> None:
        """Write the interactive graph as one HTML file that needs no network."""
        from kg.view import write_html

        write_html(self, path)
