"""Which known thing an entity is, by its record or by its name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.names import normal
from kg.resolution.forms import long_forms, spellings, stems
from kg.resolution.proposals import coins, gloss, sureness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, EntityType, Paper, PaperRecord

__all__ = ["contradicts", "introduces", "known_thing", "linked_thing", "words_for_a_name"]

_SURE = 0.8


def linked_thing(entity: Entity, catalogue: Catalogue, record: PaperRecord) -> KnownThing | None:
    """Return the known thing that the record says an entity is, unless the paper says otherwise.

    Of what a paper proposes it is also the known thing of its very name and type.

    The paper that introduced a known thing proposes that. Another paper that proposes it does not mean the known
    thing where its words give the name to a thing of its own, or its title spells the name out otherwise, or where it
    spells out what has no known long form, or writes as words what is a name.
    """
    proposed = sureness(record, entity)
    if proposed:
        own = _introduced(entity, catalogue, record)
        if own is not None:
            return own
    thing = catalogue.get(entity.catalogue) if entity.catalogue is not None else None
    if entity.catalogue is None and proposed:
        thing = known_thing(entity.name, entity.type, catalogue)
        thing = thing if thing is not None and entity.name in thing.spellings and thing.type == entity.type else None
    if thing is None or contradicts(entity, thing):
        return None
    return None if proposed and _otherwise(record, entity, thing, catalogue) else thing


def _introduced(entity: Entity, catalogue: Catalogue, record: PaperRecord) -> KnownThing | None:
    """Return the known thing of one of an entity's names that the catalogue says its paper introduced."""
    things = {thing.key: thing for name in spellings(entity) for thing in catalogue.find(name)}
    linked = catalogue.get(entity.catalogue) if entity.catalogue is not None else None
    found = [thing for thing in (linked, *things.values()) if thing is not None and introduces(record.paper, thing)]
    return found[0] if found else None


def _otherwise(record: PaperRecord, entity: Entity, thing: KnownThing, catalogue: Catalogue) -> bool:
    """Whether a paper that proposes an entity of a known thing's name proposes another thing."""
    if words_for_a_name(entity, catalogue):
        return True
    forms = {normal(name) for name in thing.spellings}
    words = stems(thing.name)
    spelled_out = [long for _, long in long_forms(entity) if normal(long) not in forms and not stems(long) & words]
    if spelled_out and not _has_long_form(thing):
        return True
    own = gloss(record, entity)
    if own is not None and _says_otherwise([own], thing):
        return True
    return _introduced_elsewhere(record.paper, thing) and sureness(record, entity) >= _SURE and coins(record, entity)


def words_for_a_name(entity: Entity, catalogue: Catalogue) -> bool:
    """Whether an entity has, in small letters, a name that the catalogue knows with capitals alone.

    "We introduce universal transformers" is not about the Universal Transformer.
    """
    forms = {normal(spelling) for spelling in spellings(entity)}
    same = [
        spelling for thing in catalogue.find(entity.name) for spelling in thing.spellings if normal(spelling) in forms
    ]
    return bool(same) and all(map(str.islower, spellings(entity))) and not any(map(str.islower, same))


def introduces(paper: Paper, thing: KnownThing) -> bool:
    """Whether the catalogue says that a paper introduced a thing."""
    handles = {paper.key, *(f"{scheme}:{value}" for scheme, value in paper.identifiers)}
    return thing.introduced_by in handles


def _introduced_elsewhere(paper: Paper, thing: KnownThing) -> bool:
    """Whether the catalogue says that a thing comes from another paper of the archive in which this one has a place."""
    if thing.introduced_by is None or introduces(paper, thing):
        return False
    scheme = thing.introduced_by.partition(":")[0]
    return paper.key.startswith(f"{scheme}:") or scheme in dict(paper.identifiers)


def _has_long_form(thing: KnownThing) -> bool:
    return any(" " in spelling.replace("-", " ") for spelling in thing.spellings)


def known_thing(name: str, type_: EntityType, catalogue: Catalogue) -> KnownThing | None:
    """Return the one known thing of a name: of this type, else of any; None where several have it, or none."""
    things = catalogue.find(name)
    of_type = [thing for thing in things if thing.type == type_]
    found = of_type or list(things)
    return found[0] if len(found) == 1 else None


def contradicts(entity: Entity, thing: KnownThing) -> bool:
    """Whether an entity spells out a short form in words of which most are in none of the thing's long forms.

    ``DP`` that its paper spells out as dynamic programming is not differential privacy.
    """
    forms = {normal(spelling) for spelling in thing.spellings}
    longs = {long for short, long in long_forms(entity) if short in forms}
    if not longs or any(normal(long) in forms for long in longs):
        return False
    return _says_otherwise(longs, thing)


def _says_otherwise(longs: Iterable[str], thing: KnownThing) -> bool:
    """Whether most of the words of long forms are in none of a thing's; not where it has no words."""
    known = {stem for spelling in thing.spellings if " " in spelling.replace("-", " ") for stem in stems(spelling)}
    said = {stem for long in longs for stem in stems(long)}
    return bool(known) and 2 * len(said & known) < len(said)
