"""Which entities of which papers are one node.

An entity leads to a node in one of these ways, tried in this order:

1. the record, or the name alone, says which known thing it is: the thing's key;
2. its paper proposes it under a coined name that other papers' own proposals, or a known thing, have too: a sense,
   ``<normal name>~<paper key>``; another paper that uses the name with a long form of that sense is led there;
3. it names a size of a thing that its paper does not tell apart by size: the thing's node;
4. otherwise the normal form of its name, where long forms that are alike are one form.

A bare name, of which a paper gives no other form, is then led to the one thing of that name whose context is most
like the paper's (`senses`), or to none of them. At last, names that are written in another way meet (`respelled`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.model import EntityType, Link
from kg.names import bare, normal
from kg.resolution.bare import bare_names_led
from kg.resolution.contexts import Contexts
from kg.resolution.forms import Forms, alike, expansions, narrower, spellings
from kg.resolution.known import contradicts, known_thing, linked_thing
from kg.resolution.named import Lead, Named, Place, names_of
from kg.resolution.proposals import Proposals, proposed_by_several
from kg.resolution.respelled import respelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import PaperRecord

__all__ = ["REASONS", "Identity", "identify"]

REASONS: dict[str, str] = {
    "catalogue": "the record links it to this known thing, rather than to what follows, where that was weighed",
    "alias": "the catalogue knows one thing of this name, rather than what follows, where that was weighed",
    "sense": "followed by `: proposed by` and a paper's key: several things have this name, and this is that paper's",
    "size": "a size that its paper does not tell apart from the thing itself",
    "abbreviation": "followed by a long form and the key of a paper that spells the short form out as that",
    "core": "followed by what its paper calls it in short: the name adds words to that, and other papers do not",
    "context": "followed by what its paper's words are most like, and the others: several things have this name",
    "unlike": "followed by what its paper's words are not like: all other things of this name, to which it is not led",
    "spelling": "another paper's name has the same normal form, or is the one that follows, written otherwise",
    "new": "no other paper speaks of it",
    "correction": "followed by the correction that leads it here",
}

_SIZED = re.compile(r"(?P<base>.*?[^\s\-_])[\s\-_]\(?(?:\d+(?:\.\d+)?[BMbm]|\d+x\d+[Bb]|\d+\s?GB)\)?")
_NUMBER = re.compile(r"\d+")
_SIZED_TYPES = frozenset({EntityType.METHOD, EntityType.HARDWARE})


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


def identify(records: tuple[PaperRecord, ...], catalogue: Catalogue) -> Identity:
    """Return where each entity of each record leads."""
    entities = [(record, entity) for record in records for entity in record.entities]
    unlinked = [(record, entity) for record, entity in entities if linked_thing(entity, catalogue, record) is None]
    forms = Forms(((record.paper.key, entity) for record, entity in entities), proposed_by_several(unlinked))
    attested = frozenset(normal(entity.name) for _, entity in entities)
    named = [one for record in records for one in names_of(record, catalogue, forms, attested)]
    proposals = _proposals(named, catalogue, forms)
    sized = {record.paper.key: _sizes_not_told_apart(record) for record in records}
    leads = {
        (one.paper, one.entity.id): _lead(one, sized[one.paper].get(one.entity.id), proposals, catalogue, forms)
        for one in named
    }
    leads = respelled(named, bare_names_led(named, leads, Contexts(records), catalogue), catalogue)
    ids = {record.paper.key: record.paper.id for record in records}
    found = {place: Link(ids[place[0]], place[1], key, reason) for place, (key, reason) in leads.items()}
    return Identity(_told_by_others(found), forms, {})


def _proposals(named: list[Named], catalogue: Catalogue, forms: Forms) -> Proposals:
    """Return what papers propose under a form that several things have.

    A form by which the catalogue knows a thing among others counts where the paper's words say that the name is its;
    so does a bare one that others, which do not propose it, spell out as what the catalogue or several of them know:
    "we develop an EM algorithm" makes no other EM.
    """
    users: dict[tuple[str, str], set[str]] = {}
    for one in named:
        for short, long in expansions(one.entity) if not one.proposed else ():
            for written in (bare(name) for name in spellings(one.entity) if normal(name) == short):
                users.setdefault((written, forms.canonical(long)), set()).add(one.paper)
    general = {short for (short, long), papers in users.items() if len(papers) > 1 or catalogue.find(long)}
    general_forms = set(map(normal, general))
    proposals: dict[str, dict[str, frozenset[str]]] = {}
    for one in named:
        sure = one.coins or not one.is_bare or bare(one.name) not in general
        if one.proposed and one.thing is None and sure:
            papers = proposals.setdefault(one.form, {})
            papers[one.paper] = papers.get(one.paper, frozenset()) | one.forms
    coined_known = {one.form for one in named if one.proposed and one.coins and one.thing is None}
    return Proposals.of(
        {
            form: papers
            for form, papers in proposals.items()
            if len(papers) > 1
            or catalogue.get(form) is not None
            or (form in coined_known and (form in general_forms or catalogue.find(form)))
        }
    )


def _lead(one: Named, base: str | None, proposals: Proposals, catalogue: Catalogue, forms: Forms) -> Lead:
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


def _named_thing(one: Named, catalogue: Catalogue) -> KnownThing | None:
    """Return the known thing that an entity's short form names, where the name says the same as its long form.

    "Vision-language models (LVLMs)" are large ones; "temporal-coded deep spiking neural networks (DNNs)" are not all.
    """
    numbers = _NUMBER.findall(one.name)
    for alias in one.entity.aliases:
        thing = known_thing(alias, one.entity.type, catalogue) if " " not in bare(alias) else None
        if thing is not None and thing.type == one.entity.type and numbers == _NUMBER.findall(bare(alias)):
            longs = [spelling for spelling in thing.spellings if " " in spelling]
            if any(alike(one.name, long) and not narrower(one.name, long) for long in longs):
                return thing
    return None


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
