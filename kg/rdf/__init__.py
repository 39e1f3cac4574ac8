from kg.rdf.iris import Iris
from kg.rdf.rdflib_graph import to_rdflib
from kg.rdf.reading import read_graph
from kg.rdf.triples import triples
from kg.rdf.vocabulary import DEFAULT_BASE_IRI
from kg.rdf.writing import write_files, write_jsonld, write_ntriples, write_turtle

__all__ = [
    "DEFAULT_BASE_IRI",
    "Iris",
    "read_graph",
    "to_rdflib",
    "triples",
    "write_files",
    "write_jsonld",
    "write_ntriples",
    "write_turtle",
]
