"""The entities of papers on their way to a node: the name that counts, its forms, and what the paper says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.names import normal
from kg.resolution.forms import Forms, coined, core, expansions, has_word, inner_long_form, spellings
from kg.resolution.known import introduces, linked_thing, words_for_a_name
from kg.resolution.proposals import coins, sureness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, PaperRecord

__all__ = ["Lead", "Named", "Place", "names_of"]

Place = tuple[str, str]
"""An entity of the corpus: its paper's key and its id."""

Lead = tuple[str, str]
"""A node's key and the reason."""


@dataclass(frozen=True, slots=True)
class Named:
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
    def place(self) -> Place:
        """Return which entity of the corpus it is."""
        return self.paper, self.entity.id

    @property
    def is_bare(self) -> bool:
        """Whether its paper gives it no other form than the name, with or without more words."""
        form = normal(self.name)
        return all(normal(spelling) == form or has_word(spelling, self.name) for spelling in spellings(self.entity))


def names_of(record: PaperRecord, catalogue: Catalogue, forms: Forms, attested: frozenset[str]) -> Iterator[Named]:
    """Yield the entities of a record; `attested` are the forms of all names of the corpus."""
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
        canonical = forms.canonical(form)
        own = proposed and thing is None and catalogue.get(canonical) is not None
        yield Named(
            paper=record.paper.key,
            entity=entity,
            name=name,
            thing=thing,
            proposed=proposed and (coined(entity.name) or words_for_a_name(entity, catalogue)),
            coins=proposed and coins(record, entity),
            introduces=proposed and thing is not None and introduces(record.paper, thing),
            form=form if own else canonical,
            forms=spelled if own else spelled | {forms.canonical(each) for each in spelled},
            longs=tuple(sorted(long for short, long in expansions(entity) if short == form)),
        )
