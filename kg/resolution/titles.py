"""A readable title for every paper, also for one that has none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.model import Role
from kg.names import bare
from kg.resolution.forms import coined
from kg.text.markup import plain

if TYPE_CHECKING:
    from kg.model import PaperRecord

__all__ = ["readable_title"]

_WORDS = 10
_LONGEST = 120
_SURE = 0.7


def readable_title(record: PaperRecord) -> str:
    """Return the paper's title as plain text, else the name of what it proposes, else its first words.

    Of several proposals a coined name comes first, then the one spoken of most, then the one that is
    named first.
    """
    title = " ".join(plain(record.paper.title).text.split())
    return title or _proposed(record) or _first_words(record) or record.paper.key


def _proposed(record: PaperRecord) -> str:
    first = {mention.entity: number for number, mention in reversed(list(enumerate(record.mentions)))}
    spoken = Counter(mention.entity for mention in record.mentions)
    names = {entity.id: bare(entity.name) for entity in record.entities}
    known = {entity.id for entity in record.entities if entity.catalogue is not None}
    # What is known beforehand names the paper that proposed it, but most papers only speak of it.
    claims = [
        claim
        for claim in record.roles
        if claim.role == Role.PROPOSES
        and names.get(claim.entity)
        and (claim.entity not in known or claim.confidence >= _SURE)
    ]
    if not claims:
        return ""
    best = min(
        claims,
        key=lambda claim: (
            not coined(names[claim.entity]),
            -spoken[claim.entity],
            first.get(claim.entity, len(record.mentions)),
            names[claim.entity],
        ),
    )
    return names[best.entity]


def _first_words(record: PaperRecord) -> str:
    for _, text in record.paper.fields():
        words = plain(text).text.split()
        if words:
            start = " ".join(words[:_WORDS])
            if len(start) > _LONGEST:
                cut = start[:_LONGEST]
                return cut[: cut.rfind(" ")] + "…" if " " in cut else cut + "…"
            return start.rstrip(".,;: ") + "…" if len(words) > _WORDS else start
    return ""
