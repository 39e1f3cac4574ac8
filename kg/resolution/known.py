"""Which known thing an entity is, by its record or by its name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import Role
from kg.names import normal
from kg.resolution.forms import expansions, spellings, stems

if TYPE_CHECKING:
    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, EntityType, Paper, PaperRecord

__all__ = ["contradicts", "introduces", "known_thing", "linked_thing", "words_for_a_name"]


def linked_thing(entity: Entity, catalogue: Catalogue, record: PaperRecord) -> KnownThing | None:
    """Return the known thing that the record says an entity is, unless its long form says otherwise.

    A paper that proposes it does not mean the known thing, unless it is the paper that introduced that, where it
    spells out what has no known long form, or writes as words what is a name.
    """
    thing = catalogue.get(entity.catalogue) if entity.catalogue is not None else None
    if thing is None or contradicts(entity, thing):
        return None
    spelled_out = {long for short, long in expansions(entity)} - {normal(name) for name in thing.spellings}
    proposed = any(claim.role == Role.PROPOSES and claim.entity == entity.id for claim in record.roles)
    otherwise = (spelled_out and not _has_long_form(thing)) or words_for_a_name(entity, catalogue)
    return None if proposed and otherwise and not introduces(record.paper, thing) else thing


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
    known = {stem for spelling in thing.spellings if " " in spelling.replace("-", " ") for stem in stems(spelling)}
    pairs = expansions(entity)
    longs = {long for short, long in pairs if short in forms}
    if not known or not longs or longs & forms:
        return False
    said = {stem for name in (entity.name, *entity.aliases) if normal(name) in longs for stem in stems(name)}
    return 2 * len(said & known) < len(said)
