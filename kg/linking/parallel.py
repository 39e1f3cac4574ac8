"""Many papers in many processes: the order of the input kept, memory bounded, an interrupt obeyed at once."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kg.errors import KgError
from kg.linking.pipeline import make_pipeline, records_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

    from spacy.language import Language

    from kg.model import Paper, PaperRecord

__all__ = ["annotate_in_processes", "batches"]

T = TypeVar("T")

_BATCH = 32
_MOST = 61 if sys.platform == "win32" else sys.maxsize
"""More processes than these a ProcessPoolExecutor refuses on Windows."""
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
_AHEAD = 2
"""How many batches a process may have waiting: enough to keep it busy, few enough to bound memory."""

_workers: dict[tuple[str, ...], tuple[Language, Event]] = {}
"""The pipeline of a worker process, made once when it starts, and what tells it that nobody waits for it any more."""


def annotate_in_processes(
    papers: Iterable[Paper], catalogue_files: Sequence[Path], jobs: int, pipeline: str
) -> Iterator[PaperRecord]:
    """Yield the record of each paper, in the order of the papers, from `jobs` processes.

    The processes are started afresh (“spawn”), as every platform can, so a script that calls this keeps its own
    start behind ``if __name__ == "__main__"``. When the caller stops early, by an error, an interrupt or by closing
    the iterator, what has not begun is dropped and the processes end.

    Raises:
        KgError: a process was ended from outside, most often for want of memory.
    """
    jobs = min(jobs, _MOST)
    settings = (pipeline, *map(str, catalogue_files))
    ahead = batches(papers, _BATCH)
    context = multiprocessing.get_context("spawn")
    stopped = context.Event()
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(settings, stopped))
    waiting: deque[Future[list[PaperRecord]]] = deque()
    try:
        for batch in islice(ahead, jobs * _AHEAD):
            with _interrupts_held():
                waiting.append(pool.submit(_annotate, settings, batch))
        while waiting:
            records = waiting.popleft().result()
            for batch in islice(ahead, 1):
                waiting.append(pool.submit(_annotate, settings, batch))
            yield from records
    except BrokenProcessPool as error:
        raise KgError("a process was ended from outside; run with fewer jobs if memory is short") from error
    finally:
        # Batches that a process has already taken cannot be called back; it leaves them at the next paper.
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back interrupts while processes start, and raise them after.

    A process that is cut off from its parent while it starts complains. The terminal sends an interrupt to every
    process; the parent alone answers it, and ends the others: they inherit that they get none. Another thread may
    take a signal for the main one, so the mask alone does not hold it back here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[signal.Signals] = []
    handlers = {
        number: signal.signal(number, lambda number, _: came.append(signal.Signals(number))) for number in _INTERRUPTS
    }
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for arrived in came:
            signal.raise_signal(arrived)


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut papers or records into batches, reading no further than the batch that is asked for."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def _start(settings: tuple[str, ...], stopped: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    pipeline, *files = settings
    _workers[settings] = make_pipeline([Path(file) for file in files], name=pipeline), stopped


def _annotate(settings: tuple[str, ...], papers: list[Paper]) -> list[PaperRecord]:
    nlp, stopped = _workers[settings]
    return records_of(takewhile(lambda _: not stopped.is_set(), papers), nlp)
