"""Writing a graph as N-Triples, Turtle and JSON-LD: UTF-8, ``\\n``, the same bytes for the same graph.

All three come from one list of triples, sorted by their N-Triples line in the order of code points. No blank
nodes, no dates. The Turtle writer is our own: it abbreviates an IRI only where its local part needs no escape,
which is what the parsers of others read without fault. The JSON-LD carries its context in itself.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple

from kg.rdf import vocabulary as v
from kg.rdf.iris import Iris
from kg.rdf.triples import triples
from kg.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.model import KnowledgeGraph

__all__ = [
    "FILES",
    "Statement",
    "context",
    "sorted_statements",
    "write_files",
    "write_jsonld",
    "write_ntriples",
    "write_turtle",
]

FILES: Final = ("graph.nt", "graph.ttl", "graph.jsonld")
"""The names of the files in an output folder that hold the graph as RDF."""

_INSTANCES: Final = ("paper", "entity")
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.:-]*[A-Za-z0-9_])?")
_XSD_STRING: Final = "http://www.w3.org/2001/XMLSchema#string"


class Statement(NamedTuple):
    """A triple and its line of N-Triples, without the line's end."""

    line: str
    triple: Triple


def sorted_statements(found: Iterable[Triple]) -> list[Statement]:
    """Return the triples sorted by line, each once."""
    listed = list(found)
    lines = pyoxigraph.serialize(listed, format=RdfFormat.N_TRIPLES) or b""
    pairs = zip(lines.decode("utf-8").split("\n"), listed, strict=False)
    ordered = sorted((Statement(line, triple) for line, triple in pairs), key=lambda s: s.line)
    return [next(same) for _, same in groupby(ordered, key=lambda s: s.line)]


def write_ntriples(graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None) -> None:
    """Write the graph as N-Triples, one line a triple, the lines sorted.

    Raises:
        InputError: `base_iri` is not an absolute IRI.
        OSError: `path` cannot be written.
    """
    _write(path, _ntriples(sorted_statements(triples(graph, base_iri))))


def write_turtle(graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None) -> None:
    """Write the graph as Turtle, one block a subject. Raises as `write_ntriples` does."""
    _write(path, _turtle(sorted_statements(triples(graph, base_iri)), Iris(base_iri)))


def write_jsonld(graph: KnowledgeGraph, path: str | Path | IO[bytes], base_iri: str | None = None) -> None:
    """Write the graph as JSON-LD, one line a subject. Raises as `write_ntriples` does."""
    _write(path, _jsonld(sorted_statements(triples(graph, base_iri)), Iris(base_iri)))


def write_files(graph: KnowledgeGraph, directory: str | Path, base_iri: str | None = None) -> None:
    """Write graph.nt, graph.ttl and graph.jsonld into a folder, making and sorting the triples once."""
    statements, iris = sorted_statements(triples(graph, base_iri)), Iris(base_iri)
    contents = (_ntriples(statements), _turtle(statements, iris), _jsonld(statements, iris))
    for name, chunks in zip(FILES, contents, strict=True):
        _write(Path(directory) / name, chunks)


def context(iris: Iris) -> dict[str, object]:
    """Return the JSON-LD context of a graph: the shipped one, and the prefix ``base`` for its own IRIs."""
    shipped = json.loads(resource("schemas", "context.jsonld").read_text(encoding="utf-8"))
    return {**shipped["@context"], "base": {"@id": iris.base, "@prefix": True}}


def _write(path: str | Path | IO[bytes], chunks: Iterable[str]) -> None:
    with _opened(path) as file:
        for chunk in chunks:
            file.write(chunk.encode("utf-8"))


