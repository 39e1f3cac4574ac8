"""Which entities of which papers are one node.

An entity leads to a node in one of these ways, tried in this order:

1. the record, or the name alone, says which known thing it is: the thing's key;
2. its paper proposes it under a coined name that other papers' own proposals, or a known thing, have too: a sense,
   ``<normal name>~<paper key>``; another paper that uses the name with a long form of that sense is led there;
3. it names a size of a thing that its paper does not tell apart by size: the thing's node;
4. otherwise the normal form of its name, where long forms that are alike are one form.

A bare name, of which a paper gives no other form, is then led to the one thing of that name whose context is most
like the paper's (`senses`), or to none of them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.model import EntityType, Link
from kg.names import bare, normal
from kg.resolution.contexts import Contexts
from kg.resolution.forms import Forms, alike, coined, core, expansions, has_word, inner_long_form, spellings
from kg.resolution.known import contradicts, introduces, known_thing, linked_thing, words_for_a_name
from kg.resolution.proposals import Proposals, coins, proposed_by_several, sureness
from kg.resolution.senses import Bare, Senses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, PaperRecord

__all__ = ["REASONS", "Identity", "identify"]

REASONS: dict[str, str] = {
    "catalogue": "the record links it to this known thing",
    "alias": "the catalogue knows one thing of this name",
    "sense": "followed by `: proposed by` and a paper's key: several things have this name, and this is that paper's",
    "size": "a size that its paper does not tell apart from the thing itself",
    "abbreviation": "followed by a long form and the key of a paper that spells the short form out as that",
    "core": "followed by what its paper calls it in short: the name adds words to that, and other papers do not",
    "context": "followed by what its paper's words are most like: several things have this name",
    "unlike": "followed by what its paper's words are not like: other things of this name, to which it is not led",
    "spelling": "another paper's name has the same normal form",
    "new": "no other paper speaks of it",
    "correction": "followed by the correction that leads it here",
}

_SIZED = re.compile(r"(?P<base>.*?[^\s\-_])[\s\-_]\(?(?:\d+(?:\.\d+)?[BMbm]|\d+x\d+[Bb]|\d+\s?GB)\)?")
_NUMBER = re.compile(r"\d+")
_SIZED_TYPES = frozenset({EntityType.METHOD, EntityType.HARDWARE})

Place = tuple[str, str]
"""An entity of the corpus: its paper's key and its id."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Where each entity, by its paper's key and its id, leads: sorted links, by paper key.

    `merged` says which nodes are one with another by a correction.
    """

    found: dict[Place, Link]
    forms: Forms
    merged: Mapping[str, str]

    def node(self, paper: str, entity: str) -> str:
        """Return the key of an entity's node."""
        return self.found[paper, entity].node

    def links(self) -> tuple[Link, ...]:
        """Return the links, sorted by paper and entity."""
        return tuple(sorted(self.found.values(), key=lambda link: (link.paper, link.entity, link.node)))

    def moved(self, moves: Mapping[Place, str], reason: str, merged: Mapping[str, str]) -> Identity:
        """Return the identity with these entities led to other nodes for a reason."""
        found = self.found | {place: replace(self.found[place], node=to, reason=reason) for place, to in moves.items()}
        return Identity(found, self.forms, {**self.merged, **merged})

    def standing(self, node: str) -> str:
        """Return the node that stands for a node: the one it is merged into, else itself."""
        seen = {node}
        while node in self.merged and self.merged[node] not in seen:
            node = self.merged[node]
            seen.add(node)
        return node


@dataclass(frozen=True, slots=True)
class _Named:
    """An entity of a paper on its way to a node; `form` stands for its name, `longs` for what it spells out.

    `name` is its own, without the words that it adds to what the paper calls it in short. `coins` says that the paper
    proposes it and gives it its name; `introduces` that the catalogue names the paper as the first on `thing`.
    """

    paper: str
    entity: Entity
    name: str
    thing: KnownThing | None
    proposed: bool
    coins: bool
    introduces: bool
    form: str
    forms: frozenset[str]
    longs: tuple[str, ...]

    @property
    def is_bare(self) -> bool:
        """Whether its paper gives it no other form than the name, with or without more words."""
        form = normal(self.name)
        return all(normal(spelling) == form or has_word(spelling, self.name) for spelling in spellings(self.entity))


def identify(records: tuple[PaperRecord, ...], catalogue: Catalogue) -> Identity:
    """Return where each entity of each record leads."""
    entities = [(record, entity) for record in records for entity in record.entities]
    unlinked = [(record, entity) for record, entity in entities if linked_thing(entity, catalogue, record) is None]
    forms = Forms(((record.paper.key, entity) for record, entity in entities), proposed_by_several(unlinked))
    attested = frozenset(normal(entity.name) for _, entity in entities)
    named = [one for record in records for one in _named(record, catalogue, forms, attested)]
    proposals = _proposals(named, catalogue)
    sized = {record.paper.key: _sizes_not_told_apart(record) for record in records}
    leads = {
        (one.paper, one.entity.id): _lead(one, sized[one.paper].get(one.entity.id), proposals, catalogue, forms)
        for one in named
    }
    leads = _bare_names_led(named, leads, catalogue, Contexts(records))
    ids = {record.paper.key: record.paper.id for record in records}
    found = {place: Link(ids[place[0]], place[1], key, reason) for place, (key, reason) in leads.items()}
    return Identity(_told_by_others(found), forms, {})


