"""Many papers in many processes: the order of the input kept, memory bounded, an interrupt obeyed at once."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kg.linking.pipeline import BATCH, make_pipeline, records_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from spacy.language import Language

    from kg.model import Paper, PaperRecord

__all__ = ["annotate_in_processes", "batches"]

_AHEAD = 3
"""How many batches a process may have waiting: enough to keep it busy, few enough to bound memory."""

_pipelines: dict[tuple[str, ...], Language] = {}
"""The pipeline of a worker process, made once when it starts."""


def annotate_in_processes(papers: Iterable[Paper], catalogue_files: Sequence[Path], jobs: int) -> Iterator[PaperRecord]:
    """Yield the record of each paper, in the order of the papers, from `jobs` processes.

    The processes are started afresh (“spawn”), as every platform can. When the caller stops early, by an error, an
    interrupt or by closing the iterator, what has not begun is dropped and the processes end.
    """
    files = tuple(str(file) for file in catalogue_files)
    ahead = batches(papers)
    pool = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_start, initargs=(files,)
    )
    waiting: deque[Future[list[PaperRecord]]] = deque()
    try:
        for batch in islice(ahead, jobs * _AHEAD):
            waiting.append(pool.submit(_annotate, files, batch))
        while waiting:
            records = waiting.popleft().result()
            for batch in islice(ahead, 1):
                waiting.append(pool.submit(_annotate, files, batch))
            yield from records
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def batches(papers: Iterable[Paper]) -> Iterator[list[Paper]]:
    """Cut papers into batches, reading no further than the batch that is asked for."""
    rest = iter(papers)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _start(files: tuple[str, ...]) -> None:
    # The terminal sends an interrupt to every process; the parent alone answers it, and ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _pipelines[files] = make_pipeline([Path(file) for file in files])


def _annotate(files: tuple[str, ...], papers: list[Paper]) -> list[PaperRecord]:
    return records_of(papers, _pipelines[files])
