"""Is what an output folder holds a sound graph?

Four questions, each asked of the files as they lie on disk:

1. Do two independent parsers, oxigraph and rdflib, read each of the three files, without blank nodes?
2. Do all six readings hold the same triples?
3. Do they conform to `schemas/shapes.ttl` (SHACL)?
4. Are they exactly the triples of the graph that they tell: each edge with its assertion and the reverse,
   each span with the words that stand there?
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyoxigraph
import pyshacl
import rdflib
from pyoxigraph import BlankNode, NamedNode, RdfFormat, Triple

from kg.errors import InputError
from kg.rdf import vocabulary as v
from kg.rdf.iris import Iris
from kg.rdf.rdflib_graph import from_rdflib
from kg.rdf.reading import graph_of
from kg.rdf.triples import statements
from kg.rdf.writing import FILES
from kg.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.model import KnowledgeGraph

__all__ = ["Problem", "Report", "validate"]

_FORMATS: Final = {
    "graph.nt": (RdfFormat.N_TRIPLES, "nt"),
    "graph.ttl": (RdfFormat.TURTLE, "turtle"),
    "graph.jsonld": (RdfFormat.JSON_LD, "json-ld"),
}
_SHOWN: Final = 20
_SHACL_SHOWN: Final = 200
_SHACL: Final = rdflib.Namespace("http://www.w3.org/ns/shacl#")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: in which file, where in it (``line 7``, or a node's IRI), and what."""

    file: str
    place: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.place, self.message) if part)