def _named(record: PaperRecord, catalogue: Catalogue, forms: Forms, attested: frozenset[str]) -> Iterator[_Named]:
    for entity in record.entities:
        name = entity.name
        proposed = sureness(record, entity) > 0
        if not proposed:
            inner = inner_long_form(entity)
            known = inner is not None and (normal(inner) in attested or catalogue.find(inner))
            name = core(entity) or (inner if inner is not None and known else name)
        form = normal(name)
        spelled = frozenset(map(normal, spellings(entity)))
        thing = linked_thing(entity, catalogue, record)
        yield _Named(
            paper=record.paper.key,
            entity=entity,
            name=name,
            thing=thing,
            proposed=proposed and (coined(entity.name) or words_for_a_name(entity, catalogue)),
            coins=proposed and coins(record, entity),
            introduces=proposed and thing is not None and introduces(record.paper, thing),
            form=forms.canonical(form),
            forms=spelled | {forms.canonical(each) for each in spelled},
            longs=tuple(sorted(long for short, long in expansions(entity) if short == form)),
        )


def _proposals(named: list[_Named], catalogue: Catalogue) -> Proposals:
    """Return what papers propose under a form that several things have.

    A form by which the catalogue knows a thing among others counts where the paper's words say that the name is its.
    """
    proposals: dict[str, dict[str, frozenset[str]]] = {}
    for one in named:
        if one.proposed and one.thing is None:
            papers = proposals.setdefault(one.form, {})
            papers[one.paper] = papers.get(one.paper, frozenset()) | one.forms
    coined_known = {one.form for one in named if one.proposed and one.coins and one.thing is None}
    return Proposals.of(
        {
            form: papers
            for form, papers in proposals.items()
            if len(papers) > 1 or catalogue.get(form) is not None or (form in coined_known and catalogue.find(form))
        }
    )


_Lead = tuple[str, str]
"""A node's key and the reason."""


def _lead(one: _Named, base: str | None, proposals: Proposals, catalogue: Catalogue, forms: Forms) -> _Lead:
    if one.thing is not None:
        return one.thing.key, "catalogue"
    sense = proposals.sense(one.paper, one.form, one.forms, proposed=one.proposed)
    if sense is not None:
        form, paper = sense
        return f"{form}~{paper}", f"sense: proposed by {paper}"
    name = base or one.name
    thing = _named_thing(one, catalogue) or known_thing(name, one.entity.type, catalogue)
    if thing is not None and one.entity.catalogue is None and not contradicts(one.entity, thing):
        return thing.key, "size" if base else "alias"
    if base:
        return forms.canonical(normal(base)), "size"
    form = normal(name)
    long = one.longs[0] if form in forms.ambiguous and one.longs else form
    above = forms.canonical(long)
    thing = known_thing(forms.text(above), one.entity.type, catalogue) if above != form else None
    key = thing.key if thing is not None and not contradicts(one.entity, thing) else above
    if above == form:
        return key, "spelling" if name == one.entity.name else f"core: {name!r}"
    first = forms.paper(above)
    return key, f"abbreviation: {forms.text(above)!r}, as {first} spells it out" if first else "abbreviation"


def _named_thing(one: _Named, catalogue: Catalogue) -> KnownThing | None:
    """Return the known thing that an entity's short form names, where the name says the same as its long form.

    "Vision-language models (LVLMs)" are large ones.
    """
    numbers = _NUMBER.findall(one.name)
    for alias in one.entity.aliases:
        thing = known_thing(alias, one.entity.type, catalogue) if " " not in bare(alias) else None
        if thing is not None and thing.type == one.entity.type and numbers == _NUMBER.findall(bare(alias)):
            longs = [spelling for spelling in thing.spellings if " " in spelling]
            if any(alike(one.name, long) for long in longs):
                return thing
    return None


def _bare_names_led(
    named: list[_Named], leads: dict[Place, _Lead], catalogue: Catalogue, contexts: Contexts
) -> dict[Place, _Lead]:
    """Lead each bare name to the thing of that name that its paper's context fits, or to none of them.

    Names that their papers propose come first, for what these lead to is a sense for the others.
    """
    senses = Senses(contexts)
    for one in named:
        key = leads[one.paper, one.entity.id][0]
        told = {short for short, _ in expansions(one.entity)}
        if one.thing is not None and one.thing.key == key:
            told |= one.forms & {normal(spelling) for spelling in one.thing.spellings}
        if one.proposed and not one.is_bare:
            told |= {normal(spelling) for spelling in spellings(one.entity) if coined(spelling)}
        for form in told:
            senses.add(form, key, one.paper, one.entity.type)
    found = dict(leads)
    for proposed in (True, False):
        bares = [one for one in named if one.is_bare and one.proposed == proposed]
        for one in bares:
            key, reason = leads[one.paper, one.entity.id]
            if reason != "size" and not reason.startswith("sense") and not one.introduces:
                known = reason in {"catalogue", "alias"}
                bare_name = Bare(one.paper, normal(one.name), one.entity.type, key, known, proposed, one.coins)
                found[one.paper, one.entity.id] = senses.lead(bare_name, reason)
        for one in bares if proposed else ():
            key = found[one.paper, one.entity.id][0]
            if one.thing is None or one.thing.key != key:
                senses.move(normal(one.name), leads[one.paper, one.entity.id][0], key, one.paper, one.entity.type)
    return found


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
