"""The same triples as an rdflib graph, and back: rdflib stands at the edge, for its users and for pySHACL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rdflib
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.rdf import vocabulary as v
from kg.rdf.iris import Iris
from kg.rdf.triples import triples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.model import KnowledgeGraph

__all__ = ["from_rdflib", "rdflib_graph", "to_rdflib"]

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


def to_rdflib(graph: KnowledgeGraph, base_iri: str | None = None) -> rdflib.Graph:
    """Return the graph's triples as an rdflib graph, with the prefixes bound.

    rdflib writes control characters into RDF/XML, which XML does not allow; its other formats are safe.

    Raises:
        InputError: `base_iri` is not an absolute IRI.
    """
    made = rdflib_graph(triples(graph, base_iri))
    base = Iris(base_iri).base
    for name, iri in {**v.PREFIXES, "paper": f"{base}paper/", "entity": f"{base}entity/"}.items():
        made.bind(name, rdflib.Namespace(iri), replace=True)
    return made


def rdflib_graph(found: Iterable[Triple]) -> rdflib.Graph:
    """Return triples as an rdflib graph."""
    made = rdflib.Graph(bind_namespaces="none")
    known: dict[object, rdflib.term.Identifier] = {}

    def term(value: object) -> rdflib.term.Identifier:
        seen = known.get(value)
        if seen is None:
            seen = known[value] = _to_rdflib(value)
        return seen

    for subject, predicate, value in found:
        made.add((term(subject), term(predicate), _to_rdflib(value) if isinstance(value, Literal) else term(value)))
    return made


def _to_rdflib(value: object) -> rdflib.term.Identifier:
    if isinstance(value, NamedNode):
        return rdflib.URIRef(value.value)
    if isinstance(value, BlankNode):
        return rdflib.BNode(value.value)
    if isinstance(value, Literal):
        if value.language:
            return rdflib.Literal(value.value, lang=value.language)
        datatype = value.datatype.value
        return rdflib.Literal(
            value.value, datatype=None if datatype == _XSD_STRING else rdflib.URIRef(datatype), normalize=False
        )
    raise TypeError(f"{value!r} is not an RDF 1.1 term")


def from_rdflib(graph: rdflib.Graph) -> Iterator[Triple]:
    """Yield an rdflib graph's triples.

    Raises:
        ValueError: an IRI is not valid.
    """
    for subject, predicate, value in graph:
        yield Triple(_resource(subject), NamedNode(str(predicate)), _from_rdflib(value))


def _resource(term: rdflib.term.Node) -> NamedNode | BlankNode:
    return BlankNode(str(term)) if isinstance(term, rdflib.BNode) else NamedNode(str(term))


def _from_rdflib(term: rdflib.term.Node) -> NamedNode | BlankNode | Literal:
    if not isinstance(term, rdflib.Literal):
        return _resource(term)
    if term.language:
        return Literal(str(term), language=term.language)
    return Literal(str(term), datatype=NamedNode(term.datatype or _XSD_STRING))
