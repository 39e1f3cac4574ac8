"""Short names of IRIs, the same in Turtle and JSON-LD: a prefix, a colon, and what follows the prefix's IRI."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kg.rdf import vocabulary as v
from kg.rdf.iris import KINDS

if TYPE_CHECKING:
    from kg.rdf.iris import Iris

__all__ = ["Prefixes"]

_LOCAL: Final = re.compile(r"(?![.:-])(?:[\w.:-]|%[0-9A-F]{2})*(?<![.:-])", re.ASCII)


class Prefixes:
    """The prefixes of a graph: those of the vocabularies, and one for each kind of its own IRIs.

    An IRI is abbreviated only where what follows the prefix needs no escape in Turtle, which is what the parsers
    of others read without fault.
    """

    def __init__(self, iris: Iris) -> None:
        own = {kind: f"{iris.base}{kind}/" for kind in KINDS}
        self.own: Final = own
        self.all: Final[dict[str, str]] = {name: str(iri) for name, iri in {**v.PREFIXES, **own}.items()}
        self._names = {f"<{iri}": name for name, iri in self.all.items()}
        self.short: Final = lru_cache(maxsize=1 << 12)(self._short)

    def _short(self, term: str) -> str:
        """Return an IRI in angle brackets as prefix and local part, or as it is."""
        cut = max(term.rfind("/"), term.rfind("#")) + 1
        name, local = self._names.get(term[:cut]), term[cut:-1]
        return f"{name}:{local}" if name and local and _LOCAL.fullmatch(local) else term
