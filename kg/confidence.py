"""Moving along the curve of precision and recall: what is less sure than asked for is left out of a record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.model import PaperRecord

__all__ = ["at_least", "check_confidence"]


def check_confidence(confidence: float) -> None:
    """Demand that a least confidence is one.

    Raises:
        UsageError: it is not in [0, 1].
    """
    if not 0 <= confidence <= 1:
        raise UsageError(f"a least confidence lies between 0 and 1, not {confidence}")


def at_least(record: PaperRecord, confidence: float) -> PaperRecord:
    """Return the record without what is less confident than `confidence`, in [0, 1]; 0 leaves all of it.

    Mentions that are less confident go; with them the entities that none of their mentions is left of, and then the
    roles that are less confident, are those of an entity that went, or have none of their evidence left.

    Raises:
        UsageError: `confidence` is not in [0, 1].

    >>> from kg.model import Entity, EntityType, Mention, Paper, PaperRecord
    >>> x, y = Mention("title", 3, 4, EntityType.METHOD, "x", 0.6), Mention("title", 9, 10, EntityType.TASK, "y", 0.9)
    >>> entities = Entity("x", EntityType.METHOD, "X"), Entity("y", EntityType.TASK, "Y")
    >>> record = PaperRecord(Paper(key="text:1", id="1", title="On X for Y"), (x, y), entities)
    >>> [entity.name for entity in at_least(record, 0.7).entities]
    ['Y']
    """
    check_confidence(confidence)
    kept = [index for index, mention in enumerate(record.mentions) if mention.confidence >= confidence]
    if len(kept) == len(record.mentions) and all(claim.confidence >= confidence for claim in record.roles):
        return record
    place = {old: new for new, old in enumerate(kept)}
    mentions = tuple(record.mentions[index] for index in kept)
    gone = {mention.entity for mention in record.mentions} - {mention.entity for mention in mentions}
    roles = [
        replace(claim, evidence=tuple(place[index] for index in claim.evidence if index in place))
        for claim in record.roles
        if claim.confidence >= confidence
        and claim.entity not in gone
        and (not claim.evidence or any(index in place for index in claim.evidence))
    ]
    entities = tuple(entity for entity in record.entities if entity.id not in gone)
    return replace(record, mentions=mentions, entities=entities, roles=tuple(roles))
