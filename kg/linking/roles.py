"""Telling what part each thing plays, by the cues around its mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.contexts import contexts
from kg.linking.cues import votes
from kg.linking.draft import draft_of
from kg.model import EntityType, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc

    from kg.linking.cues import Votes
    from kg.linking.draft import Thing

__all__ = ["HEARD", "hear_cues", "tell_roles"]

HEARD = 64
"""How many mentions of one thing have a say in its roles."""
_SURE = 0.85
"""From here on a cue tells that hardware or a metric is proposed, which few are."""
_LIKELY = 0.5
"""Below, a cue alone tells nothing."""

_Claim = tuple[Role, float, tuple[int, ...]]


@Language.component("kg_roles")
def tell_roles(doc: Doc) -> Doc:
    """Give each thing of the draft its roles, each with a confidence and the mentions that tell it."""
    for thing, said in hear_cues(doc):
        thing.roles = _settled(thing, said)
    return doc


def hear_cues(doc: Doc) -> list[tuple[Thing, Votes]]:
    """Return the things of the Doc's draft, each with what the cues say of it, which its `cues` then hold in short."""
    draft = draft_of(doc)
    around = dict(zip(draft.found, contexts(draft, draft.found), strict=True))
    heard = [(thing, votes(thing.type, [around[found] for found in thing.spans[:HEARD]])) for thing in draft.things]
    for thing, said in heard:
        thing.cues = {role: max(by_mention.values()) for role, by_mention in said.items()}
    return heard


def _settled(thing: Thing, said: Votes) -> list[_Claim]:
    """Decide on the roles that stand, from what the mentions say."""
    everywhere = tuple(range(len(thing.spans)))
    told = {
        role: (role, thing.cues[role], tuple(sorted(by_mention, key=lambda i: (-by_mention[i], i))))
        for role, by_mention in said.items()
    }
    own = told.get(Role.PROPOSES)
    match thing.type:
        case EntityType.HARDWARE:
            return [own] if own and own[1] > _SURE else [(Role.RUNS_ON, 0.8, everywhere)]
        case EntityType.TASK:
            return [(Role.ADDRESSES, 0.7, everywhere)]
        case EntityType.METRIC:
            return [*_if(own and own[1] > _SURE, own), (Role.MEASURES, 0.8, everywhere)]
        case EntityType.DATASET:
            return _of_dataset(own, told.get(Role.TRAINS_ON), everywhere)
    best = _best(told[role] for role in (Role.PROPOSES, Role.COMPARES_TO, Role.BUILDS_ON) if role in told)
    return [best or told.get(Role.USES_METHOD) or (Role.USES_METHOD, 0.4, everywhere)]


def _if(holds: object, claim: _Claim | None) -> list[_Claim]:
    return [claim] if holds and claim else []


def _of_dataset(own: _Claim | None, trained: _Claim | None, everywhere: tuple[int, ...]) -> list[_Claim]:
    told = [*_if(own and own[1] >= _LIKELY, own), *_if(trained and trained[1] >= _LIKELY, trained)]
    if trained not in told or not trained or len(everywhere) > len(trained[2]):
        told.append((Role.EVALUATES_ON, 0.6 if told else 0.75, everywhere))
    return told


def _best(claims: Iterable[_Claim]) -> _Claim | None:
    likely = [claim for claim in claims if claim[1] >= _LIKELY]
    return max(likely, key=lambda claim: claim[1]) if likely else None
