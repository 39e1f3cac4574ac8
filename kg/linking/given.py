"""Telling the roles of names that are given, as if the pipeline had found exactly these.

So it can be measured how well roles are told, apart from how well names are found.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.linking.draft import Found, Thing, draft_of, make_doc
from kg.linking.parallel import batches
from kg.linking.pipeline import BATCH, DEFAULT, make_pipeline
from kg.model import RoleClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from spacy.language import Language

    from kg.linking.draft import Draft
    from kg.model import Entity, Mention, PaperRecord

__all__ = ["GIVEN", "give", "tell_roles_of"]

GIVEN = "given"
"""The finder of a span that was given, and is therefore certain."""


def tell_roles_of(
    records: Iterable[PaperRecord], *, catalogue_files: Sequence[Path] = (), pipeline: str = DEFAULT
) -> Iterator[PaperRecord]:
    """Yield each record with the roles that the pipeline tells of its mentions and entities in place of its own.

    What lies wholly inside markup, and an entity none of whose mentions lies elsewhere, has no role.

    Raises:
        CatalogueError: a catalogue file does not hold known things.
        UsageError: no pipeline has that name.
    """
    nlp = make_pipeline(catalogue_files, name=pipeline)
    for batch in batches(records, BATCH):
        with nlp.memory_zone():
            told = [_told(record, nlp) for record in batch]
        yield from told


def give(draft: Draft, record: PaperRecord) -> list[tuple[Entity, list[int]]]:
    """Put the names of a record in the place of what its paper's draft has found.

    Returns the entities that became things, in the order of these, each with the indices of its mentions.
    """
    spans = {index: span for index, one in enumerate(record.mentions) if (span := _span(draft, one)) is not None}
    mine = [(one, [i for i in spans if record.mentions[i].entity == one.id]) for one in record.entities]
    given = [(one, mentions) for one, mentions in mine if mentions]
    draft.found = sorted(set(spans.values()), key=lambda span: (span.start, span.end))
    draft.things = [
        Thing(one.name, one.aliases, one.type, [spans[i] for i in mentions], one.catalogue) for one, mentions in given
    ]
    return given


def _told(record: PaperRecord, nlp: Language) -> PaperRecord:
    """Run the pipeline over the paper, but put the given names in the place of those found before roles are told."""
    doc = make_doc(record.paper, nlp)
    *finding, (_, telling) = nlp.pipeline
    for _, component in finding:
        doc = component(doc)
    given = give(draft_of(doc), record)
    roles = [
        RoleClaim(role, one.id, round(confidence, 3), tuple(mentions[i] for i in evidence))
        for (one, mentions), thing in zip(given, draft_of(telling(doc)).things, strict=True)
        for role, confidence, evidence in thing.roles
    ]
    return replace(record, roles=tuple(roles))


def _span(draft: Draft, mention: Mention) -> Found | None:
    """Return the span of a mention in the plain text; None where nothing of it is left there."""
    part = next(part for part in draft.parts if part.field == mention.field)
    start, end = (part.begin + bisect_left(part.plain.offsets, place) for place in (mention.start, mention.end))
    return Found(start, end, mention.type, 1.0, GIVEN) if start < min(end, part.end) else None
