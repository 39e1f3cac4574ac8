"""From PaperRecords to one graph: a pure function of the set of records and the catalogue.

What the records call things is brought together here: which entities of which papers are one node (`identity`),
what each node is a version of (`families`), what it is called (`nodes`), and which words say so (`assertions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import KnowledgeGraph
from kg.resolution.assertions import assertions
from kg.resolution.identity import REASONS, identify
from kg.resolution.nodes import make_nodes
from kg.resolution.papers import one_record_per_paper
from kg.resolution.titles import readable_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.catalogue import Catalogue
    from kg.model import PaperRecord

__all__ = ["REASONS", "resolve"]


def resolve(records: Iterable[PaperRecord], catalogue: Catalogue) -> KnowledgeGraph:
    """Return the graph of a set of records, whatever their order.

    Of two records of one paper, the one with the longer abstract counts. Links give their reason in the words
    of `REASONS`.
    """
    kept = one_record_per_paper(records)
    identity = identify(kept, catalogue)
    nodes = make_nodes(kept, identity, catalogue)
    return KnowledgeGraph(
        papers=tuple(record.paper for record in kept),
        nodes=nodes,
        assertions=assertions(kept, identity),
        links=identity.links(),
        titles=tuple((record.paper.key, readable_title(record)) for record in kept),
    )
