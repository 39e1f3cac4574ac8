"""The spaCy pipeline that turns one paper into its record, and what turns a draft into a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import spacy

from kg.errors import UsageError

# Importing a component's module registers its factory with spaCy.
from kg.linking import coreference, entities, gazetteer, introductions, learned, patterns, roles, selection, shapes  # noqa: F401 - registers
from kg.linking.draft import draft_of, make_doc
from kg.model import Entity, Mention, PaperRecord, RoleClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from spacy.language import Language

    from kg.linking.draft import Draft
    from kg.model import Paper

__all__ = ["BATCH", "DEFAULT", "PIPELINES", "components_of", "make_pipeline", "record_of", "records_of"]

BATCH = 128
"""How many papers share what spaCy interns before it is freed: enough to profit, few enough to bound memory."""


_FINDERS = ("kg_gazetteer", "kg_patterns", "kg_shapes", "kg_introductions", "kg_abbreviations")
_LEARNED = (*_FINDERS, "kg_tagger", "kg_forms", "kg_coreference", "kg_linker", "kg_learned_roles")

PIPELINES: Mapping[str, tuple[str, ...]] = {
    "accurate": _LEARNED,
    "fast": _LEARNED,
    "rules": (*_FINDERS, "kg_propagation", "kg_linker", "kg_roles"),
}
"""The components by the pipeline's name, in their order: finders, what settles their spans, linking, roles.

In the first two a learned model settles spans and tells roles, the rules being hints to it: a larger model in the
accurate one, which is the default, and a smaller one in the fast one. In the last, rules do all.
"""

DEFAULT = "accurate"


def components_of(name: str) -> tuple[str, ...]:
    """Return the components of the pipeline of a name.

    Raises:
        UsageError: no pipeline has that name.
    """
    if name not in PIPELINES:
        raise UsageError(f"no pipeline is called {name!r}; there are {', '.join(PIPELINES)}")
    return PIPELINES[name]


def make_pipeline(catalogue_files: Sequence[Path] = (), *, name: str = DEFAULT) -> Language:
    """Return the pipeline of a name of `PIPELINES`.

    Raises:
        CatalogueError: a catalogue file does not hold known things.
        UsageError: no pipeline has that name.
    """
    components = components_of(name)
    nlp = spacy.blank("en")
    # A Doc is only a carrier here, no model of spaCy's reads it, so its length needs no bound.
    nlp.max_length = 2**31
    configs: dict[str, dict[str, Any]] = {
        "kg_gazetteer": {"catalogue_files": [str(file) for file in catalogue_files]},
        "kg_tagger": {"model": name},
    }
    for component in components:
        nlp.add_pipe(component, config=configs.get(component, {}))
    return nlp


def records_of(papers: Iterable[Paper], nlp: Language) -> list[PaperRecord]:
    """Return the record of each paper: a function of the paper and the pipeline alone.

    What spaCy interns on the way is freed at the end, so call it for batches, not for a whole corpus at once.
    """
    with nlp.memory_zone():
        return [_record_of(paper, nlp) for paper in papers]


def _record_of(paper: Paper, nlp: Language) -> PaperRecord:
    doc = make_doc(paper, nlp)
    for _, component in nlp.pipeline:
        doc = component(doc)
    return record_of(paper, draft_of(doc))


def record_of(paper: Paper, draft: Draft) -> PaperRecord:
    """Return the record that a finished draft makes."""
    found_entities: list[Entity] = []
    mentions: list[Mention] = []
    places: dict[tuple[int, int], int] = {}
    for number, thing in enumerate(draft.things, start=1):
        found_entities.append(Entity(f"e{number}", thing.type, thing.name, thing.aliases, thing.catalogue))
        for index, span in enumerate(thing.spans):
            places[number, index] = len(mentions)
            where = draft.source_span(span.start, span.end)
            mentions.append(Mention(*where, thing.type, f"e{number}", round(span.weight, 3)))
    fields = {name: index for index, (name, _) in enumerate(paper.fields())}
    order = sorted(
        range(len(mentions)), key=lambda i: (fields[mentions[i].field], mentions[i].start, mentions[i].end, i)
    )
    position = {old: new for new, old in enumerate(order)}
    claims = [
        RoleClaim(role, f"e{number}", round(confidence, 3), tuple(position[places[number, i]] for i in evidence))
        for number, thing in enumerate(draft.things, start=1)
        for role, confidence, evidence in thing.roles
    ]
    return PaperRecord(paper, tuple(mentions[i] for i in order), tuple(found_entities), tuple(claims))
