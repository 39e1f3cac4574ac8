"""Writing a graph as N-Triples, Turtle and JSON-LD: UTF-8, ``\\n``, the same bytes for the same graph.

The three hold the same triples in the same order, that of their N-Triples lines by code points. The triples are
made, sorted and written a batch at a time, so the memory that writing takes does not grow with the graph.
"""

from __future__ import annotations

import gc
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from kg.rdf.batch import Batch
from kg.rdf.iris import Iris
from kg.rdf.jsonld import JsonLd
from kg.rdf.prefixes import Prefixes
from kg.rdf.triples import blocks
from kg.rdf.turtle import Turtle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyoxigraph import Triple

    from kg.model import KnowledgeGraph

__all__ = ["BATCH", "FILES", "write_files", "write_jsonld", "write_ntriples", "write_turtle"]

FILES: Final = ("graph.nt", "graph.ttl", "graph.jsonld")
"""The names of the files in an output folder that hold the graph as RDF."""

BATCH: Final = 4096
"""How many triples, or a few more, are held at a time."""


class Form(Protocol):
    """A way of writing triples, with all triples of one subject in one batch. One object writes one file."""

    def head(self) -> str:
        """Return what comes before all triples."""

    def body(self, batch: Batch) -> str:
        """Return the triples of the next batch."""

    def tail(self) -> str:
        """Return what comes after all triples."""


class MakeForm(Protocol):
    """Makes the writer of one file."""

    def __call__(self, prefixes: Prefixes) -> Form:
        """Return the writer; those of one graph share the prefixes."""


class _NTriples:
    def __init__(self, prefixes: Prefixes) -> None:
        pass

    def head(self) -> str:
        return ""

    def body(self, batch: Batch) -> str:
        return "".join(f"{line}\n" for line in batch.lines)

    def tail(self) -> str:
        return ""


def write_ntriples(
    graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None, *, batch: int = BATCH
) -> None:
    """Write the graph as N-Triples, one line a triple, the lines sorted.

    About `batch` triples are held at a time; the bytes do not depend on it.

    Raises:
        InputError: `base_iri` is not an absolute IRI.
        ValueError: the graph contradicts itself: one span with two surfaces or two sentences.
        OSError: `path` cannot be written.
    """
    _write(graph, {path: _NTriples}, base_iri, batch)


def write_turtle(
    graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None, *, batch: int = BATCH
) -> None:
    """Write the graph as Turtle, one block a subject. Raises as `write_ntriples` does."""
    _write(graph, {path: Turtle}, base_iri, batch)


def write_jsonld(
    graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None, *, batch: int = BATCH
) -> None:
    """Write the graph as JSON-LD, one line a subject. Raises as `write_ntriples` does."""
    _write(graph, {path: JsonLd}, base_iri, batch)


def write_files(graph: KnowledgeGraph, directory: str | Path, base_iri: str | None = None) -> None:
    """Write graph.nt, graph.ttl and graph.jsonld into a folder, making the triples once. Raises as `write_ntriples`."""
    makers: tuple[MakeForm, ...] = (_NTriples, Turtle, JsonLd)
    _write(graph, {Path(directory) / name: make for name, make in zip(FILES, makers, strict=True)}, base_iri, BATCH)


def _write(
    graph: KnowledgeGraph,
    forms: Mapping[str | Path | IO[bytes], MakeForm],
    base_iri: str | None,
    size: int,
) -> None:
    iris = Iris(base_iri)
    prefixes = Prefixes(iris)
    with ExitStack() as stack, _without_collector():
        outputs = [(stack.enter_context(_opened(path)), make(prefixes)) for path, make in forms.items()]
        for file, form in outputs:
            file.write(form.head().encode("utf-8"))
        for batch in map(Batch, _batches(blocks(graph, iris), size)):
            for file, form in outputs:
                file.write(form.body(batch).encode("utf-8"))
        for file, form in outputs:
            file.write(form.tail().encode("utf-8"))


def _batches(found: Iterable[Iterable[Triple]], size: int) -> Iterator[list[Triple]]:
    batch: list[Triple] = []
    for block in found:
        batch.extend(block)
        if len(batch) >= size:
            yield batch
            batch = []
    yield batch


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python from looking for cycles, which nothing here makes; else it takes two fifths of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _opened(path: str | Path | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(path, str | Path):
        with Path(path).open("wb") as file:
            yield file
    else:
        yield path
