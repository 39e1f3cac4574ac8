"""What a correction's names mean: the nodes that are called so, and the entities of papers that lead to them.

A name is first that of entities whose papers call them so, then an alias that a paper or the catalogue gives; a node
that some papers call ``SAM`` comes before one that is ever abbreviated so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kg.names import bare, normal
from kg.resolution.forms import spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.catalogue import Catalogue
    from kg.model import Entity, PaperRecord
    from kg.resolution.identity import Identity

__all__ = ["Called", "Meant", "Place", "key_of"]

Place = tuple[str, str]
"""An entity of the corpus: its paper's key and its id."""


def key_of(name: str) -> str | None:
    """Return the key of a node where a name is that or its IRI: a sense has no other name.

    >>> key_of("https://w3id.org/paper-kg/entity/disco~url:q"), key_of("disco~url:q"), key_of("DISCO")
    ('disco~url:q', 'disco~url:q', None)
    """
    if "/entity/" in name and "://" in name:
        return unquote(name.strip("<>").rpartition("/entity/")[2])
    return name if "~" in name and " " not in name else None


@dataclass(frozen=True, slots=True)
class Meant:
    """What a name means: the nodes, and the entities that lead there or, where the nodes are several, have the name."""

    nodes: frozenset[str]
    places: frozenset[Place]


@dataclass(frozen=True)
class Leads:
    """Where entities lead, from both ends."""

    identity: Identity

    @cached_property
    def by_node(self) -> Mapping[str, frozenset[Place]]:
        """The entities that lead to each node."""
        found: dict[str, set[Place]] = {}
        for place, link in self.identity.found.items():
            found.setdefault(link.node, set()).add(place)
        return {node: frozenset(places) for node, places in found.items()}

    def nodes(self, places: Iterable[Place]) -> frozenset[str]:
        """Return the nodes that entities lead to, of those that are still there."""
        found = self.identity.found
        return frozenset(found[place].node for place in places if place in found)


@dataclass(frozen=True)
class Called:
    """What the entities of records are called."""

    records: tuple[PaperRecord, ...]
    catalogue: Catalogue

    @cached_property
    def entities(self) -> Mapping[Place, Entity]:
        """Every entity by its place."""
        return {(record.paper.key, entity.id): entity for record in self.records for entity in record.entities}

    @cached_property
    def _by_name(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for place, entity in self.entities.items():
            found.setdefault(normal(entity.name), []).append(place)
        return found

    @cached_property
    def _by_alias(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for place, entity in self.entities.items():
            for form in dict.fromkeys(map(normal, spellings(entity))):
                found.setdefault(form, []).append(place)
        return found

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        return {record.paper.id: record.paper.key for record in self.records}

    def in_paper(self, paper: str | None, places: Iterable[Place]) -> frozenset[Place]:
        """Return the places that are of a paper, by its id or key; all where it is None."""
        if paper is None:
            return frozenset(places)
        keys = {paper, self._ids.get(paper, paper)}
        return frozenset(place for place in places if place[0] in keys)

    def named(self, name: str) -> frozenset[Place]:
        """Return the places of the entities that their papers call so."""
        return frozenset(self._by_name.get(normal(name), ()))

    def is_written(self, name: str) -> bool:
        """Whether a paper or the catalogue writes a name as it stands."""
        written = (spelling for place in self._by_alias.get(normal(name), ()) for spelling in self._spellings(place))
        known = (spelling for thing in self.catalogue.find(name) for spelling in thing.spellings)
        return bare(name) in {bare(spelling) for spelling in (*written, *known)}

    def knows(self, name: str) -> bool:
        """Whether a paper or the catalogue has a name of this normal form."""
        return normal(name) in self._by_alias or bool(self.catalogue.find(name))

    def _spellings(self, place: Place) -> tuple[str, ...]:
        return spellings(self.entities[place])

    def meant(self, name: str, leads: Leads, paper: str | None = None) -> Meant:
        """Return what a name means in a paper, or in all."""
        standing = leads.identity.standing
        key = key_of(name)
        if key is not None:
            return self._of_nodes({standing(key)}, leads, paper)
        form = normal(name)
        for places in (self._by_name.get(form, ()), self._by_alias.get(form, ())):
            within = self.in_paper(paper, places)
            if within:
                nodes = leads.nodes(within)
                return self._of_nodes(nodes, leads, paper) if len(nodes) == 1 else Meant(nodes, within)
        if paper is not None:
            return self._of_nodes(self.meant(name, leads).nodes, leads, paper)
        return self._of_nodes({standing(thing.key) for thing in self.catalogue.find(name)}, leads, paper)

    def _of_nodes(self, nodes: Iterable[str], leads: Leads, paper: str | None) -> Meant:
        there = frozenset(node for node in nodes if node in leads.by_node)
        leading = frozenset(place for node in there for place in leads.by_node[node])
        return Meant(there, self.in_paper(paper, leading))