@dataclass(frozen=True, slots=True)
class Report:
    """What `validate` found. `triples` is how many there are in graph.nt."""

    problems: tuple[Problem, ...]
    triples: int

    @property
    def conforms(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.problems


def validate(directory: str | Path) -> Report:
    """Check graph.nt, graph.ttl and graph.jsonld of an output folder.

    A file that is missing or broken is a problem in the report, not an error. Of problems of one kind in one
    file the first are listed, in the order of their triples, and the rest counted.

    Raises:
        InputError: there is no such folder.
    """
    if not Path(directory).is_dir():
        raise InputError(f"{directory}: no such folder")
    problems: list[Problem] = []
    reference: set[Triple] | None = None
    for name in FILES:
        path = Path(directory) / name
        found, wrong = _oxigraph(path)
        problems += wrong
        if found is None:
            continue
        problems += _blank_nodes(name, found)
        if reference is None:
            reference = found
        elif found != reference:
            problems += _difference(name, "oxigraph", found, reference)
        problems += _by_rdflib(path, found, shapes=found is reference)
        if found is reference:
            problems += _consistency(name, found)
    return Report(tuple(problems), len(reference or ()))


def _oxigraph(path: Path) -> tuple[set[Triple] | None, list[Problem]]:
    try:
        with path.open("rb") as file:
            return {quad.triple for quad in pyoxigraph.parse(file, format=_FORMATS[path.name][0])}, []
    except OSError as error:
        return None, [Problem(path.name, "", f"cannot be read: {error.strerror or error}")]
    except (SyntaxError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", None)
        return None, [Problem(path.name, f"line {line}" if line else "", f"oxigraph: {error}")]


def _rdflib(path: Path) -> tuple[rdflib.Graph | None, list[Problem]]:
    graph = rdflib.Graph(bind_namespaces="none")
    try:
        graph.parse(source=str(path), format=_FORMATS[path.name][1])
    except Exception as error:  # noqa: BLE001 - rdflib's parsers raise what they like; whatever it is, it is reported
        return None, [Problem(path.name, "", f"rdflib: {type(error).__name__}: {' '.join(str(error).split())}")]
    return graph, []


def _by_rdflib(path: Path, found: set[Triple], *, shapes: bool) -> list[Problem]:
    parsed, problems = _rdflib(path)
    if parsed is not None:
        problems += _compare_rdflib(path.name, parsed, found)
        problems += _shacl(path.name, parsed) if shapes else []
    return problems


def _blank_nodes(name: str, found: Iterable[Triple]) -> list[Problem]:
    blank = (t for t in found if isinstance(t.subject, BlankNode) or isinstance(t.object, BlankNode))
    return _listed(name, "has a blank node", blank)


def _compare_rdflib(name: str, parsed: rdflib.Graph, found: set[Triple]) -> list[Problem]:
    try:
        return _difference(name, "rdflib", set(from_rdflib(parsed)), found)
    except ValueError as error:
        return [Problem(name, "", f"rdflib reads an IRI that is not valid: {error}")]


def _difference(name: str, parser: str, found: set[Triple], wanted: set[Triple]) -> list[Problem]:
    other = "oxigraph in the same file" if parser == "rdflib" else FILES[0]
    return [
        *_listed(name, f"{parser} reads here what {other} does not have", found - wanted),
        *_listed(name, f"{parser} does not read here what {other} has", wanted - found),
    ]


def _shacl(name: str, data: rdflib.Graph) -> list[Problem]:
    ontology = rdflib.Graph().parse(resource("schemas", "ontology.ttl"), format="turtle")
    shapes = rdflib.Graph().parse(resource("schemas", "shapes.ttl"), format="turtle")
    # In place, for a copy of the data would double the memory; nothing reads the data after this.
    conforms, results, text = pyshacl.validate(
        data, shacl_graph=shapes, ont_graph=ontology, inference="none", inplace=True
    )
    if conforms:
        return []
    if not isinstance(results, rdflib.Graph):
        return [Problem(name, "", f"SHACL: {text}")]

    def told(result: rdflib.term.Node, term: str) -> str:
        return " ".join(str(value) for value in results.objects(result, _SHACL[term]))

    problems = sorted(
        (
            Problem(
                name,
                f"<{told(result, 'focusNode')}>",
                " ".join(
                    f"SHACL: {told(result, 'resultPath')} {told(result, 'value')[:200]!r}: "
                    f"{told(result, 'resultMessage')}".split()
                ),
            )
            for result in results.subjects(rdflib.RDF.type, _SHACL.ValidationResult)
        ),
        key=lambda problem: (problem.place, problem.message),
    )
    more = len(problems) - _SHACL_SHOWN
    return problems if more <= 0 else [*problems[:_SHACL_SHOWN], Problem(name, "", f"SHACL: {more} more")]


def _consistency(name: str, found: set[Triple]) -> list[Problem]:
    try:
        graph, base = graph_of(found)
        iris = Iris(base)
        told = set(statements(graph, iris))
    except (InputError, ValueError) as error:
        return [Problem(name, "", str(error))]
    links = (v.GENERATED_BY, v.ASSOCIATED_WITH)
    about = {NamedNode(iris.graph()), *(t.object for t in found if t.predicate in links)}
    rest = {t for t in found if t.subject not in about}
    return [
        *_listed(name, "follows from nothing else in the graph", rest - told),
        *_listed(name, "is missing", told - rest),
        *_spans(name, graph, iris),
    ]


def _spans(name: str, graph: KnowledgeGraph, iris: Iris) -> Iterator[Problem]:
    fields = {paper.key: dict(paper.fields()) for paper in graph.papers}
    seen: set[str] = set()
    for assertion in graph.assertions:
        for evidence in assertion.evidence:
            text = fields.get(assertion.paper, {}).get(evidence.field, "")
            place = f"<{iris.target(assertion.paper, evidence.field, evidence.start, evidence.end)}>"
            if place not in seen and text[evidence.start : evidence.end] != evidence.exact:
                seen.add(place)
                yield Problem(name, place, f"the text there is not {evidence.exact!r}")


def _listed(name: str, message: str, triples: Iterable[Triple]) -> list[Problem]:
    found = sorted(triples, key=str)
    problems = [
        Problem(name, str(t.subject), f"{message}: {t.predicate} {str(t.object)[:200]}") for t in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        problems.append(Problem(name, "", f"{message}: {len(found) - _SHOWN} more"))
    return problems
