"""The nodes: what is spoken of, and its families, with names and links."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.model import EntityType, Node, Role
from kg.names import bare, normal
from kg.resolution.correcting import Shown
from kg.resolution.families import Family, family_of, names_nothing, without_cycles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import PaperRecord
    from kg.resolution.identity import Identity

__all__ = ["make_nodes"]

_AS_TOLD = Shown({}, {})


@dataclass(frozen=True, slots=True)
class _Said:
    """What the papers say of one node: in how many papers it has each type and each name.

    `bare` are names that lead here by their context alone: they stand for other things, too. `supposed` are the types
    of such that were taken from another thing, which the record says the name is.
    """

    types: Counter[EntityType] = field(default_factory=Counter)
    supposed: Counter[EntityType] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    bare: Counter[str] = field(default_factory=Counter)
    proposed: Counter[str] = field(default_factory=Counter)
    aliases: set[str] = field(default_factory=set)


def make_nodes(
    records: tuple[PaperRecord, ...], identity: Identity, catalogue: Catalogue, shown: Shown = _AS_TOLD
) -> tuple[Node, ...]:
    """Return a node for each thing that a paper speaks of and for each family of such, sorted by key.

    `shown` says which nodes have another name or type than the papers and the catalogue tell.
    """
    said = _gathered(records, identity)
    types = {key: shown.types.get(key) or _type(one, catalogue.get(key)) for key, one in said.items()}
    names = {key: shown.names.get(key) or _name(one, catalogue.get(key)) for key, one in said.items()}
    families: dict[str, str] = {}
    called: dict[str, set[str]] = {}
    waiting = sorted(said)
    while waiting:
        key = waiting.pop()
        found = _family(key, names[key], types[key], catalogue, identity)
        if found is None or found[0] == key:
            continue
        families[key] = found[0]
        called.setdefault(found[0], set()).add(found[1])
        if found[0] not in types:
            types[found[0]] = _family_type(found[0], types[key], catalogue)
            names[found[0]] = found[1]
            waiting.append(found[0])
    families = _of_names(without_cycles(families), said, names, catalogue, records)
    for key in sorted(set(families.values()) - set(said)):
        versions = [types[version] for version, above in families.items() if above == key]
        types[key] = _family_type(key, _most(Counter(versions)), catalogue)
        thing = catalogue.get(key)
        names[key] = thing.name if thing else min(called[key], key=lambda name: (name.islower(), name))
    keys = sorted({*said, *families.values()})
    return tuple(
        _node(key, types[key], names[key], said.get(key, _Said()), families.get(key), catalogue.get(key))
        for key in keys
    )


def _of_names(
    families: dict[str, str],
    said: dict[str, _Said],
    names: dict[str, str],
    catalogue: Catalogue,
    records: tuple[PaperRecord, ...],
) -> dict[str, str]:
    """Return the families without those that are no names."""
    versions: dict[str, list[str]] = {}
    for version, above in families.items():
        if above not in said and catalogue.get(above) is None:
            versions.setdefault(above, []).append(names[version])
    nothing = names_nothing(versions, records)
    return {version: above for version, above in families.items() if above not in nothing and version not in nothing}


def _gathered(records: Iterable[PaperRecord], identity: Identity) -> dict[str, _Said]:
    said: dict[str, _Said] = {}
    for record in records:
        types: dict[str, set[EntityType]] = {}
        supposed: dict[str, set[EntityType]] = {}
        names: dict[str, set[str]] = {}
        only_bare: dict[str, set[str]] = {}
        proposed = {claim.entity for claim in record.roles if claim.role == Role.PROPOSES}
        for entity in record.entities:
            key = identity.node(record.paper.key, entity.id)
            one = said.setdefault(key, _Said())
            name = _shown(entity.name)
            by_context = identity.found[record.paper.key, entity.id].reason.startswith("context")
            elsewhere = by_context and entity.catalogue not in {None, key}
            (supposed if elsewhere else types).setdefault(key, set()).add(entity.type)
            (only_bare if by_context else names).setdefault(key, set()).add(name)
            one.aliases.update({name, *map(_shown, entity.aliases)} - {""})
            if entity.id in proposed:
                one.proposed[name] += 1
        for key in {*types, *supposed}:
            said[key].types.update(types.get(key, ()))
            said[key].supposed.update(supposed.get(key, ()))
            said[key].names.update(names.get(key, ()))
            said[key].bare.update(only_bare.get(key, ()))
    return said


def _shown(name: str) -> str:
    """A name fit to show: without markup, on one line."""
    return bare(name) or " ".join(name.split())


def _type(said: _Said, thing: KnownThing | None) -> EntityType:
    return thing.type if thing else _most(said.types or said.supposed)


def _most(types: Counter[EntityType]) -> EntityType:
    order = list(EntityType)
    return min(types, key=lambda type_: (-types[type_], order.index(type_)))


def _name(said: _Said, thing: KnownThing | None) -> str:
    """The catalogue's name, else the one that most papers use; that of the paper that proposes it comes first."""
    if thing is not None:
        return thing.name
    names = said.names or said.bare
    return min(names, key=lambda name: (-said.proposed[name], -names[name], name.islower(), name))


def _family(key: str, name: str, type_: EntityType, catalogue: Catalogue, identity: Identity) -> Family | None:
    found = family_of(name, type_, catalogue.get(key), catalogue, identity.forms.canonical)
    return None if found is None else (identity.standing(found[0]), found[1])


def _family_type(key: str, of_version: EntityType, catalogue: Catalogue) -> EntityType:
    thing = catalogue.get(key)
    return thing.type if thing else of_version


def _node(key: str, type_: EntityType, name: str, said: _Said, family: str | None, thing: KnownThing | None) -> Node:
    aliases = said.aliases | (set(thing.spellings) if thing else set())
    return Node(
        key=key,
        type=type_,
        name=name,
        types=tuple(each for each in EntityType if each in (said.types or said.supposed)),
        aliases=tuple(sorted(alias for alias in aliases - {name} if normal(alias))),
        family=family,
        homepage=thing.homepage if thing else None,
        introduced_by=thing.introduced_by if thing else None,
        wikidata=thing.wikidata if thing else None,
    )
