"""The learned tagger in the pipeline: it settles which spans stand and of what type, and tells the roles.

What the finders before it have found are hints, each worth a bonus in nats to the labels of its span, chosen on
held-out papers. One pass of the encoder serves both components: the reading stays with the Doc until it is known
which spans name one thing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from spacy.language import Language

from kg.linking.cues import nats
from kg.linking.draft import Found, draft_of
from kg.linking.gazetteer import OWN
from kg.linking.roles import HEARD, hear_cues
from kg.linking.selection import is_generic, select
from kg.linking.tagger import Hint, Line, shipped_tagger
from kg.linking.types import LEARNED
from kg.model import EntityType, Role

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from kg.linking.draft import Draft, Thing
    from kg.linking.tagger import Reading, Settings, Tagger

__all__ = ["LearnedFinder", "keep", "read", "settle", "tell_learned_roles"]

_READING = "kg.reading"
_LEADING = re.compile(r"(?:and|or|of|for|with|in|on|to|an?|via|by)\s+")
_TRAILING = re.compile(r"\s+(?:and|or|of|the|for|with|in|on|to|an?|via|by)$")
_STOPS = ".,;:!?/-–—"
_CERTAIN = 20.0
"""Nats that outweigh anything the model could say."""


class LearnedFinder:
    """The component that reads the paper with the model and settles which spans stand."""

    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger

    def __call__(self, doc: Doc) -> Doc:
        """Put the tagger's spans in the place of the hints in the Doc's draft."""
        settle(doc, read(draft_of(doc), self.tagger))
        return doc


def read(draft: Draft, tagger: Tagger) -> Reading:
    """Run the model over the fields of a paper."""
    titled = bool(draft.parts) and draft.parts[0].field == "title"
    return tagger.read([draft.text[part.begin : part.end] for part in draft.parts], titled=titled)


def settle(doc: Doc, reading: Reading) -> None:
    """Replace the spans in the Doc's draft, which become hints, by those that stand; keep the reading for the roles."""
    draft = draft_of(doc)
    ruled = select(found for found in draft.found if not is_generic(draft.surface(found)))
    hints = [Hint(*_place(draft, found), found.type, _bonus(found, reading.settings)) for found in ruled]
    joined = {(found.start, found.end): found.parts for found in ruled if found.parts}
    defined = {short for _, short in draft.same}
    draft.found = []
    for span in reading.spans(hint for hint in hints if hint.bonus):
        begin = draft.parts[span.field].begin
        first, last = begin + span.start, begin + span.end
        start, end = _trimmed(draft.text, first, min(last, draft.sentence(first)[1]))
        surface = draft.text[start:end]
        if surface and not draft.in_url(start, end) and (surface in defined or not is_generic(surface)):
            parts = joined.get((start, end), ())
            draft.found.append(Found(start, end, EntityType(span.type), span.probability, LEARNED, parts))
    keep(doc, reading)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span to its first bracket that has no other, without the function words and stops at its ends.

    None of these is part of a name: in "semi-global matching (SGM) stereo", SGM is one, "SGM) stereo" is none.
    """
    end = _within_brackets(text, start, end)
    end = start + len(text[start:end].rstrip().rstrip(_STOPS))
    while leading := _LEADING.match(text, start, end):
        start = leading.end()
    while trailing := _TRAILING.search(text[start:end]):
        end = start + trailing.start()
    return start, end


def _within_brackets(text: str, start: int, end: int) -> int:
    """Return where the part of a span ends before which every bracket has its other one."""
    open_since: list[int] = []
    for at in range(start, end):
        if text[at] == "(":
            open_since.append(at)
        elif text[at] == ")":
            if not open_since:
                end = at
                break
            open_since.pop()
    return start + len(text[start : open_since[0] if open_since else end].rstrip())


def keep(doc: Doc, reading: Reading) -> None:
    """Keep a reading with its Doc, for the roles."""
    doc.user_data[_READING] = reading


def _bonus(found: Found, settings: Settings) -> float:
    if found.finder == OWN:
        return _CERTAIN
    typed = f"{found.finder}:{found.type.value}" if found.type else found.finder
    return settings.hints.get(typed, settings.hints.get(found.finder, 0.0))


def _place(draft: Draft, found: Found) -> tuple[int, int, int]:
    part = draft.part_of(found.start)
    return draft.parts.index(part), found.start - part.begin, found.end - part.begin


@Language.component("kg_learned_roles")
def tell_learned_roles(doc: Doc) -> Doc:
    """Give each thing of the draft the roles that the model holds likely, the mention that tells most first.

    What the most telling cue in the text says of a role is added to its log-odds, with the weight of the settings.
    """
    draft = draft_of(doc)
    reading = cast("Reading", doc.user_data[_READING])
    for thing, _ in hear_cues(doc):
        thing.roles = _roles(draft, reading, thing)
    return doc


def _roles(draft: Draft, reading: Reading, thing: Thing) -> list[tuple[Role, float, tuple[int, ...]]]:
    places = [_place(draft, found) for found in thing.spans[:HEARD]]
    named = max(found.weight for found in thing.spans)
    gains = {role.value: nats(role, confidence) for role, confidence in thing.cues.items()}
    told = {}
    for role, likely in reading.roles(places, thing.type.value).items():
        gain = reading.settings.cues.get(role, 0.0) * gains.get(role, 0.0)
        confidence = named * Line(shift=gain)(likely)
        if confidence >= reading.settings.threshold(role):
            told[role] = confidence
    # What each mention says alone only orders the evidence, so it is asked where there is a role to support.
    alone = [reading.roles([place], thing.type.value) for place in places] if told else []
    return [
        (Role(role), confidence, tuple(sorted(range(len(places)), key=lambda i: (-alone[i][role], i))))
        for role, confidence in told.items()
    ]


@Language.factory("kg_tagger", default_config={"model": "accurate"})
def _make_tagger(nlp: Language, name: str, model: str) -> LearnedFinder:
    return LearnedFinder(shipped_tagger(model))
