"""Which entities of which papers are one node.

An entity leads to a node in one of these ways, tried in this order:

1. the record, or the name alone, says which known thing it is: the thing's key;
2. its paper proposes it under a coined name that other papers' own proposals, or a known thing, have too: a sense,
   ``<normal name>~<paper key>``; another paper that uses the name with a long form of that sense is led there;
3. it names a size of a thing that its paper does not tell apart by size: the thing's node;
4. otherwise the normal form of its name, where an abbreviation that all papers spell out alike is its long form.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.model import EntityType, Link, Role
from kg.names import bare, normal
from kg.resolution.forms import Forms, coined, expansions, spellings
from kg.resolution.known import contradicts, known_thing, linked_thing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, PaperRecord

__all__ = ["REASONS", "Identity", "identify"]

REASONS: dict[str, str] = {
    "catalogue": "the record links it to this known thing",
    "alias": "the catalogue knows one thing of this name",
    "sense": "followed by `: proposed by` and a paper's key: several things have this name, and this is that paper's",
    "size": "a size that its paper does not tell apart from the thing itself",
    "abbreviation": "all papers that spell out this short form spell it out alike",
    "spelling": "another paper's name has the same normal form",
    "new": "no other paper speaks of it",
}

_SIZED = re.compile(r"(?P<base>.*?[^\s\-_])[\s\-_]\(?(?:\d+(?:\.\d+)?[BMbm]|\d+x\d+[Bb]|\d+\s?GB)\)?")
_SIZED_TYPES = frozenset({EntityType.METHOD, EntityType.HARDWARE})


@dataclass(frozen=True, slots=True)
class Identity:
    """Where each entity, by its paper's key and its id, leads: sorted links, by paper key."""

    found: dict[tuple[str, str], Link]
    forms: Forms

    def node(self, paper: str, entity: str) -> str:
        """Return the key of an entity's node."""
        return self.found[paper, entity].node

    def links(self) -> tuple[Link, ...]:
        """Return the links, sorted by paper and entity."""
        return tuple(sorted(self.found.values(), key=lambda link: (link.paper, link.entity, link.node)))


@dataclass(frozen=True, slots=True)
class _Named:
    """An entity of a paper on its way to a node; `form` stands for its name, `longs` for what it spells out."""

    paper: str
    entity: Entity
    thing: KnownThing | None
    proposed: bool
    form: str
    forms: frozenset[str]
    longs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Senses:
    """The forms that several things have: `papers` that propose one under each, and what else it is called.

    `by_form` leads from each of these other forms to the senses, as pairs of form and paper.
    """

    papers: dict[str, dict[str, frozenset[str]]]
    by_form: dict[str, frozenset[tuple[str, str]]]


def identify(records: tuple[PaperRecord, ...], catalogue: Catalogue) -> Identity:
    """Return where each entity of each record leads."""
    unlinked = [
        (record, entity) for record in records for entity in record.entities if linked_thing(entity, catalogue) is None
    ]
    forms = Forms((entity for _, entity in unlinked), _proposed_by_several(unlinked))
    named = [one for record in records for one in _named(record, catalogue, forms)]
    senses = _senses(named, catalogue)
    ids = {record.paper.key: record.paper.id for record in records}
    sized = {record.paper.key: _sizes_not_told_apart(record) for record in records}
    found: dict[tuple[str, str], Link] = {}
    for one in named:
        base = sized[one.paper].get(one.entity.id)
        key, reason = _lead(one, base, senses, catalogue, forms)
        found[one.paper, one.entity.id] = Link(ids[one.paper], one.entity.id, key, reason)
    return Identity(_told_by_others(found), forms)


def _proposed_by_several(unlinked: list[tuple[PaperRecord, Entity]]) -> frozenset[str]:
    """Return the forms under which two papers or more propose something."""
    papers: dict[str, set[str]] = {}
    for record, entity in unlinked:
        if any(claim.role == Role.PROPOSES and claim.entity == entity.id for claim in record.roles):
            for name in filter(coined, spellings(entity)):
                papers.setdefault(normal(name), set()).add(record.paper.key)
    return frozenset(form for form, found in papers.items() if len(found) > 1)


