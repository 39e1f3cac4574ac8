"""The graph as RDF: its terms, IRIs and triples, writing, reading and validating."""

from kg.rdf.iris import Iris
from kg.rdf.rdflib_graph import to_rdflib
from kg.rdf.reading import read_graph
from kg.rdf.triples import triples
from kg.rdf.validation import Problem, Report, validate
from kg.rdf.vocabulary import DEFAULT_BASE_IRI
from kg.rdf.writing import write_files, write_jsonld, write_ntriples, write_turtle

__all__ = [
    "DEFAULT_BASE_IRI",
    "Iris",
    "Problem",
    "Report",
    "read_graph",
    "to_rdflib",
    "triples",
    "validate",
    "write_files",
    "write_jsonld",
    "write_ntriples",
    "write_turtle",
]
