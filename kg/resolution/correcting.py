"""Honouring a user's corrections: in the records before resolution, and in where their entities lead after it.

What a paper says is corrected first, so that what is no entity leaves no trace and a corrected type counts in all
that follows. What is one thing, and what is not, is corrected in the links, which then say so. Corrections count
in the order of the files; the records' order plays no part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kg.corrections import Action, Correction, Effect
from kg.model import RoleClaim
from kg.names import bare, normal
from kg.resolution.forms import spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kg.catalogue import Catalogue
    from kg.model import Entity, EntityType, PaperRecord
    from kg.resolution.identity import Identity

__all__ = ["Shown", "correct_identity", "correct_records", "shown_as"]

_RECORD_ACTIONS = frozenset({Action.NOT_AN_ENTITY, Action.RETYPE, Action.WRONG_ROLE, Action.ADD_ROLE})
_CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """What corrections say of nodes by their keys: the name to show and the primary type."""

    names: dict[str, str]
    types: dict[str, EntityType]


def correct_records(
    records: tuple[PaperRecord, ...],
    corrections: Sequence[Correction],
    identify: Callable[[tuple[PaperRecord, ...]], Identity],
) -> tuple[tuple[PaperRecord, ...], list[Effect]]:
    """Return the records as the corrections have them, and what came of those that are about records.

    `identify` tells where entities lead without corrections; it is asked only where one names a node by its key.
    """
    mine = [one for one in corrections if _in_records(one)]
    by_key = any(map(_key_of, (name for one in mine for name in one.names)))
    leads = identify(records) if by_key else None
    effects = []
    for correction in mine:
        tally: Counter[str] = Counter()
        records = tuple(
            _correct(record, correction, leads, tally) if _about(correction, record) else record for record in records
        )
        effects.append(Effect(correction, tally["matched"], tally["changed"]))
    return records, effects


def _in_records(correction: Correction) -> bool:
    """Whether a correction changes what a paper says: to be called otherwise in one paper is that, too."""
    return correction.action in _RECORD_ACTIONS or (correction.action == Action.RENAME and correction.paper is not None)


def _about(correction: Correction, record: PaperRecord) -> bool:
    return correction.paper is None or correction.paper in {record.paper.key, record.paper.id}


def _key_of(name: str) -> str | None:
    """Return the key of a node where a correction names it by that or by its IRI: a sense has no other name."""
    if "/entity/" in name and "://" in name:
        return unquote(name.rpartition("/entity/")[2])
    return name if "~" in name and " " not in name else None


def _names(entity: Entity) -> frozenset[str]:
    return frozenset(map(normal, spellings(entity)))


def _matches(name: str, record: PaperRecord, entity: Entity, leads: Identity | None) -> bool:
    key = _key_of(name)
    if key is not None and leads is not None:
        return leads.node(record.paper.key, entity.id) == key
    return normal(name) in _names(entity)


def _correct(record: PaperRecord, correction: Correction, leads: Identity | None, tally: Counter[str]) -> PaperRecord:
    (name,) = correction.names
    matched = [entity for entity in record.entities if _matches(name, record, entity, leads)]
    if not matched:
        return record
    tally["matched"] += len(matched)
    ids = {entity.id for entity in matched}
    corrected = _CHANGES[correction.action](record, ids, correction)
    if corrected != record:
        tally["changed"] += len(ids)
    return corrected


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
) -> tuple[Identity, list[Effect]]:
    """Return where entities lead once things are merged, then kept apart, and what came of these corrections."""
    effects = []
    for action, change in ((Action.MERGE, _merged), (Action.KEEP_APART, _kept_apart)):
        for correction in corrections:
            if correction.action == action:
                moves, matched, merged = change(records, identity, correction, catalogue)
                identity = identity.moved(moves, f"correction: {correction}", merged)
                effects.append(Effect(correction, matched, len(moves)))
    return identity, effects


_Place = tuple[str, str]
_Moves = dict[_Place, str]
_Change = tuple[_Moves, int, dict[str, str]]
"""What leads elsewhere, how many entities the correction is about, and which nodes are now one with another."""


def _found(
    name: str, records: Iterable[PaperRecord], identity: Identity, correction: Correction
) -> list[tuple[_Place, str, Entity]]:
    """Return the place, the node and the entity of all that has a name."""
    return [
        ((record.paper.key, entity.id), identity.node(record.paper.key, entity.id), entity)
        for record in records
        if _about(correction, record)
        for entity in record.entities
        if _matches(name, record, entity, identity)
    ]


def _merged(
    records: tuple[PaperRecord, ...], identity: Identity, correction: Correction, catalogue: Catalogue
) -> _Change:
    """Move what has one of the names to one node; where it holds for all papers, all that leads to these nodes.

    A name is that of an entity where one has it, else one of its aliases: to merge ``SAM`` with its long form is not
    to merge all that is ever abbreviated so. The node is one that what has the first name leads to.
    """
    found = {name: _found(name, records, identity, correction) for name in correction.names}
    for name, all_found in found.items():
        called = [one for one in all_found if _key_of(name) or normal(one[2].name) == normal(name)]
        found[name] = called or all_found
    matched = [one for several in found.values() for one in several]
    if not matched:
        return {}, 0, {}
    first = correction.names[0]
    target = _target(first, {node for _, node, _ in found[first]}, catalogue)
    if correction.paper is not None:
        return {place: target for place, node, _ in matched if node != target}, len(matched), {}
    nodes = {node for _, node, _ in matched} - {target}
    moves = {place: target for place, link in identity.found.items() if link.node in nodes}
    return moves, len(matched), dict.fromkeys(sorted(nodes), target)


def _target(name: str, nodes: set[str], catalogue: Catalogue) -> str:
    key = _key_of(name)
    if key is not None:
        return key
    known = sorted(node for node in nodes if catalogue.get(node) is not None)
    plain = normal(name)
    if known or plain in nodes or not nodes:
        return known[0] if known else plain
    return min(nodes, key=lambda node: ("~" in node, node))


def _kept_apart(
    records: tuple[PaperRecord, ...], identity: Identity, correction: Correction, catalogue: Catalogue
) -> _Change:
    """Give what has these names nodes of their own: one a name, or in one paper one of that paper.

    The names are compared with their case and separators, for names that differ in these alone are kept apart, too.
    The first name keeps the node, unless that has the plain key of a later one.
    """
    if len(correction.names) == 1:
        mine = _found(correction.names[0], records, identity, correction)
        own = {place: f"{normal(entity.name)}~{place[0]}" for place, _, entity in mine}
        return {place: own[place] for place, node, _ in mine if node != own[place]}, len(mine), {}
    by_text = len({normal(name) for name in correction.names}) < len(correction.names)
    by_node: dict[str, dict[str, list[_Place]]] = {}
    matched = 0
    for name in correction.names:
        for place, node, entity in _found(name, records, identity, correction):
            if bare(entity.name) == bare(name) if by_text else normal(entity.name) == normal(name):
                by_node.setdefault(node, {}).setdefault(name, []).append(place)
                matched += 1
    moves: _Moves = {}
    for node, names in by_node.items():
        if len(names) < 2:
            continue
        stays = next((name for name in names if not by_text and normal(name) == node), next(iter(names)))
        for name, places in names.items():
            key = f"{normal(name)}~{bare(name)}" if by_text or catalogue.get(normal(name)) else normal(name)
            moves |= {place: key for place in places if name != stays and key != node}
    return moves, matched, {}


def shown_as(
    records: tuple[PaperRecord, ...], identity: Identity, corrections: Sequence[Correction]
) -> tuple[Shown, list[Effect]]:
    """Return the names and types that corrections for all papers give to nodes, and what came of renaming."""
    shown = Shown({}, {})
    effects = []
    for correction in corrections:
        if correction.paper is not None or correction.action not in {Action.RENAME, Action.RETYPE, Action.MERGE}:
            continue
        found = _found(correction.names[0], records, identity, correction)
        nodes = {node for _, node, _ in found}
        if correction.action == Action.RETYPE and correction.type is not None:
            shown.types.update(dict.fromkeys(nodes, correction.type))
        elif correction.action == Action.MERGE and _key_of(correction.names[0]) is None:
            shown.names.update(dict.fromkeys(nodes, correction.names[0]))
        elif correction.to is not None:
            shown.names.update(dict.fromkeys(nodes, correction.to))
            effects.append(Effect(correction, len(found), len(found)))
    return shown, effects
