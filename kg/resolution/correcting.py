"""Honouring a user's corrections: in the records before resolution, and in where their entities lead after it.

What a paper says is corrected first, so that what is no entity leaves no trace and a corrected type counts in all
that follows. What is one thing, and what is not, is corrected in the links, which then say so. Corrections count
in the order of the files; the records' order plays no part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.corrections import Action, Correction, Effect
from kg.model import RoleClaim
from kg.names import bare, normal
from kg.resolution.meant import Called, Leads, Meant, Place, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kg.catalogue import Catalogue
    from kg.model import Entity, EntityType, PaperRecord
    from kg.resolution.identity import Identity

__all__ = ["Done", "Shown", "correct_identity", "correct_records", "effects", "shown_as"]

_RECORD_ACTIONS = frozenset({Action.NOT_AN_ENTITY, Action.RETYPE, Action.WRONG_ROLE, Action.ADD_ROLE})
_CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """What corrections say of nodes by their keys: the name to show and the primary type."""

    names: dict[str, str]
    types: dict[str, EntityType]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done for a correction: the entities that it is about and how many it changed.

    `unmatched` are its names that nothing has; `several` those that several nodes have, with these.
    """

    correction: Correction
    places: frozenset[Place]
    changed: int
    unmatched: tuple[str, ...] = ()
    several: tuple[tuple[str, tuple[str, ...]], ...] = ()


def correct_records(
    records: tuple[PaperRecord, ...],
    corrections: Sequence[Correction],
    catalogue: Catalogue,
    identify: Callable[[tuple[PaperRecord, ...], Catalogue], Identity],
) -> tuple[tuple[PaperRecord, ...], list[Done]]:
    """Return the records as the corrections have them, and what came of those that are about records.

    `identify` tells where entities lead without corrections, for a name means a node.
    """
    mine = [one for one in corrections if _in_records(one)]
    if not mine:
        return records, []
    leads = Leads(identify(records, catalogue))
    by_key = {record.paper.key: record for record in records}
    called = Called(records, catalogue)
    renamed: set[Place] = set()
    done = []
    for correction in mine:
        (name,) = correction.names
        meant = called.meant(name, leads, correction.paper)
        places = (meant.places & called.entities.keys()) - (renamed - called.named(name))
        changed = 0
        for paper, ids in _by_paper(places).items():
            corrected = _CHANGES[correction.action](by_key[paper], ids, correction)
            changed += len(ids) if corrected != by_key[paper] else 0
            by_key[paper] = corrected
        several = _several(correction.names, [meant]) if correction.paper is None else ()
        done.append(Done(correction, places, changed, () if places else (name,), several))
        if correction.action == Action.RENAME:
            renamed |= places
        if correction.action in {Action.RENAME, Action.NOT_AN_ENTITY}:
            called = Called(tuple(by_key.values()), catalogue)
    return tuple(by_key.values()), done