def _named(record: PaperRecord, catalogue: Catalogue, forms: Forms) -> Iterator[_Named]:
    proposed = {claim.entity for claim in record.roles if claim.role == Role.PROPOSES}
    for entity in record.entities:
        form = normal(entity.name)
        spelled = frozenset(map(normal, spellings(entity)))
        yield _Named(
            paper=record.paper.key,
            entity=entity,
            thing=linked_thing(entity, catalogue),
            proposed=entity.id in proposed and coined(entity.name),
            form=forms.canonical(form),
            forms=spelled | {forms.canonical(each) for each in spelled},
            longs=tuple(sorted(long for short, long in expansions(entity) if short == form)),
        )


def _senses(named: list[_Named], catalogue: Catalogue) -> _Senses:
    """Return, for each form that several things have, the papers that propose one, each with its other forms."""
    proposals: dict[str, dict[str, frozenset[str]]] = {}
    for one in named:
        if one.proposed and one.thing is None:
            papers = proposals.setdefault(one.form, {})
            papers[one.paper] = papers.get(one.paper, frozenset()) | one.forms
    several = {
        form: {paper: others - {form} for paper, others in papers.items()}
        for form, papers in proposals.items()
        if len(papers) > 1 or catalogue.get(form) is not None
    }
    by_form: dict[str, set[tuple[str, str]]] = {}
    for form, papers in several.items():
        for paper, others in papers.items():
            for other in others:
                by_form.setdefault(other, set()).add((form, paper))
    return _Senses(several, {form: frozenset(found) for form, found in by_form.items()})


def _lead(one: _Named, base: str | None, senses: _Senses, catalogue: Catalogue, forms: Forms) -> tuple[str, str]:
    if one.thing is not None:
        return one.thing.key, "catalogue"
    sense = _sense(one, senses)
    if sense is not None:
        form, paper = sense
        return f"{form}~{paper}", f"sense: proposed by {paper}"
    name = base or one.entity.name
    thing = known_thing(name, one.entity.type, catalogue)
    if thing is not None and one.entity.catalogue is None and not contradicts(one.entity, thing):
        return thing.key, "size" if base else "alias"
    if base:
        return forms.canonical(normal(base)), "size"
    if one.form in forms.ambiguous and one.longs:
        return forms.canonical(one.longs[0]), "abbreviation"
    return one.form, "spelling" if one.form == normal(name) else "abbreviation"


def _sense(one: _Named, senses: _Senses) -> tuple[str, str] | None:
    """Return the sense that an entity has: the form that several things share, and the paper that proposes it.

    A paper's own proposal is its own sense; another paper's name is led to a sense where it has a form that this
    sense alone has.
    """
    if one.proposed and one.paper in senses.papers.get(one.form, {}):
        return one.form, one.paper
    fitting = {
        sense
        for other in one.forms
        for sense in senses.by_form.get(other, ())
        if sense[0] == one.form or one.form in senses.papers[sense[0]][sense[1]]
    }
    return fitting.pop() if len(fitting) == 1 else None


def _sizes_not_told_apart(record: PaperRecord) -> dict[str, str]:
    """Return the name without its size of each entity that is the paper's only one of that base."""
    bases: dict[str, str] = {}
    for entity in record.entities:
        sized = _SIZED.fullmatch(bare(entity.name))
        if sized is not None and entity.type in _SIZED_TYPES and entity.catalogue is None:
            bases[entity.id] = sized["base"]
    counts = Counter(normal(base) for base in bases.values())
    plain = {normal(name) for entity in record.entities for name in spellings(entity)}
    return {entity: base for entity, base in bases.items() if counts[normal(base)] == 1 and normal(base) not in plain}


def _told_by_others(found: dict[tuple[str, str], Link]) -> dict[tuple[str, str], Link]:
    """Say `new` in place of `spelling` where no other paper leads to the node."""
    papers: dict[str, set[str]] = {}
    for (paper, _), link in found.items():
        papers.setdefault(link.node, set()).add(paper)
    return {
        place: replace(link, reason="new") if link.reason == "spelling" and len(papers[link.node]) == 1 else link
        for place, link in found.items()
    }
