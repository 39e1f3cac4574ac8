"""What a store answers with, and what every store can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Language", "Params", "Store", "Table", "Value"]

Language: TypeAlias = Literal["cypher", "sparql"]
Value: TypeAlias = "str | int | float | bool | tuple[Value, ...] | dict[str, Value] | None"
Params: TypeAlias = "Mapping[str, str | int | float | bool]"


@dataclass(frozen=True, slots=True)
class Table:
    """The answer to a query: the names of its columns, and its rows in the order of the query.

    A value is text, a number, a truth value or None; Cypher alone also gives lists (as tuples), maps and
    nodes (as a dict of their labels and properties). An IRI is its text.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


class Store(Protocol):
    """Answers queries of one language, and never changes by it."""

    @property
    def language(self) -> Language:
        """The language that it speaks."""
        ...

    def query(self, text: str, params: Params | None = None) -> Table:
        """Return the answer to a read-only query.

        Raises:
            QueryError: the query is wrong, would write, or lacks a parameter.
            StoreError: the store cannot be read or reached.
        """
        ...

    def close(self) -> None:
        """Give the store back. To close it twice does no harm."""
        ...
