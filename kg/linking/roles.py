"""Telling what part each thing plays, by the words around its mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.contexts import contexts
from kg.linking.draft import draft_of
from kg.linking.introductions import INTRODUCING
from kg.model import EntityType, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from kg.linking.contexts import Context
    from kg.linking.draft import Thing

__all__ = ["tell_roles"]

_GAP = r"(?:\S+\s){0,4}?"
_HEARD = 64
"""How many mentions of one thing have a say in its roles."""
_LIST = r"(?:\s?[(:]|,?\s(?:such as|like|including|e\.g\.,?|namely|i\.e\.,?))*"

# What stands before a mention, or the list it is in, and the confidence that it plays the role.
_COMPARED = (
    (
        re.compile(
            rf"\b(?:outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?|than|versus|vs\.?|"
            rf"compared (?:to|with)|relative to|comparable to|"
            rf"unlike|in contrast to|(?:match|rival|replac|supersed|dominat)\w*|on par with|"
            rf"competitive with|against|superior to|better than|"
            rf"faster than|improv\w+ (?:over|upon)|gains? over|speed-?ups? over|reductions? over|"
            rf"alternatives? to|instead of|rather than|contrary to|advantages? over)\s{_GAP}$",
            re.I,
        ),
        0.85,
    ),
    (
        re.compile(
            r"\bover\s(?:the\s|existing\s|standard\s|vanilla\s|strong\s|SOTA\s|"
            r"state-of-the-art\s|\w+-\w+\s)*$"
        ),
        0.75,
    ),
    (re.compile(rf"\bbaselines?(?:\s\w+)?{_LIST}\s?\(?(?:the\s)?$"), 0.85),
    (
        re.compile(
            rf"\b(?:existing|prior|previous|traditional|conventional|competing|classical|"
            rf"popular|strong|SOTA|state-of-the-art)\s(?:\S+\s){{0,3}}?"
            rf"(?:methods?|approaches|algorithms?|models?|systems?|techniques|optimizers?|"
            rf"frameworks?|solutions|detectors|baselines){_LIST}\s?\(?$",
            re.I,
        ),
        0.7,
    ),
    (re.compile(r"\b(?:conventional|traditional|naive|the state-of-the-art|state-of-the-art)\s$", re.I), 0.55),
)
_COMPARED_AFTER = re.compile(r"\)?(?:-based|-style)?\s(?:baselines?|counterparts?)\b|\)?\sby\s(?:\$?[\d+]|up to)")
_BUILT = (
    (
        re.compile(
            rf"\b(?:based on|buil(?:t|ds?|ding) (?:up)?on|builds? upon|extend(?:s|ed|ing)?|"
            rf"extensions? (?:of|to)|adapt(?:s|ed|ing)|fine-?tun(?:e|es|ed|ing)|distill?(?:s|"
            rf"ed|ing)?(?: from)?|"
            rf"derived from|inspired by|generali[sz](?:e|es|ing)|variants? of|modif(?:y|ies|"
            rf"ied)|initiali[sz]ed (?:from|with)|on top of|"
            rf"integrated into|incorporated into|plugged into|augment(?:s|ing)|reformulat\w+|"
            rf"rethink(?:s|ing)?|revisit(?:s|ing)?|accelerat(?:e|es|ing)|compress(?:es|ing)?|"
            rf"prun(?:e|ing)|quantiz(?:e|ing)|post-train(?:ing)?|optimiz(?:e|ing))\s{_GAP}$",
            re.I,
        ),
        0.65,
    ),
    (re.compile(r"\b(?:existing|standard|vanilla|original|pre-?trained|current)\s(?:\w+\s)?$", re.I), 0.5),
)
_BUILT_AFTER = re.compile(
    r"\)?\s(?:architectures?|backbones?|family|has emerged|have emerged|has become|"
    r"have become|have shown|has shown|have demonstrated|has demonstrated|"
    r"have achieved|has achieved|suffers?|struggles?|remains?|still)\b"
)
_USED = re.compile(
    r"\b(?:using|with|via|through|leverag\w+|employ\w*|utiliz\w+|use[sd]?|"
    r"integrat(?:es|ing)|combin(?:es|ing|ed)|incorporat\w+|apply(?:ing)?|"
    r"adopt\w*|trained (?:by|with)|powered by|followed by|including|evaluat\w+|"
    r"test(?:ed|ing)?|analy[sz]e\w*|under)\s(?:\S+\s){0,3}?$",
    re.I,
)
_OWN = re.compile(r"\b(?:[Oo]ur|[Pp]roposed|[Tt]his)\s(?:[\w\-]+\s){0,2}$")
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|coined|namely|titled|referred to as|"
    r"abbreviated as|(?:call|name|term|dub))\s[\"“'‘]?(?:the\s)?$"
)
_SHOWN = re.compile(
    r"\b(?:show|demonstrate|find|reveal|verify|validate|confirm|indicate|prove|"
    r"suggest|illustrate)s?\s(?:that\s)(?:the\s|our\s)?$"
)
_SUBJECT = re.compile(
    r"\)?\s(?:also\s|further\s|consistently\s|significantly\s|substantially\s|"
    r"then\s|thus\s|effectively\s|can\s|not only\s)*"
    r"(?:achiev|outperform|surpass|introduc|employ|leverag|integrat|enabl|improv|"
    r"reduc|compris|provid|deliver|attain|yield|consist|learn|combin|adopt|"
    r"exploit|decompos|formulat|incorporat|maintain|match|generat|support|exceed|"
    r"demonstrat|establish|outputs|uses|addresses|allows|offers|operates|treats|"
    r"automatically|dynamically|exhibits|eliminates|preserves|requires|runs|scales|set)\w*\b"
)
_INTRODUCED_AFTER = re.compile(r"\)?\s?[,:—–]\s(?:which|an?|the first|our)\s")
_TITLE_COLON = re.compile(r"(?:\s?\([^()]*\))?\)?\s?[:：—–]\s?")
_LEADS_AWAY = re.compile(
    r"\b(?:on|using|with|via|based|that|for|of|to|in|by|from|which|over|than|into)\b|,\s(?:an?|whose)\s"
)
_TRAINED = re.compile(
    r"\b(?:(?:pre-?|post-?|co-)?train(?:ed|ing|s)?|fine-?tun(?:e|ed|ing|es)|"
    r"learn(?:ed|ing|s)?|distilled|pretraining)\s(?:\S+\s){0,5}?(?:on|with|from|"
    r"using|over)\s(?:the\s|a\s)?(?:\S+\s){0,3}?$",
    re.I,
)
_TRAINING_SET = re.compile(r"\)?\s(?:\S+\s){0,2}?(?:training|pre-?training|fine-tuning|instruction-tuning)\b")


@Language.component("kg_roles")
def tell_roles(doc: Doc) -> Doc:
    """Give each thing of the draft its roles, each with a confidence and the spans that tell it."""
    draft = draft_of(doc)
    around = dict(zip(draft.found, contexts(draft, draft.found), strict=True))
    titled = draft.parts[0].field == "title" if draft.parts else False
    for thing in draft.things:
        seen = [around[found] for found in thing.spans[:_HEARD]]
        said: dict[Role, dict[int, float]] = {}
        for index, context in enumerate(seen):
            for role, confidence in _said(thing, context):
                votes = said.setdefault(role, {})
                votes[index] = max(votes.get(index, 0.0), confidence)
        roles = _settled(thing, said, seen, titled=titled)
        thing.roles = [(role, confidence, tuple(evidence)) for role, confidence, evidence in roles]
    return doc


def _said(thing: Thing, context: Context) -> list[tuple[Role, float]]:
    """Return the roles that one mention's surroundings say, with their confidence."""
    said: list[tuple[Role, float]] = []
    if thing.type in (EntityType.METHOD, EntityType.DATASET, EntityType.METRIC, EntityType.HARDWARE):
        own = _introduced(context, thing)
        if own:
            said.append((Role.PROPOSES, own))
    if thing.type is EntityType.METHOD:
        before = context.before[-160:]
        near = context.near
        compared = [weight for pattern, weight in _COMPARED if pattern.search(before)]
        if compared:
            said.append((Role.COMPARES_TO, max(compared)))
        elif _COMPARED_AFTER.match(context.after) or _COMPARED_AFTER.match(context.own_after):
            said.append((Role.COMPARES_TO, 0.7))
        built = [weight for pattern, weight in _BUILT if pattern.search(before[-90:])]
        if built:
            said.append((Role.BUILDS_ON, max(built)))
        elif _BUILT_AFTER.match(context.own_after):
            said.append((Role.BUILDS_ON, 0.45))
        if _USED.search(near):
            said.append((Role.USES_METHOD, 0.6))
    if thing.type is EntityType.DATASET and (
        _TRAINED.search(context.before[-120:]) or _TRAINING_SET.match(context.own_after)
    ):
        said.append((Role.TRAINS_ON, 0.7))
    return said


