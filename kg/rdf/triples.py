"""From a KnowledgeGraph to its triples.

The triples come without repetition. Whatever order cannot be told from the triples themselves (of evidence,
of aliases) is written as a short literal, and only where it differs from the natural one, so that
`kg.rdf.reading` gives back the same graph.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Triple

from kg.model import EntityType, KnowledgeGraph, Node, Paper, Role
from kg.rdf import vocabulary as v
from kg.rdf.iris import Iris, encode, web_iri, wikidata_iri
from kg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.model import Assertion, Evidence

__all__ = ["description", "field_order", "permutation", "statements", "triples"]

_TYPES = tuple(EntityType)


def triples(graph: KnowledgeGraph, base_iri: str | None = None) -> Iterator[Triple]:
    """Yield each triple of the graph once, its description included.

    Raises:
        InputError: `base_iri` is not an absolute IRI.
        ValueError: the graph contradicts itself: one span with two surfaces or two sentences.
    """
    iris = Iris(base_iri)
    yield from description(iris)
    yield from statements(graph, iris)


def description(iris: Iris) -> Iterator[Triple]:
    """Yield what says of the graph itself: the space of its IRIs, and by which version it was made."""
    graph, run, software = (
        NamedNode(iris.graph()),
        NamedNode(iris.run(__version__)),
        NamedNode(iris.software(__version__)),
    )
    yield Triple(graph, v.TYPE, v.VOID_DATASET)
    yield Triple(graph, v.URI_SPACE, Literal(iris.base))
    yield Triple(graph, v.CONFORMS_TO, NamedNode(v.ONTOLOGY_IRI))
    yield Triple(graph, v.GENERATED_BY, run)
    yield Triple(run, v.TYPE, v.ACTIVITY)
    yield Triple(run, v.ASSOCIATED_WITH, software)
    yield Triple(software, v.TYPE, v.SOFTWARE_AGENT)
    yield Triple(software, v.LABEL, Literal(f"paper-kg {__version__}"))
    yield Triple(software, v.SOFTWARE_VERSION, Literal(__version__))


def statements(graph: KnowledgeGraph, iris: Iris) -> Iterator[Triple]:
    """Yield what the graph says of papers and things."""
    for paper in graph.papers:
        yield from _paper(paper, graph.title_of.get(paper.key), iris)
    for node in graph.nodes:
        yield from _node(node, iris)
    ordered = sorted(graph.assertions, key=lambda a: a.paper)
    for key, assertions in groupby(ordered, key=lambda a: a.paper):
        yield from _assertions(key, tuple(assertions), iris)


def _paper(paper: Paper, label: str | None, iris: Iris) -> Iterator[Triple]:
    subject = NamedNode(iris.paper(paper.key))
    yield Triple(subject, v.TYPE, v.SCHOLARLY_ARTICLE)
    yield Triple(subject, v.TYPE, v.RESEARCH_PAPER)
    yield Triple(subject, v.IDENTIFIER, Literal(paper.key))
    yield Triple(subject, v.RECORD_ID, Literal(paper.id))
    if label is not None:
        yield Triple(subject, v.LABEL, Literal(label))
    if paper.title:
        yield Triple(subject, v.TITLE, Literal(paper.title))
    if paper.abstract:
        yield Triple(subject, v.ABSTRACT, Literal(paper.abstract))
    if paper.venue is not None:
        yield Triple(subject, v.VENUE, Literal(paper.venue))
    if paper.year is not None:
        yield Triple(subject, v.ISSUED, Literal(_year(paper.year), datatype=v.G_YEAR))
    if paper.url is not None:
        yield Triple(subject, v.URL, web_iri(paper.url) or Literal(paper.url))
    for scheme, value in paper.identifiers:
        yield Triple(subject, v.SCHEME_IDENTIFIER, Literal(f"{_scheme(scheme)}:{value}"))
        if scheme in v.PUBLIC_IDENTIFIERS:
            yield Triple(subject, v.PUBLIC_IDENTIFIERS[scheme], Literal(value))
    for number, name in enumerate(paper.authors, start=1):
        author = NamedNode(iris.author(paper.key, number))
        yield Triple(subject, v.CREATOR, author)
        yield Triple(author, v.TYPE, v.PERSON)
        yield Triple(author, v.NAME, Literal(name))
        yield Triple(author, v.POSITION, _count(number))
    for number, text in enumerate(paper.body, start=1):
        section = NamedNode(iris.section(paper.key, number))
        yield Triple(subject, v.HAS_PART, section)
        yield Triple(section, v.TYPE, v.SECTION)
        yield Triple(section, v.TEXT, Literal(text))
        yield Triple(section, v.POSITION, _count(number))


def _node(node: Node, iris: Iris) -> Iterator[Triple]:
    subject = NamedNode(iris.node(node.key))
    for class_ in v.CLASSES[node.type]:
        yield Triple(subject, v.TYPE, class_)
    yield Triple(subject, v.IDENTIFIER, Literal(node.key))
    yield Triple(subject, v.PREFERRED_LABEL, Literal(node.name))
    told = tuple(type_ for type_ in _TYPES if type_ in node.types)
    for type_ in told:
        yield Triple(subject, v.TOLD_TYPE, v.CLASSES[type_][0])
    if told != node.types:
        yield Triple(subject, v.TOLD_TYPES, Literal(" ".join(node.types)))
    for alias in node.aliases:
        yield Triple(subject, v.ALTERNATIVE_LABEL, Literal(alias))
    order = permutation(node.aliases, sorted(node.aliases))
    if order:
        yield Triple(subject, v.ALIAS_ORDER, Literal(order))
    if node.family is not None:
        yield Triple(subject, v.IS_VERSION_OF, NamedNode(iris.node(node.family)))
        yield Triple(subject, v.BROADER, NamedNode(iris.node(node.family)))
    if node.homepage is not None:
        yield Triple(subject, v.URL, web_iri(node.homepage) or Literal(node.homepage))
    if node.introduced_by is not None:
        yield Triple(subject, v.INTRODUCED_BY, Literal(node.introduced_by))
    if node.wikidata is not None:
        item = wikidata_iri(node.wikidata)
        yield Triple(subject, v.EXACT_MATCH, item) if item else Triple(subject, v.WIKIDATA_TEXT, Literal(node.wikidata))


def _assertions(key: str, assertions: Iterable[Assertion], iris: Iris) -> Iterator[Triple]:
    paper = NamedNode(iris.paper(key))
    mentioned: set[str] = set()
    said: dict[tuple[str, int, int, str], str] = {}
    read: dict[tuple[str, int, int], str] = {}
    for assertion in assertions:
        subject, entity = (
            NamedNode(iris.assertion(key, assertion.role, assertion.node)),
            NamedNode(iris.node(assertion.node)),
        )
        if assertion.node not in mentioned:
            mentioned.add(assertion.node)
            yield Triple(paper, v.ROLES[Role.MENTIONS], entity)
        if assertion.role is not Role.MENTIONS:
            yield Triple(paper, v.ROLES[assertion.role], entity)
        yield Triple(subject, v.TYPE, v.ASSERTION)
        yield Triple(subject, v.PAPER, paper)
        yield Triple(subject, v.ROLE, v.ROLES[assertion.role])
        yield Triple(subject, v.ENTITY, entity)
        yield Triple(subject, v.CONFIDENCE, Literal(_decimal(assertion.confidence), datatype=v.DECIMAL))
        for number, evidence in enumerate(assertion.evidence):
            field, start, end = span = (evidence.field, evidence.start, evidence.end)
            annotation = NamedNode(iris.evidence(key, field, start, end, assertion.node))
            if number == 0:
                yield Triple(subject, v.FIRST_EVIDENCE, annotation)
            yield Triple(subject, v.EVIDENCE, annotation)
            if span not in read:
                read[span] = evidence.exact
                yield from _span(paper, key, evidence, iris)
            if (*span, assertion.node) not in said:
                said[(*span, assertion.node)] = evidence.sentence
                yield Triple(annotation, v.TYPE, v.ANNOTATION)
                yield Triple(annotation, v.HAS_BODY, entity)
                yield Triple(annotation, v.HAS_TARGET, NamedNode(iris.span(key, field, start, end)))
                yield Triple(annotation, v.SENTENCE, Literal(evidence.sentence))
            if read[span] != evidence.exact or said[(*span, assertion.node)] != evidence.sentence:
                raise ValueError(f"paper {key!r}: {field}[{start}:{end}] has two surfaces or two sentences")
        order = permutation(assertion.evidence, evidence_order(assertion.evidence))
        if order:
            yield Triple(subject, v.EVIDENCE_ORDER, Literal(order))


def _span(paper: NamedNode, key: str, evidence: Evidence, iris: Iris) -> Iterator[Triple]:
    place = (key, evidence.field, evidence.start, evidence.end)
    span, position, quote = (
        NamedNode(iris.span(*place)),
        NamedNode(iris.position(*place)),
        NamedNode(iris.quote(*place)),
    )
    yield Triple(span, v.TYPE, v.SPECIFIC_RESOURCE)
    yield Triple(span, v.HAS_SOURCE, paper)
    yield Triple(span, v.FIELD, Literal(evidence.field))
    yield Triple(span, v.HAS_SELECTOR, position)
    yield Triple(span, v.HAS_SELECTOR, quote)
    yield Triple(position, v.TYPE, v.POSITION_SELECTOR)
    yield Triple(position, v.START, _count(evidence.start))
    yield Triple(position, v.END, _count(evidence.end))
    yield Triple(quote, v.TYPE, v.QUOTE_SELECTOR)
    yield Triple(quote, v.EXACT, Literal(evidence.exact))


def field_order(field: str) -> tuple[int, int, str]:
    """Return a key that sorts fields as a reader meets them: title, abstract, body/1, …, body/10."""
    head, _, number = field.partition("/")
    known = {"title": 0, "abstract": 1, "body": 2}
    return known.get(head, 3), int(number) if number.isascii() and number.isdigit() else 0, field


def evidence_order(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the natural order of an assertion's evidence: the first stays first, the rest as the text has them."""
    return [*evidence[:1], *sorted(evidence[1:], key=lambda e: (field_order(e.field), e.start, e.end))]


def permutation(wanted: Sequence[object], natural: Sequence[object]) -> str:
    """Return where each of `wanted` stands in `natural`, from 0, with spaces between; nothing if both are the same.

    >>> permutation(("b", "c", "a"), ("a", "b", "c")), permutation("ab", "ab")
    ('1 2 0', '')
    """
    if list(wanted) == list(natural):
        return ""
    place = {value: number for number, value in enumerate(natural)}
    return " ".join(str(place[value]) for value in wanted)


def _scheme(scheme: str) -> str:
    return encode(scheme).replace(":", "%3A")


def _count(number: int) -> Literal:
    return Literal(str(number), datatype=v.COUNT)


def _decimal(number: float) -> str:
    return format(Decimal(repr(float(number))), "f")


def _year(year: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}"