@contextmanager
def _opened(path: str | Path | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(path, str | Path):
        with Path(path).open("wb") as file:
            yield file
    else:
        yield path


def _ntriples(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        yield f"{statement.line}\n"


def _turtle(statements: Sequence[Statement], iris: Iris) -> Iterator[str]:
    prefixes = {name: str(iri) for name, iri in v.PREFIXES.items()}
    prefixes |= {kind: f"{iris.base}{kind}/" for kind in _INSTANCES}
    for name, iri in sorted(prefixes.items()):
        yield f"@prefix {name}: <{iri}> .\n"
    names = {iri: name for name, iri in prefixes.items()}
    short: dict[str, str] = {}

    def term(text: str) -> str:
        if text.startswith("<"):
            known = short.get(text)
            if known is None:
                known = short[text] = _prefixed(text[1:-1], names, text)
            return known
        value, mark, datatype = text.rpartition('"^^')
        return f"{value}{mark}{term(datatype)}" if mark else text

    for subject, group in groupby((s.line.split(" ", 2) for s in statements), key=lambda parts: parts[0]):
        yield f"\n{term(subject)}"
        separator = ""
        for predicate, objects in groupby(group, key=lambda parts: parts[1]):
            name = "a" if predicate == f"<{v.TYPE.value}>" else term(predicate)
            yield f"{separator} {name} " + ", ".join(term(parts[2].removesuffix(" .")) for parts in objects)
            separator = " ;\n   "
        yield " .\n"


def _prefixed(iri: str, names: dict[str, str], otherwise: str) -> str:
    """Return `iri` as prefix and local part where that needs no escape, else `otherwise`."""
    cut = max(iri.rfind("/"), iri.rfind("#")) + 1
    name, local = names.get(iri[:cut]), iri[cut:]
    return f"{name}:{local}" if name and _LOCAL.fullmatch(local) else otherwise


def _jsonld(statements: Sequence[Statement], iris: Iris) -> Iterator[str]:
    terms = context(iris)
    yield f'{{"@context": {json.dumps(terms, ensure_ascii=False, sort_keys=True)},\n"@graph": ['
    shorten = _Shortener(terms, iris)
    separator = "\n"
    for subject, group in groupby((s.triple for s in statements), key=lambda t: t.subject):
        node: dict[str, object] = {"@id": shorten.value(subject, "@id")}
        for predicate, same in groupby(group, key=lambda t: t.predicate):
            objects = [t.object for t in same]
            if predicate == v.TYPE:
                node["@type"] = [shorten.value(o, "@id") for o in objects]
            else:
                name, kind = shorten.term(predicate.value)
                values = [shorten.value(o, kind) for o in objects]
                node[name] = values[0] if len(values) == 1 else values
        yield separator + json.dumps(node, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"


class _Shortener:
    """Writes IRIs and values as short as a context allows."""

    def __init__(self, terms: dict[str, object], iris: Iris) -> None:
        self._base = iris.base
        self._namespaces = {iri: name for name, iri in terms.items() if isinstance(iri, str)}
        self._terms: dict[str, tuple[str, str | None]] = {}
        for name, definition in terms.items():
            if isinstance(definition, dict) and "@prefix" not in definition:
                prefix, _, local = definition["@id"].partition(":")
                self._terms[f"{terms[prefix]}{local}"] = (name, self._full(definition.get("@type"), terms))

    @staticmethod
    def _full(kind: str | None, terms: dict[str, object]) -> str | None:
        if kind is None or kind.startswith("@"):
            return kind
        prefix, _, local = kind.partition(":")
        return f"{terms[prefix]}{local}"

    def iri(self, iri: str) -> str:
        if iri.startswith(self._base):
            return f"base:{iri.removeprefix(self._base)}"
        cut = max(iri.rfind("/"), iri.rfind("#")) + 1
        name = self._namespaces.get(iri[:cut])
        return f"{name}:{iri[cut:]}" if name and _LOCAL.fullmatch(iri[cut:]) else iri

    def term(self, iri: str) -> tuple[str, str | None]:
        return self._terms.get(iri) or (self.iri(iri), None)

    def value(self, value: object, kind: str | None) -> object:
        """Return a term as JSON: bare where the term `kind` says what it is."""
        if isinstance(value, NamedNode):
            return self.iri(value.value) if kind == "@id" else {"@id": self.iri(value.value)}
        if not isinstance(value, Literal):
            raise TypeError(f"{value} is neither an IRI nor a literal")
        datatype = value.datatype.value
        if datatype == (kind or _XSD_STRING):
            return value.value
        return {"@value": value.value} | ({} if datatype == _XSD_STRING else {"@type": datatype})