def _introduced(context: Context, thing: Thing) -> float:
    """Return how surely a mention says that the paper introduces the thing; 0 where it does not say so."""
    after = context.own_after
    signs = [0.0]
    if context.field == "title" and context.first and _TITLE_COLON.match(after):
        signs.append(0.95)
    if _CALLED.search(context.near):
        signs.append(0.9)
    if _OWN.search(context.near):
        signs.append(0.8)
    cues = list(INTRODUCING.finditer(context.before))
    if cues:
        between = context.before[cues[-1].end() :]
        if len(between) < 12 or (len(between) < 90 and not _LEADS_AWAY.search(between)):
            signs.append(0.92)
        elif len(between) < 120 and between.endswith(", ") and _INTRODUCED_AFTER.match(after):
            signs.append(0.8)
    subject = _SUBJECT.match(after) is not None
    if subject and thing.type is EntityType.METHOD and _SHOWN.search(context.near):
        signs.append(0.7)
    if subject and context.first and context.place > 0.2:
        signs.append(0.65)
    return max(signs)


def _settled(
    thing: Thing, said: dict[Role, dict[int, float]], seen: Sequence[Context], *, titled: bool
) -> list[tuple[Role, float, list[int]]]:
    """Decide on the roles that stand, from what the mentions say."""
    told = {role: (max(votes.values()), sorted(votes, key=lambda i: (-votes[i], i))) for role, votes in said.items()}
    everywhere = list(range(len(thing.spans)))
    match thing.type:
        case EntityType.HARDWARE:
            if Role.PROPOSES in told and told[Role.PROPOSES][0] > 0.85:
                return [(Role.PROPOSES, *told[Role.PROPOSES])]
            return [(Role.RUNS_ON, 0.8, everywhere)]
        case EntityType.TASK:
            return [(Role.ADDRESSES, 0.7, everywhere)]
        case EntityType.METRIC:
            roles: list[tuple[Role, float, list[int]]] = [(Role.MEASURES, 0.8, everywhere)]
            if Role.PROPOSES in told and told[Role.PROPOSES][0] > 0.85:
                roles.insert(0, (Role.PROPOSES, *told[Role.PROPOSES]))
            return roles
        case EntityType.DATASET:
            return _of_dataset(told, everywhere)
    return _of_method(told, seen, everywhere, titled=titled)


