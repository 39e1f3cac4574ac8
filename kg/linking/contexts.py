"""What stands around a mention in its sentence, with lists read as one: in “over A, B and C” each follows “over”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.linking.draft import Draft, Found

__all__ = ["Context", "contexts"]

_COORDINATION = re.compile(
    r"\)?['’s]*(?:-(?:based|style))?(?:\s(?:models?|datasets?|benchmarks?))?(?:\s\([^()]{1,60}\))?"
    r"[\s,;/+&(]*(?:(?:\b(?:and|or|as well as|vs\.?)|(?<=,\s))\s?(?:on\s)?)?(?:(?:the|then|even|its|both)\s)?\(?"
)
_WINDOW = 300
"""How far a context reaches within its sentence."""


@dataclass(frozen=True, slots=True)
class Context:
    """The words before and after a mention, or the list it stands in, within the sentence.

    `before` and `after` are those of the list; `near` and `own_after` are what stands right before and after the
    mention itself, `name`.
    `place` is where the sentence stands in its field: 0 for the first, 1 for the last.
    """

    field: str
    before: str
    after: str
    near: str
    own_after: str
    place: float
    first: bool
    """Whether the mention, or its list, opens the sentence."""
    name: str


def contexts(draft: Draft, spans: Sequence[Found]) -> list[Context]:
    """Return the context of each of the spans, which are sorted and do not overlap."""
    found: list[Context] = []
    for group in _lists(draft, spans):
        start, end = group[0].start, group[-1].end
        begin, stop = draft.sentence(start)
        part = draft.part_of(start)
        stop = min(stop, part.end)
        before, after = draft.text[max(begin, start - _WINDOW) : start], draft.text[end : min(stop, end + _WINDOW)]
        first = start - begin < _WINDOW and not before.strip()
        for span in group:
            found.append(
                Context(
                    field=part.field,
                    before=before,
                    after=after,
                    near=draft.text[max(begin, span.start - 60) : span.start],
                    own_after=draft.text[span.end : min(stop, span.end + _WINDOW)],
                    place=draft.progress(start),
                    first=first,
                    name=draft.surface(span),
                )
            )
    return found


def _lists(draft: Draft, spans: Sequence[Found]) -> list[list[Found]]:
    """Group neighbours that one list coordinates."""
    groups: list[list[Found]] = []
    for span in spans:
        if groups:
            last = groups[-1][-1]
            between = draft.text[last.end : span.start]
            near = len(between) < 80 and draft.sentence(last.start) == draft.sentence(span.start)
            if near and _COORDINATION.fullmatch(between):
                groups[-1].append(span)
                continue
        groups.append([span])
    return groups
