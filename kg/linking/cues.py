"""The cues: what the words around a name say of its part in the paper, and how often they are right.

The confidence of a cue is the share of things that play the role among those whose most telling cue it is, counted on
the annotated papers of the training set with their annotated names; ``training/cues.py`` prints the counts. Each
pattern looks at a bounded stretch of text, so the time is linear in the length of a paper.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.linking.introductions import INTRODUCING
from kg.model import EntityType, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kg.linking.contexts import Context

__all__ = ["CUES", "Cue", "Votes", "nats", "votes"]

Votes = dict[Role, dict[int, float]]
"""By role, the mentions that have a cue of it, as indices, each with the confidence of its most telling one."""

_REACH = 160
"""How far before a mention, or its list, a cue is looked for."""
_OPENING = 0.15
"""Sentences up to this part of a field open it."""
_TOPIC = 0.55
"""How often a method is built on that the title names after its first words and the abstract begins with."""
_BASE = {Role.PROPOSES: 0.3, Role.BUILDS_ON: 0.18, Role.COMPARES_TO: 0.16, Role.TRAINS_ON: 0.19, Role.USES_METHOD: 0.4}
"""How often each role is played by the things that can play it."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What has to stand around a mention, and how often its thing then plays the role.

    The first of each pair in `around` is a field of the mention's context: `before` and `after` are those of the list
    that it stands in, `near` and `own_after` its own, `name` its text. Patterns of what stands before end where that
    ends, the others begin where it begins. Where `field` is given, the cue counts in that field of the paper alone.
    """

    role: Role
    confidence: float
    around: tuple[tuple[str, re.Pattern[str]], ...]
    field: str | None = None

    def __call__(self, context: Context) -> bool:
        """Tell whether the cue holds of a mention."""
        return self.field in (None, context.field) and all(_holds(context, *one) for one in self.around)


def _holds(context: Context, side: str, pattern: re.Pattern[str]) -> bool:
    text: str = getattr(context, side)
    if side in ("before", "near"):
        return pattern.search(text, max(0, len(text) - _REACH)) is not None
    return pattern.match(text) is not None


def votes(kind: EntityType, mentions: Sequence[Context]) -> Votes:
    """Return what the cues around the mentions of a thing say of it."""
    said: Votes = {}
    for cue in CUES[kind]:
        heard = said.setdefault(cue.role, {})
        for index, context in enumerate(mentions):
            if index not in heard and cue(context):
                heard[index] = cue.confidence
    if kind is EntityType.METHOD and any(one.field != "title" and one.place < _OPENING for one in mentions):
        for index, context in enumerate(mentions):
            if context.field == "title" and not context.first:
                said[Role.BUILDS_ON][index] = max(_TOPIC, said[Role.BUILDS_ON].get(index, 0.0))
    return {role: heard for role, heard in said.items() if heard}


def nats(role: Role, confidence: float) -> float:
    """Return by how much a cue of some confidence raises the log-odds that a thing plays a role.

    >>> round(nats(Role.TRAINS_ON, 0.91), 2)
    3.76
    """
    return _log_odds(confidence) - _log_odds(_BASE[role])


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def _cue(role: Role, confidence: float, *, field: str | None = None, case: bool = False, **around: str) -> Cue:
    flags = 0 if case else re.IGNORECASE
    return Cue(role, confidence, tuple((side, re.compile(one, flags)) for side, one in around.items()), field)


_ARTICLE = r"(?:the\s|an?\s)?"
_NEXT = (
    r"\s(?:(?:the|an?|all|both|several|strong|existing|prior|previous|standard|vanilla|original|recent|"
    r"state-of-the-art|SOTA|[\w.]+-[\w.]+)\s){0,3}$"
)
_WITHIN_FOUR = r"\s(?:\S+\s){0,4}?$"
_CLOSED = r"[)\"”’'*]{0,3}"

_WINS = (
    r"outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?|superior to|on par with|competitive with|"
    r"improv\w+ (?:over|upon)|than|versus|vs\.?|comparable (?:to|with)|alternatives? to"
)
_COMPARED = (
    _cue(
        Role.COMPARES_TO,
        0.93,
        before=rf"\b(?:{_WINS}|compared (?:to|with)|(?:match|rival|replac|supersed|dominat)\w*|against|over){_NEXT}",
    ),
    _cue(Role.COMPARES_TO, 0.88, before=rf"\b(?:{_WINS}){_WITHIN_FOUR}"),
    _cue(Role.COMPARES_TO, 0.75, own_after=rf"{_CLOSED}\sby\s(?:(?:up to|over)\s)?[$~≈+]{{0,2}}\d"),
    _cue(
        Role.COMPARES_TO, 0.65, after=rf"{_CLOSED}(?:-based|-style)?\s(?:(?!as\b)\S+\s)?(?:baselines?|counterparts?)\b"
    ),
    _cue(Role.COMPARES_TO, 0.65, own_after=rf"{_CLOSED}(?:-based|-style)?\s(?:baselines?|counterparts?)\b"),
    _cue(
        Role.COMPARES_TO,
        0.69,
        before=r"\b(?:methods?|approaches|algorithms?|techniques|solutions|frameworks|systems|works|optimizers?|"
        r"baselines?|detectors)(?:,?\s\(?(?:such as|like|including|e\.g\.,?|namely|i\.e\.,?)\s|\s\(|:\s)(?:the\s)?$",
    ),
    _cue(
        Role.COMPARES_TO,
        0.67,
        near=r"\b(?:traditional|conventional|state-of-the-art|SOTA|standard|vanilla|original|naive|unlike|"
        r"in contrast to|contrary to)\s$",
    ),
    _cue(
        Role.COMPARES_TO,
        0.58,
        before=rf"\b(?:compared (?:to|with)|against|over|replac\w+|leading|proprietary|commercial){_WITHIN_FOUR}",
    ),
    _cue(Role.COMPARES_TO, 0.48, after=rf"{_CLOSED}-?(?:based|style)?\s(?:methods|approaches)\b"),
)

_BUILT = (
    _cue(
        Role.BUILDS_ON,
        0.89,
        near=r"\b(?:fine-?tun(?:e|es|ed|ing)|adapt(?:s|ed|ing)?|adaptations? of|modif(?:y|ies|ied)|enhanced|improved|"
        r"improv(?:e|es|ing)|enhanc(?:e|es|ing)|boost(?:s|ing)?|accelerat(?:e|es|ed|ing)|speed(?:s|ing)? up|"
        r"reformulat\w+|rethink\w*|revisit\w*|distill?(?:s|ed|ing)?(?: from)?|prun(?:e|ing)|compress(?:es|ing)?|"
        rf"generali[sz](?:e|es|ing)|inspired by|recently,?|advances in|success of)\s{_ARTICLE}$",
    ),
    _cue(
        Role.BUILDS_ON,
        0.84,
        field="title",
        near=r"\b(?:for|improv\w+|accelerating|training|adapting|efficient|lightweight)\s(?:the\s)?$",
    ),
    _cue(Role.BUILDS_ON, 0.82, field="title", own_after=rf"{_CLOSED}(?:-(?:based|style)|\smodels?)\b"),
    _cue(
        Role.BUILDS_ON,
        0.8,
        after=rf"{_CLOSED}\s(?:has|have)\s(?:recently\s|also\s)?(?:emerged|become|shown|demonstrated|achieved|"
        r"revolutioni[sz]ed|gained|made|enabled|attracted)\b",
    ),
    _cue(
        Role.BUILDS_ON,
        0.7,
        near=r"\b(?:extend(?:s|ed|ing)?|extensions? (?:of|to)|buil(?:t|ds?|ding) (?:up)?on|builds? upon|on top of|"
        rf"derived from|existing|current|standard|vanilla|original|pre-?trained)\s{_ARTICLE}$",
    ),
    _cue(
        Role.BUILDS_ON,
        0.52,
        before=r"\b(?:we (?:\w+ )?fine-?tun(?:e|ed)|adapt(?:s|ed|ing)?|accelerat(?:e|es|ed|ing)|extend(?:s|ed|ing)?|"
        rf"distill?(?:s|ed|ing)?){_WITHIN_FOUR}",
    ),
    _cue(
        Role.BUILDS_ON,
        0.51,
        near=r"\b(?:based (?:up)?on|(?:integrat|incorporat|plugg|insert)\w* (?:in)?to|within|"
        rf"(?:apply|applied|applies|applying|generali\w+|scal\w+) to)\s{_ARTICLE}$",
    ),
    _cue(Role.BUILDS_ON, 0.42, own_after=rf"{_CLOSED}\s(?:architectures?|backbones?|family)\b"),
    _cue(Role.BUILDS_ON, 0.35, own_after=rf"{_CLOSED}-based\b"),
)

_USED = _cue(
    Role.USES_METHOD,
    0.62,
    near=r"\b(?:using|with|via|through|leverag\w+|employ\w*|utiliz\w+|use[sd]?|integrat(?:es|ing)|combin(?:es|ing|ed)|"
    r"incorporat\w+|apply(?:ing)?|adopt\w*|trained (?:by|with)|powered by|followed by|including|evaluat\w+|"
    r"test(?:ed|ing)?|analy[sz]e\w*|under)\s(?:\S+\s){0,3}?$",
)

_TRAIN = (
    r"(?:(?:(?:pre|post|co|re)?-?train|pretrain)(?:ed|ing|s)?|fine-?tun(?:e|ed|ing|es)|learn(?:ed|ing|s)?|distilled)"
)
_TRAINING = r"(?:(?:pre-?)?training|instruction(?:[- ](?:tuning|following))?|fine-?tuning|preference|SFT|CoT)"
_SETS = r"(?:data|datasets?|corpus|corpora|sets?|resource)"
_TRAINED = (
    _cue(
        Role.TRAINS_ON,
        0.97,
        own_after=rf"{_CLOSED}(?:\s(?:\S+\s){{0,2}}?(?:pre-?training|training|fine-tuning|instruction-tuning)|"
        r"-(?:pre-?)?trained)\b",
    ),
    _cue(Role.TRAINS_ON, 0.97, before=rf"\b{_TRAINING}\s(?:\w+\s)?{_SETS}\b.{{0,30}}$"),
    _cue(
        Role.TRAINS_ON,
        0.91,
        before=rf"\b{_TRAIN}\s(?:\S+\s){{0,5}}?(?:on|with|from|using|over)\s{_ARTICLE}(?:\S+\s){{0,3}}?$",
    ),
    _cue(
        Role.TRAINS_ON,
        0.8,
        case=True,
        name=r".*(?:\b(?:SFT|RL|Train|Training|CoT|Pretrain|DPO|Preference|Instruct|Tuning)\b|Instruct$|Train$)",
    ),
    _cue(Role.TRAINS_ON, 0.6, own_after=rf"{_CLOSED}.{{0,60}}?\b{_TRAINING}\s(?:\w+\s)?{_SETS}\b"),
    _cue(
        Role.TRAINS_ON,
        0.56,
        before=rf"\b{_TRAIN}\s(?:[^\s,;]+\s){{0,12}}?(?:on|with|from|using|over|including)[:\s]\s?(?:[^\s;]+\s){{0,8}}?$",
    ),
    _cue(Role.TRAINS_ON, 0.56, before=rf"\b(?:to|for)\s(?:\S+\s){{0,4}}?{_TRAIN}\b.{{0,90}}$"),
    _cue(
        Role.TRAINS_ON,
        0.5,
        own_after=rf"{_CLOSED}.{{0,120}}?\b(?:for|to|as|enables?|supports?|facilitates?)\s(?:\S+\s){{0,3}}?"
        r"(?:pre-?train\w*|train\w*|fine-?tun\w*|instruction[- ]tuning|SFT)\b",
    ),
)

_LEADS_AWAY = r"(?:\b(?:on|using|with|via|based|that|for|of|to|in|by|from|which|over|than|into)\b|,\s(?:an?|whose)\s)"
_WE = INTRODUCING.pattern
_OWN = (
    # Never wrong where it was counted, nor of things that many other papers name: "We train GPT-3, an autoregressive …"
    _cue(
        Role.PROPOSES,
        0.999,
        before=rf"(?:{_WE}|\b(?:we|paper)\s(?:also\s)?(?:(?:pre-?)?train|release|scale up|study|describe|report))\s"
        r"(?:(?:the|our)\s)?[\"“'‘]?$",
        own_after=r"[\"”’']?(?:\s?\([^()]*\))?\)?(?:,|\s[—–-]|:)\s(?:an?|the|our|which)\b",
    ),
    _cue(Role.PROPOSES, 0.99, before=rf"{_WE}\s(?:(?:the|our|new|novel)\s)?[\"“'‘]?$", own_after=r"(?!-\w)"),
    _cue(
        Role.PROPOSES,
        0.98,
        field="title",
        before=r"^(?:\[[^\]]{1,12}\]\s)?$",
        own_after=r"(?:\s?\([^()]*\))?\)?\s?[:：—–]\s?",
    ),
    _cue(Role.PROPOSES, 0.95, before=rf"{_WE}.{{0,116}},\s$", own_after=r"\)?\s?[,:—–]\s(?:which|an?|the first|our)\s"),
    _cue(
        Role.PROPOSES,
        0.9,
        near=r"\b(?:called|named|dubbed|termed|coined|namely|titled|referred to as|abbreviated as|"
        r"(?:call|name|term|dub))\s[\"“'‘]?(?:the\s)?$",
    ),
    _cue(Role.PROPOSES, 0.91, before=r"^(?:Specifically|Technically|Concretely|In particular),\s(?:the\s)?$"),
    _cue(Role.PROPOSES, 0.76, before=rf"{_WE}\s[^,]{{0,11}}$"),
    _cue(
        Role.PROPOSES,
        0.74,
        own_after=rf"{_CLOSED},\s(?:an?\s(?:novel|new|unified|lightweight|large-scale|simple|framework|benchmark|"
        r"dataset)|the first)\b",
    ),
    _cue(Role.PROPOSES, 0.65, before=rf"{_WE}(?:(?!{_LEADS_AWAY}).){{0,90}}$"),
    _cue(Role.PROPOSES, 0.52, near=r"\b(?:our|proposed|this)\s(?:[\w\-]+\s){0,2}$"),
    _cue(
        Role.PROPOSES,
        0.34,
        near=r"\b(?:show|demonstrate|find|reveal|verify|validate|confirm|indicate|prove|suggest|illustrate)s?\sthat\s"
        r"(?:the\s|our\s)?$",
    ),
)

_BY_TYPE = {
    EntityType.METHOD: (*_OWN, *_COMPARED, *_BUILT, _USED),
    EntityType.DATASET: (*_OWN, *_TRAINED),
    EntityType.HARDWARE: _OWN,
    EntityType.METRIC: _OWN,
    EntityType.TASK: (),
}
CUES: Mapping[EntityType, tuple[Cue, ...]] = {
    kind: tuple(sorted(cues, key=lambda cue: -cue.confidence)) for kind, cues in _BY_TYPE.items()
}
"""The cues of what each type can be, the most telling first."""
