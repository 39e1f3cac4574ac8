"""What a folder that `kg build` wrote says of its things: names from the store of graph.nt, papers from links.jsonl."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.names import normal
from kg.rdf.iris import decode
from kg.rdf.vocabulary import PREFIXES, TYPE_OF
from kg.stores import SparqlStore, build_sparql_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kg.model import EntityType

__all__ = ["Built", "CorrectionTold", "LinkTold", "Thing", "read_built"]

_KEY = re.compile(r"[/#]entity/([^/]+)$")
_NAMES = "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in ("dcterms", "kg", "rdfs", "schema", "skos"))
_THINGS = f"""{_NAMES}SELECT (STR(?thing) AS ?iri) (STR(?class) AS ?type) (STR(?label) AS ?name)
{{ VALUES ?class {{ {" ".join(f"<{iri}>" for iri in TYPE_OF)} }} ?thing a ?class ; skos:prefLabel ?label }}"""
_ALIASES = f"""{_NAMES}SELECT (STR(?thing) AS ?iri) (STR(?label) AS ?alias) {{ ?thing skos:altLabel ?label }}"""
_TITLES = f"""{_NAMES}SELECT (STR(?id) AS ?paper) (STR(?label) AS ?title)
{{ ?iri a schema:ScholarlyArticle ; kg:recordId ?id ; rdfs:label ?label }}"""
_FAMILIES = f"""{_NAMES}SELECT (STR(?thing) AS ?iri) (STR(?above) AS ?family) {{ ?thing dcterms:isVersionOf ?above }}"""


@dataclass(frozen=True, slots=True)
class LinkTold:
    """A line of links.jsonl: where an entity of a paper led, and why."""

    paper: str
    entity: str
    iri: str
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectionTold:
    """A correction of report.json that took effect, where it stands, and the keys of the nodes that it is about."""

    text: str
    place: str
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        """The correction with its place."""
        return f"{self.text} ({self.place})" if self.place else self.text


@dataclass(frozen=True, slots=True)
class Thing:
    """A node of the graph. `family` is the IRI of what it is a version of; `papers` are the ids of its papers."""

    iri: str
    key: str
    type: EntityType
    name: str
    aliases: tuple[str, ...] = ()
    family: str | None = None
    papers: frozenset[str] = frozenset()

    @property
    def spellings(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Built:
    """The things of a graph by IRI, sorted, the links in the order of links.jsonl, and titles by the ids of papers.

    `corrections` are those that took effect.
    """

    directory: Path
    things: Mapping[str, Thing]
    links: tuple[LinkTold, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    corrections: tuple[CorrectionTold, ...] = ()

    @cached_property
    def by_form(self) -> dict[str, tuple[Thing, ...]]:
        """The things that have a name or an alias of a normal form."""
        forms: dict[str, dict[str, Thing]] = {}
        for thing in self.things.values():
            for spelling in thing.spellings:
                forms.setdefault(normal(spelling), {})[thing.iri] = thing
        return {form: tuple(found.values()) for form, found in forms.items()}

    @cached_property
    def versions(self) -> dict[str, tuple[Thing, ...]]:
        """The versions of each family, by its IRI."""
        found: dict[str, list[Thing]] = {}
        for thing in self.things.values():
            if thing.family is not None:
                found.setdefault(thing.family, []).append(thing)
        return {family: tuple(versions) for family, versions in found.items()}

    @cached_property
    def kept_apart(self) -> dict[str, str]:
        """The correction that keeps a thing apart from another, by the IRI of what it was given a node of its own."""
        sign = "correction: keep apart: "
        return {link.iri: link.reason.partition(": ")[2] for link in self.links if link.reason.startswith(sign)}


def read_built(directory: Path) -> Built:
    """Return what a folder says of its things.

    Raises:
        StoreError: there is no graph in the folder.
        InputError: links.jsonl is missing or not what `kg build` writes, or so is report.json.
    """
    links = tuple(_links(directory / "links.jsonl"))
    papers: dict[str, set[str]] = {}
    for link in links:
        papers.setdefault(link.iri, set()).add(link.paper)
    with SparqlStore(build_sparql_store(directory)) as store:
        things = [tuple(map(str, row)) for row in store.query(_THINGS).rows]
        aliases: dict[str, set[str]] = {}
        for iri, alias in store.query(_ALIASES).rows:
            aliases.setdefault(str(iri), set()).add(str(alias))
        families = {str(iri): str(family) for iri, family in store.query(_FAMILIES).rows}
        titles = {str(paper): str(title) for paper, title in store.query(_TITLES).rows}
    found = {}
    for iri, type_, name in sorted(things):
        segment = _KEY.search(iri)
        found[iri] = Thing(
            iri=iri,
            key=decode(segment[1]) if segment else iri,
            type=TYPE_OF[type_],
            name=name,
            aliases=tuple(sorted(aliases.get(iri, set()) - {name})),
            family=families.get(iri),
            papers=frozenset(papers.get(iri, ())),
        )
    return Built(directory, found, links, titles, tuple(_corrections(directory / "report.json")))


def _links(path: Path) -> Iterator[LinkTold]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                try:
                    told = json.loads(line)
                    yield LinkTold(told["paper"], told["entity"], told["node"], told["reason"])
                except (ValueError, KeyError, TypeError):
                    raise InputError(f"{path.as_posix()}: line {number} is not one that `kg build` writes") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise InputError(f"{path.as_posix()}: cannot be read: {reason}; `kg build` writes it") from None


def _corrections(path: Path) -> Iterator[CorrectionTold]:
    """Yield the corrections that took effect; none where there is no report, for the graph stands without it."""
    if not path.exists():
        return
    try:
        for told in json.loads(path.read_text(encoding="utf-8")).get("corrections", ()):
            if told["outcome"] == "took effect":
                place = f"{told['file']}, entry {told['entry']}" if "file" in told else ""
                yield CorrectionTold(told["correction"], place, tuple(told.get("nodes", ())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path.as_posix()}: not a report that `kg build` writes") from None
