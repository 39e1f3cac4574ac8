"""From graph.nt back to the KnowledgeGraph: lossless, but for the links, which RDF does not hold."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat

from kg.errors import InputError
from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper
from kg.rdf import vocabulary as v
from kg.rdf.evidence import evidence_order
from kg.rdf.iris import Iris, decode

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["graph_of", "read_graph"]

_TYPES: Final = tuple(EntityType)
_T = TypeVar("_T")


def read_graph(path: str | Path) -> tuple[KnowledgeGraph, str]:
    """Return the graph that a graph.nt holds, and the base of its IRIs.

    The file is one that `kg.rdf.write_ntriples` wrote; its lines may stand in any order.

    Raises:
        InputError: the file cannot be read, is not N-Triples, or does not hold such a graph.
    """
    try:
        with Path(path).open("rb") as file:
            return graph_of(quad.triple for quad in pyoxigraph.parse(file, format=RdfFormat.N_TRIPLES))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (SyntaxError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not N-Triples: {error}") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def graph_of(triples: Iterable[pyoxigraph.Triple]) -> tuple[KnowledgeGraph, str]:
    """Return the graph that triples in any order hold, and the base of its IRIs.

    Raises:
        InputError: the triples do not hold a graph of this kind.
    """
    subjects = _Subjects(triples)
    iris = Iris(subjects.base())
    papers, titles, nodes = [], [], []
    for subject in subjects.of_type(v.SCHOLARLY_ARTICLE):
        paper = _paper(subjects, subject, iris)
        papers.append(paper)
        label = subjects.text(subject, v.LABEL)
        if label is not None:
            titles.append((paper.key, label))
    for type_, classes in v.CLASSES.items():
        nodes += [_node(subjects, subject, type_, iris) for subject in subjects.of_type(classes[0])]
    assertions = [_assertion(subjects, subject, iris) for subject in subjects.of_type(v.ASSERTION)]
    graph = KnowledgeGraph(
        papers=tuple(sorted(papers, key=lambda p: p.key)),
        nodes=tuple(sorted(nodes, key=lambda n: n.key)),
        assertions=tuple(sorted(assertions, key=lambda a: (a.paper, a.role, a.node))),
        titles=tuple(sorted(titles)),
    )
    return graph, iris.base


class _Subjects:
    """Triples by subject and predicate."""

    def __init__(self, triples: Iterable[pyoxigraph.Triple]) -> None:
        # A flat list, predicate and value in turn: a dictionary for each of so many subjects takes far more memory.
        self._values: defaultdict[str, list[str | NamedNode | Literal]] = defaultdict(list)
        predicates: dict[str, str] = {}
        self._types: defaultdict[str, list[str]] = defaultdict(list)
        for subject, predicate, value in triples:
            if not isinstance(subject, NamedNode) or not isinstance(value, NamedNode | Literal):
                raise InputError(f"{subject} {predicate} {value}: only IRIs and literals are used in these graphs")
            name = predicate.value
            self._values[subject.value] += (predicates.setdefault(name, name), value)
            if predicate == v.TYPE:
                self._types[value.value].append(subject.value)

    def base(self) -> str:
        found = [
            self.need(subject, v.URI_SPACE)
            for subject in self.of_type(v.VOID_DATASET)
            if subject == f"{self.text(subject, v.URI_SPACE)}graph"
        ]
        if len(found) != 1:
            raise InputError("it does not say what the base of its IRIs is, so it is not a graph of kg")
        return found[0]

    def of_type(self, class_: NamedNode) -> list[str]:
        return self._types.get(class_.value, [])

    def terms(self, subject: str, predicate: NamedNode) -> list[NamedNode | Literal]:
        told, name = self._values.get(subject, []), predicate.value
        pairs = zip(told[::2], told[1::2], strict=True)
        return [value for known, value in pairs if known == name and not isinstance(value, str)]

    def texts(self, subject: str, predicate: NamedNode) -> list[str]:
        return [term.value for term in self.terms(subject, predicate)]

    def text(self, subject: str, predicate: NamedNode) -> str | None:
        found = self.texts(subject, predicate)
        if len(found) > 1:
            raise InputError(f"<{subject}> has more than one {predicate}")
        return found[0] if found else None

    def need(self, subject: str, predicate: NamedNode) -> str:
        found = self.text(subject, predicate)
        if found is None:
            raise InputError(f"<{subject}> has no {predicate}")
        return found

    def number(self, subject: str, predicate: NamedNode) -> int:
        text = self.need(subject, predicate)
        try:
            return int(text)
        except ValueError:
            raise InputError(f"<{subject}>: {predicate} is {text!r}, not a number") from None


def _key(iris: Iris, kind: str, iri: str) -> str:
    key = iris.key(kind, iri)
    if key is None:
        raise InputError(f"<{iri}> is not the IRI of a {kind} under <{iris.base}>")
    return key


def _paper(subjects: _Subjects, subject: str, iris: Iris) -> Paper:
    def numbered(link: NamedNode, property_: NamedNode) -> tuple[str, ...]:
        parts = subjects.texts(subject, link)
        return tuple(
            subjects.need(part, property_) for part in sorted(parts, key=lambda part: subjects.number(part, v.POSITION))
        )

    identifiers = []
    for text in subjects.texts(subject, v.SCHEME_IDENTIFIER):
        scheme, _, value = text.partition(":")
        identifiers.append((decode(scheme), value))
    year = subjects.text(subject, v.ISSUED)
    return Paper(
        key=_key(iris, "paper", subject),
        id=subjects.need(subject, v.RECORD_ID),
        title=subjects.text(subject, v.TITLE) or "",
        abstract=subjects.text(subject, v.ABSTRACT) or "",
        body=numbered(v.HAS_PART, v.TEXT),
        authors=numbered(v.CREATOR, v.NAME),
        venue=subjects.text(subject, v.VENUE),
        year=None if year is None else subjects.number(subject, v.ISSUED),
        url=subjects.text(subject, v.URL),
        identifiers=tuple(sorted(identifiers)),
    )


def _node(subjects: _Subjects, subject: str, type_: EntityType, iris: Iris) -> Node:
    listed = subjects.text(subject, v.TOLD_TYPES)
    told = set(subjects.texts(subject, v.TOLD_TYPE))
    family = subjects.text(subject, v.IS_VERSION_OF)
    item = subjects.text(subject, v.EXACT_MATCH)
    try:
        types = (
            tuple(known for known in _TYPES if v.CLASSES[known][0].value in told)
            if listed is None
            else tuple(EntityType(name) for name in listed.split())
        )
    except ValueError as error:
        raise InputError(f"<{subject}>: {error}") from error
    return Node(
        key=_key(iris, "entity", subject),
        type=type_,
        name=subjects.need(subject, v.PREFERRED_LABEL),
        types=types,
        aliases=_permuted(
            sorted(subjects.texts(subject, v.ALTERNATIVE_LABEL)), subjects.text(subject, v.ALIAS_ORDER), subject
        ),
        family=None if family is None else _key(iris, "entity", family),
        homepage=subjects.text(subject, v.URL),
        introduced_by=subjects.text(subject, v.INTRODUCED_BY),
        wikidata=subjects.text(subject, v.WIKIDATA_TEXT) if item is None else item.removeprefix(v.WIKIDATA),
    )


def _assertion(subjects: _Subjects, subject: str, iris: Iris) -> Assertion:
    role = v.ROLE_OF.get(subjects.need(subject, v.ROLE))
    if role is None:
        raise InputError(f"<{subject}>: {subjects.need(subject, v.ROLE)} is not a role")
    confidence = subjects.need(subject, v.CONFIDENCE)
    try:
        number = float(confidence)
    except ValueError:
        raise InputError(f"<{subject}>: the confidence is {confidence!r}, not a number") from None
    annotation = subjects.text(subject, v.EVIDENCE)
    return Assertion(
        paper=_key(iris, "paper", subjects.need(subject, v.PAPER)),
        role=role,
        node=_key(iris, "entity", subjects.need(subject, v.ENTITY)),
        confidence=number,
        evidence=() if annotation is None else _evidence(subjects, annotation),
    )


def _evidence(subjects: _Subjects, annotation: str) -> tuple[Evidence, ...]:
    first = subjects.need(annotation, v.FIRST_TARGET)
    targets = subjects.texts(annotation, v.HAS_TARGET)
    if first not in targets:
        raise InputError(f"<{annotation}> has no {v.HAS_TARGET} that is its {v.FIRST_TARGET}")
    ordered = [_span(subjects, target) for target in sorted(targets, key=lambda target: target != first)]
    return _permuted(evidence_order(ordered), subjects.text(annotation, v.TARGET_ORDER), annotation)


def _span(subjects: _Subjects, target: str) -> Evidence:
    words, sentence = subjects.need(target, v.HAS_SELECTOR), subjects.need(target, v.SENTENCE)
    return Evidence(
        field=subjects.need(sentence, v.FIELD),
        start=subjects.number(words, v.START),
        end=subjects.number(words, v.END),
        exact=subjects.need(words, v.EXACT),
        sentence=subjects.need(sentence, v.TEXT),
    )


def _permuted(natural: list[_T], order: str | None, subject: str) -> tuple[_T, ...]:
    if order is None:
        return tuple(natural)
    try:
        places = [int(place) for place in order.split()]
    except ValueError:
        places = []
    if sorted(places) != list(range(len(natural))):
        raise InputError(f"<{subject}>: the order {order!r} does not fit what it orders")
    return tuple(natural[place] for place in places)
