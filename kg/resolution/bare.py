"""Leading bare names, of which a paper gives no other form, to the thing of that name that the paper's context fits."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from kg.names import normal
from kg.resolution.contexts import words_of_name
from kg.resolution.forms import coined, expansions, spellings, spells_out
from kg.resolution.senses import Bare, Senses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kg.catalogue import Catalogue
    from kg.resolution.contexts import Contexts
    from kg.resolution.named import Lead, Named, Place

__all__ = ["bare_names_led"]

_ROUNDS = 8
_KNOWN = frozenset({"catalogue", "alias"})


def bare_names_led(
    named: Sequence[Named], leads: Mapping[Place, Lead], contexts: Contexts, catalogue: Catalogue
) -> dict[Place, Lead]:
    """Lead each bare name to the thing of that name that its paper's context fits, or to none of them.

    Names that their papers propose come first, for what these lead to is a sense for the others. A paper that is led
    away from a known thing no longer tells what that is like, so the others of its name are asked again.
    """
    senses = _told(named, leads, Senses(contexts, _words_of(catalogue)), catalogue)
    found = dict(leads)
    for proposed in (True, False):
        bares = [one for one in named if one.is_bare and one.proposed == proposed]
        asked = [one for one in bares if _is_open(one, leads)]
        claimed = [one for one in asked if not proposed and senses.claimed(_bare(one, leads, catalogue))]
        for one in claimed:
            senses.remove(normal(one.name), leads[one.place][0], one.paper, one.entity.type)
        for _ in range(_ROUNDS):
            found |= {one.place: senses.lead(_bare(one, leads, catalogue), leads[one.place][1]) for one in asked}
            away = [
                one for one in asked if leads[one.place][1] in _KNOWN and found[one.place][0] != leads[one.place][0]
            ]
            for one in away:
                senses.remove(normal(one.name), leads[one.place][0], one.paper, one.entity.type)
            left, forms = {one.place for one in away}, {normal(one.name) for one in away}
            asked = [one for one in asked if one.place not in left and normal(one.name) in forms]
            if not asked:
                break
        for one in bares if proposed else ():
            key = found[one.place][0]
            if one.thing is None or one.thing.key != key:
                senses.add(normal(one.name), key, one.paper, one.entity.type)
    return found


def _told(named: Sequence[Named], leads: Mapping[Place, Lead], senses: Senses, catalogue: Catalogue) -> Senses:
    """Return the senses with what papers say that forms mean: where they spell them out, and by known things' names."""
    for one in named:
        key = leads[one.place][0]
        told = {short for short, _ in expansions(one.entity)}
        narrow = told - {
            short for short in told if one.proposed or any(map(partial(spells_out, short), spellings(one.entity)))
        }
        if one.thing is not None and one.thing.key == key:
            told |= one.forms & {normal(spelling) for spelling in one.thing.spellings}
        if one.proposed and not one.is_bare:
            told |= {normal(spelling) for spelling in spellings(one.entity) if coined(spelling)}
        for form in told:
            if _is_family(form, key, catalogue):
                continue
            senses.add(
                form, key, one.paper, one.entity.type, told=not one.is_bare or one.introduces, narrow=form in narrow
            )
    return senses


def _is_family(form: str, key: str, catalogue: Catalogue) -> bool:
    """Whether a form names what a known thing is a version of: SAM, in a paper that says so for SAM 2."""
    thing = catalogue.get(key)
    return thing is not None and any(each.name == thing.family for each in catalogue.find(form))


def _words_of(catalogue: Catalogue) -> Callable[[str], frozenset[str]]:
    """Return a function that gives the words of the names of a known thing; none for another node."""

    @cache
    def words(key: str) -> frozenset[str]:
        thing = catalogue.get(key)
        return frozenset() if thing is None else frozenset().union(*map(words_of_name, thing.spellings))

    return words


def _is_open(one: Named, leads: Mapping[Place, Lead]) -> bool:
    reason = leads[one.place][1]
    return reason != "size" and not reason.startswith("sense") and not one.introduces


def _bare(one: Named, leads: Mapping[Place, Lead], catalogue: Catalogue) -> Bare:
    key, reason = leads[one.place]
    known = reason in _KNOWN
    namesakes = frozenset(thing.key for thing in catalogue.find(one.name)) if known else frozenset[str]()
    return Bare(one.paper, normal(one.name), one.entity.type, key, known, one.proposed, one.coins, namesakes)