def _by_paper(places: Iterable[Place]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for paper, entity in places:
        found.setdefault(paper, set()).add(entity)
    return found


def _unmatched(names: Sequence[str], meant: Sequence[Meant]) -> tuple[str, ...]:
    return tuple(name for name, one in zip(names, meant, strict=True) if not one.places)


def _several(names: Sequence[str], meant: Sequence[Meant]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the names that mean several nodes, of which no more than one is what another of the names means."""
    found = []
    for name, one in zip(names, meant, strict=True):
        others = {node for other in meant if other is not one for node in other.nodes}
        if len(one.nodes - others) > 1:
            found.append((name, tuple(sorted(one.nodes))))
    return tuple(found)


def effects(done: Iterable[Done], identity: Identity) -> list[Effect]:
    """Return what came of corrections, with the nodes that what they are about leads to in the end."""
    leads = Leads(identity)
    return [
        Effect(
            correction=one.correction,
            matched=len(one.places),
            changed=one.changed,
            nodes=tuple(sorted(leads.nodes(one.places))),
            unmatched=one.unmatched,
            several=one.several,
        )
        for one in done
    ]


def _in_records(correction: Correction) -> bool:
    """Whether a correction changes what a paper says: to be called otherwise in one paper is that, too."""
    return correction.action in _RECORD_ACTIONS or (correction.action == Action.RENAME and correction.paper is not None)


def _without(record: PaperRecord, ids: set[str], _: Correction) -> PaperRecord:
    places = [number for number, mention in enumerate(record.mentions) if mention.entity not in ids]
    moved = {old: new for new, old in enumerate(places)}
    return replace(
        record,
        mentions=tuple(record.mentions[number] for number in places),
        entities=tuple(entity for entity in record.entities if entity.id not in ids),
        roles=tuple(
            replace(claim, evidence=tuple(moved[number] for number in claim.evidence if number in moved))
            for claim in record.roles
            if claim.entity not in ids
        ),
    )


def _retyped(record: PaperRecord, ids: set[str], correction: Correction) -> PaperRecord:
    return replace(
        record,
        mentions=tuple(
            replace(one, type=correction.type or one.type) if one.entity in ids else one for one in record.mentions
        ),
        entities=tuple(
            replace(one, type=correction.type or one.type) if one.id in ids else one for one in record.entities
        ),
    )


def _renamed(record: PaperRecord, ids: set[str], correction: Correction) -> PaperRecord:
    """Call entities by another name; the wrong one is no alias, for then it would be that in other papers, too."""
    (wrong,) = correction.names

    def one(entity: Entity) -> Entity:
        name = correction.to or entity.name
        aliases = tuple(alias for alias in entity.aliases if normal(alias) not in {normal(name), normal(wrong)})
        return replace(entity, name=name, aliases=aliases, catalogue=None)

    entities = tuple(
        one(entity) if entity.id in ids and entity.name != correction.to else entity for entity in record.entities
    )
    return replace(record, entities=entities)


def _without_role(record: PaperRecord, ids: set[str], correction: Correction) -> PaperRecord:
    kept = tuple(claim for claim in record.roles if claim.entity not in ids or claim.role != correction.role)
    return replace(record, roles=kept)


def _with_role(record: PaperRecord, ids: set[str], correction: Correction) -> PaperRecord:
    role = correction.role
    if role is None:
        return record
    has = {claim.entity for claim in record.roles if claim.role == role}
    added = tuple(
        RoleClaim(role, entity.id, _CERTAIN, _places(record, entity.id))
        for entity in record.entities
        if entity.id in ids - has
    )
    return replace(record, roles=(*record.roles, *added))


def _places(record: PaperRecord, entity: str) -> tuple[int, ...]:
    return tuple(number for number, mention in enumerate(record.mentions) if mention.entity == entity)


_CHANGES: dict[Action, Callable[[PaperRecord, set[str], Correction], PaperRecord]] = {
    Action.NOT_AN_ENTITY: _without,
    Action.RETYPE: _retyped,
    Action.RENAME: _renamed,
    Action.WRONG_ROLE: _without_role,
    Action.ADD_ROLE: _with_role,
}


def correct_identity(
    records: tuple[PaperRecord, ...], identity: Identity, corrections: Sequence[Correction], catalogue: Catalogue
) -> tuple[Identity, list[Done]]:
    """Return where entities lead once things are merged, then kept apart, and what came of these corrections."""
    called = Called(records, catalogue)
    done = []
    for action, change in ((Action.MERGE, _merged), (Action.KEEP_APART, _kept_apart)):
        for correction in corrections:
            if correction.action == action:
                moves, merged, one = change(called, Leads(identity), correction)
                identity = identity.moved(moves, f"correction: {correction}", merged)
                done.append(one)
    return identity, done


_Moves = dict[Place, str]
_Change = tuple[_Moves, dict[str, str], Done]
"""What leads elsewhere, which nodes are now one with another, and what is to be told."""


def _merged(called: Called, leads: Leads, correction: Correction) -> _Change:
    """Move what has one of the names to one node; where it holds for all papers, all that leads to these nodes.

    The node is that of a known thing among them, else one that the first name means.
    """
    names = correction.names
    meant = [called.meant(name, leads, correction.paper) for name in names]
    places = frozenset(place for one in meant for place in one.places)
    unmatched = tuple(name for name in _unmatched(names, meant) if not called.catalogue.find(name))
    several = _several(names, meant) if correction.paper is None else ()
    if several or not places:
        return {}, {}, Done(correction, places, 0, unmatched, several)
    target = _target(correction, meant, called, leads)
    if correction.paper is not None:
        moves = {place: target for place in places if leads.identity.found[place].node != target}
        return moves, {}, Done(correction, places, len(moves), unmatched)
    nodes = {node for one in meant for node in one.nodes} - {target}
    moves = {place: target for node in nodes for place in leads.by_node[node]}
    return moves, dict.fromkeys(sorted(nodes), target), Done(correction, places, len(moves), unmatched)


def _target(correction: Correction, meant: Sequence[Meant], called: Called, leads: Leads) -> str:
    known = [node for one in meant for node in sorted(one.nodes) if called.catalogue.get(node) is not None]
    if known:
        return known[0]
    first = correction.names[0]
    key = key_of(first)
    if key is not None:
        return leads.identity.standing(key)
    nodes = meant[0].nodes or called.meant(first, leads).nodes
    things = called.catalogue.find(first)
    if not nodes and len(things) == 1:
        return things[0].key
    plain = normal(first)
    return plain if plain in nodes or not nodes else min(nodes, key=lambda node: ("~" in node, node))


def _kept_apart(called: Called, leads: Leads, correction: Correction) -> _Change:
    """Give what has these names nodes of their own: one a name, or in one paper one of that paper.

    The names are compared with their case and separators, for names that differ in these alone are kept apart, too.
    The first name keeps the node, unless that has the plain key of a later one.
    """
    names, found, catalogue = correction.names, leads.identity.found, called.catalogue
    if len(names) == 1:
        meant = called.meant(names[0], leads, correction.paper)
        own = {place: f"{normal(called.entities[place].name)}~{place[0]}" for place in meant.places}
        moves = {place: key for place, key in own.items() if found[place].node != key}
        return moves, {}, Done(correction, meant.places, len(moves), _unmatched(names, [meant]))
    by_text = len({normal(name) for name in names}) < len(names)
    by_node: dict[str, dict[str, list[Place]]] = {}
    matched: dict[str, list[Place]] = {}
    for name in names:
        for place in sorted(_called_so(name, called, leads, correction)):
            if not by_text or bare(called.entities[place].name) == bare(name):
                by_node.setdefault(found[place].node, {}).setdefault(name, []).append(place)
                matched.setdefault(name, []).append(place)
    for name in names:
        meant = called.meant(name, leads, correction.paper)
        if name not in matched and meant.nodes and meant.nodes.isdisjoint(by_node):
            matched[name] = sorted(meant.places)
    moves = {}
    for node, spelled in by_node.items():
        if len(spelled) < 2:
            continue
        stays = next((name for name in spelled if not by_text and normal(name) == node), next(iter(spelled)))
        for name, places in spelled.items():
            key = f"{normal(name)}~{bare(name)}" if by_text or catalogue.get(normal(name)) else normal(name)
            moves |= {place: key for place in places if name != stays and key != node}
    unmatched = tuple(name for name in names if name not in matched)
    every = frozenset(place for places in matched.values() for place in places)
    return moves, {}, Done(correction, every, len(moves), unmatched)


def _called_so(name: str, called: Called, leads: Leads, correction: Correction) -> frozenset[Place]:
    if key_of(name) is not None:
        return called.meant(name, leads, correction.paper).places
    return called.in_paper(correction.paper, called.named(name))


def shown_as(
    records: tuple[PaperRecord, ...],
    identity: Identity,
    done: Sequence[Done],
    corrections: Sequence[Correction],
    catalogue: Catalogue,
) -> tuple[Shown, list[Done]]:
    """Return the names and types that corrections for all papers give to nodes, and what came of renaming.

    `done` is what came of the other corrections. What is merged by keys has the name that it would have without.
    """
    shown = Shown({}, {})
    called, leads = Called(records, catalogue), Leads(identity)
    others = {id(one.correction): one for one in done}
    renamed = []
    for correction in corrections:
        if correction.paper is not None:
            continue
        if correction.action == Action.RENAME and correction.to is not None:
            meant = called.meant(correction.names[0], leads)
            several = _several(correction.names, [meant])
            if not several:
                shown.names.update(dict.fromkeys(meant.nodes, correction.to))
            changed = 0 if several else len(meant.places)
            renamed.append(Done(correction, meant.places, changed, _unmatched(correction.names, [meant]), several))
        elif correction.action == Action.RETYPE and correction.type is not None:
            shown.types.update(dict.fromkeys(leads.nodes(others[id(correction)].places), correction.type))
        elif correction.action == Action.MERGE and _is_name(correction.names[0], called):
            merged = others[id(correction)]
            nodes = leads.nodes(merged.places) if not merged.several else ()
            shown.names.update(dict.fromkeys(nodes, correction.names[0]))
    return shown, renamed


def _is_name(name: str, called: Called) -> bool:
    """Whether what stands for a node is a name, not a key: a key is in normal form, and nobody need write it so."""
    return key_of(name) is None and (normal(name) != name or called.is_written(name) or not called.knows(name))
