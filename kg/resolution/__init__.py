"""From PaperRecords to one graph: a pure function of the set of records, the catalogue and the corrections.

What the records call things is brought together here: which entities of which papers are one node (`identity`),
what each node is a version of (`families`), what it is called (`nodes`), and which words say so (`assertions`).
A user's corrections are honoured on the way (`correcting`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import KnowledgeGraph
from kg.resolution.assertions import assertions
from kg.resolution.correcting import correct_identity, correct_records, effects, shown_as
from kg.resolution.identity import REASONS, identify
from kg.resolution.nodes import make_nodes
from kg.resolution.papers import one_record_per_paper
from kg.resolution.titles import readable_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.catalogue import Catalogue
    from kg.corrections import Correction, Effect
    from kg.model import PaperRecord

__all__ = ["REASONS", "resolve", "resolve_corrected"]


def resolve(
    records: Iterable[PaperRecord], catalogue: Catalogue, corrections: Sequence[Correction] = ()
) -> KnowledgeGraph:
    """Return the graph of a set of records, whatever their order.

    Of two records of one paper, the one with the longer abstract counts. Links give their reason in the words
    of `REASONS`.
    """
    return resolve_corrected(records, catalogue, corrections)[0]


def resolve_corrected(
    records: Iterable[PaperRecord], catalogue: Catalogue, corrections: Sequence[Correction]
) -> tuple[KnowledgeGraph, tuple[Effect, ...]]:
    """Return the graph of a set of records, and what came of each correction, in their order."""
    kept = one_record_per_paper(records)
    kept, of_records = correct_records(kept, corrections, catalogue, identify)
    identity, of_links = correct_identity(kept, identify(kept, catalogue), corrections, catalogue)
    shown, of_nodes = shown_as(kept, identity, (*of_records, *of_links), corrections, catalogue)
    graph = KnowledgeGraph(
        papers=tuple(record.paper for record in kept),
        nodes=make_nodes(kept, identity, catalogue, shown),
        assertions=assertions(kept, identity),
        links=identity.links(),
        titles=tuple((record.paper.key, readable_title(record)) for record in kept),
    )
    places = {id(correction): number for number, correction in enumerate(corrections)}
    done = sorted((*of_records, *of_links, *of_nodes), key=lambda one: places[id(one.correction)])
    return graph, tuple(effects(done, identity))
