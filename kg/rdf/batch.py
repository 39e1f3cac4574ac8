"""A batch of triples on their way into files: sorted lines of N-Triples, and the same by subject."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import pyoxigraph
from pyoxigraph import RdfFormat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyoxigraph import Triple

__all__ = ["Batch", "Subject"]

Subject: TypeAlias = "tuple[str, list[tuple[str, list[str]]]]"
"""A subject, its predicates, and the objects of each, as N-Triples writes them."""


class Batch:
    """Triples, sorted by their lines of N-Triples in the order of code points, each once."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        written = pyoxigraph.serialize(triples, format=RdfFormat.N_TRIPLES) or b""
        self.lines = sorted({*written.decode("utf-8").split("\n")} - {""})

    @cached_property
    def subjects(self) -> list[Subject]:
        """The triples by subject and predicate, in the order of the lines."""
        found: list[Subject] = []
        last_subject = last_predicate = ""
        for line in self.lines:
            subject, predicate, value = line[:-2].split(" ", 2)
            if subject != last_subject:
                properties: list[tuple[str, list[str]]] = []
                found.append((subject, properties))
                last_subject, last_predicate = subject, ""
            if predicate != last_predicate:
                values: list[str] = []
                properties.append((predicate, values))
                last_predicate = predicate
            values.append(value)
        return found
