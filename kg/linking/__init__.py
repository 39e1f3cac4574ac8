"""Finding the names in papers, linking them, and telling what part each thing plays.

Every step is a registered spaCy component in a module of its own; one Doc holds one paper.

>>> from kg.model import Paper
>>> paper = Paper(key="text:1", id="1", abstract="We propose FlashSSM-3D. It outperforms CLIP on an H100 GPU.")
>>> record = next(annotate([paper]))
>>> names = {entity.id: entity.name for entity in record.entities}
>>> [(claim.role.value, names[claim.entity]) for claim in record.roles]
[('proposes', 'FlashSSM-3D'), ('comparesTo', 'CLIP'), ('runsOn', 'H100')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.catalogue import load
from kg.errors import UsageError
from kg.linking.parallel import annotate_in_processes, batches
from kg.linking.pipeline import BATCH, DEFAULT, PIPELINES, components_of, make_pipeline, records_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from kg.model import Paper, PaperRecord

__all__ = ["DEFAULT", "PIPELINES", "annotate", "make_pipeline", "records_of"]


def annotate(
    papers: Iterable[Paper], *, catalogue_files: Sequence[Path] = (), jobs: int = 1, pipeline: str = DEFAULT
) -> Iterator[PaperRecord]:
    """Return an iterator over the records of the papers, in their order; a record depends on no other paper.

    Papers are read as they are needed and records handed out a batch at a time, whatever the number of processes
    (`jobs`), and the number changes nothing but the time it takes.

    Raises:
        CatalogueError: a catalogue file does not hold known things.
        UsageError: `jobs` is less than one, or no pipeline has that name.
    """
    if jobs < 1:
        raise UsageError(f"jobs must be at least 1, not {jobs}")
    components_of(pipeline)
    if jobs > 1:
        load(*catalogue_files)  # A mistake in a file is told here, not by a process that cannot start.
        return annotate_in_processes(papers, catalogue_files, jobs, pipeline)
    nlp = make_pipeline(catalogue_files, name=pipeline)
    return (record for batch in batches(papers, BATCH) for record in records_of(batch, nlp))
