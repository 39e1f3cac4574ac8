"""JSON-LD, one line a subject, with its context in itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from kg.rdf import vocabulary as v
from kg.resources import resource

if TYPE_CHECKING:
    from kg.rdf.batch import Batch
    from kg.rdf.prefixes import Prefixes

__all__ = ["JsonLd", "context"]

_STRING: Final = f"<{v.XSD}string>"
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def context(prefixes: Prefixes) -> dict[str, Any]:
    """Return the JSON-LD context of a graph: the shipped one, and a prefix for each kind of its own IRIs."""
    shipped = json.loads(resource("schemas", "context.jsonld").read_text(encoding="utf-8"))
    own = {kind: {"@id": iri, "@prefix": True} for kind, iri in prefixes.own.items()}
    return {**shipped["@context"], **own}


class JsonLd:
    """Writes batches of triples as JSON-LD; see `kg.rdf.writing.Form`."""

    def __init__(self, prefixes: Prefixes) -> None:
        self._context = context(prefixes)
        self._short = prefixes.short
        self._terms: dict[str, tuple[str, str | None]] = {f"<{v.TYPE.value}>": ("@type", "@id")}
        for name, definition in self._context.items():
            if isinstance(definition, dict) and "@prefix" not in definition:
                self._terms[self._full(definition["@id"])] = (name, self._kind(definition.get("@type")))
        self._separator = "\n"

    def head(self) -> str:
        """Return the context."""
        return f'{{"@context": {json.dumps(self._context, ensure_ascii=False, sort_keys=True)},\n"@graph": ['

    def body(self, batch: Batch) -> str:
        """Return an object for each subject."""
        parts: list[str] = []
        for subject, properties in batch.subjects:
            node: dict[str, object] = {"@id": self._iri(subject)}
            for predicate, objects in properties:
                name, kind = self._terms.get(predicate) or (self._iri(predicate), None)
                values = [self._value(text, kind) for text in objects]
                node[name] = values[0] if len(values) == 1 else values
            parts += (self._separator, json.dumps(node, ensure_ascii=False, separators=(",", ":")))
            self._separator = ",\n"
        return "".join(parts)

    def tail(self) -> str:
        """Return the closing brackets."""
        return "\n]}\n"

    def _full(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        return f"<{self._context[prefix]}{local}>"

    def _kind(self, type_: str | None) -> str | None:
        return type_ if type_ is None or type_.startswith("@") else self._full(type_)

    def _iri(self, term: str) -> str:
        short = self._short(term)
        return short[1:-1] if short.startswith("<") else short

    def _value(self, term: str, kind: str | None) -> object:
        """Return a term as JSON: bare where the term `kind` says what it is."""
        if term.startswith("<"):
            return self._iri(term) if kind == "@id" else {"@id": self._iri(term)}
        quoted, _, datatype = (term, "", _STRING) if term.endswith('"') else term.rpartition("^^")
        value = _text(quoted[1:-1])
        if datatype == (kind or _STRING):
            return value
        return {"@value": value} | ({} if datatype == _STRING else {"@type": datatype[1:-1]})


def _text(escaped: str) -> str:
    r"""Return the value of a literal that N-Triples writes so.

    >>> _text(r'\\n is not \u0022\n\u0022')
    '\\n is not "\n"'
    """
    return _ESCAPE.sub(_character, escaped) if "\\" in escaped else escaped


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    return chr(int(digits, 16)) if digits else _ESCAPED.get(escape[3], escape[3])