def _of_dataset(
    told: dict[Role, tuple[float, list[int]]], everywhere: list[int]
) -> list[tuple[Role, float, list[int]]]:
    roles: list[tuple[Role, float, list[int]]] = []
    if Role.PROPOSES in told:
        roles.append((Role.PROPOSES, *told[Role.PROPOSES]))
    if Role.TRAINS_ON in told:
        roles.append((Role.TRAINS_ON, *told[Role.TRAINS_ON]))
    if Role.TRAINS_ON not in told or len(everywhere) > len(told[Role.TRAINS_ON][1]):
        roles.append((Role.EVALUATES_ON, 0.6 if roles else 0.75, everywhere))
    return roles


def _of_method(
    told: dict[Role, tuple[float, list[int]]], seen: Sequence[Context], everywhere: list[int], *, titled: bool
) -> list[tuple[Role, float, list[int]]]:
    if Role.PROPOSES in told and (told[Role.PROPOSES][0] >= 0.8 or not told.keys() - {Role.PROPOSES}):
        return [(Role.PROPOSES, *told[Role.PROPOSES])]
    choices: tuple[Role, ...] = (Role.COMPARES_TO, Role.BUILDS_ON)
    roles = [(role, *told[role]) for role in choices if role in told]
    if roles:
        return sorted(roles, key=lambda one: -one[1])[:1]
    if Role.USES_METHOD in told:
        return [(Role.USES_METHOD, *told[Role.USES_METHOD])]
    if titled and any(context.field == "title" for context in seen):
        return [(Role.BUILDS_ON, 0.4, everywhere)]
    return [(Role.USES_METHOD, 0.4, everywhere)]
