"""Turtle, one block a subject. The writer is our own, so that its bytes are ours to keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kg.rdf import vocabulary as v

if TYPE_CHECKING:
    from kg.rdf.batch import Batch
    from kg.rdf.prefixes import Prefixes

__all__ = ["Turtle"]

_TYPE: Final = f"<{v.TYPE.value}>"
_DECIMAL: Final = re.compile(rf'"(-?[0-9]+\.[0-9]+)"\^\^<{re.escape(v.DECIMAL.value)}>')


class Turtle:
    """Writes batches of triples as Turtle; see `kg.rdf.writing.Form`."""

    def __init__(self, prefixes: Prefixes) -> None:
        self._prefixes = prefixes
        self._short = prefixes.short

    def head(self) -> str:
        """Return the prefixes."""
        return "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in sorted(self._prefixes.all.items()))

    def body(self, batch: Batch) -> str:
        """Return a block for each subject."""
        parts: list[str] = []
        for subject, properties in batch.subjects:
            lines = [
                f"{'a' if name == _TYPE else self._short(name)} {', '.join(map(self._term, values))}"
                for name, values in properties
            ]
            parts += ("\n", self._short(subject), " ", " ;\n  ".join(lines), " .\n")
        return "".join(parts)

    def tail(self) -> str:
        """Return nothing: Turtle has no end."""
        return ""

    def _term(self, text: str) -> str:
        if text.startswith("<"):
            return self._short(text)
        if text.endswith('"'):
            return text
        decimal = _DECIMAL.fullmatch(text)
        if decimal:
            return decimal[1]
        value, _, datatype = text.rpartition("^^")
        return f"{value}^^{self._short(datatype)}"
