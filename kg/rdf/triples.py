"""From a KnowledgeGraph to its triples, part by part, so that nobody has to hold them all.

The triples come without repetition. Whatever order cannot be told from the triples themselves (of evidence,
of aliases) is written as a short literal, and only where it differs from the natural one, so that
`kg.rdf.reading` gives back the same graph.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import Literal, NamedNode, Triple

from kg.model import EntityType, KnowledgeGraph, Node, Paper, Role
from kg.rdf import vocabulary as v
from kg.rdf.evidence import annotation, bodies_and_targets, permutation, sentences, targets, words
from kg.rdf.iris import Iris, encode, short, web_iri, wikidata_iri
from kg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kg.model import Assertion

__all__ = ["blocks", "statements", "triples"]

Block: TypeAlias = "Iterable[Triple]"
_TYPES = tuple(EntityType)


def triples(graph: KnowledgeGraph, base_iri: str | None = None) -> Iterator[Triple]:
    """Yield each triple of the graph once, its description included.

    Raises:
        InputError: `base_iri` is not an absolute IRI.
        ValueError: the graph contradicts itself: one span with two surfaces or two sentences.
    """
    return chain.from_iterable(blocks(graph, Iris(base_iri)))


def blocks(graph: KnowledgeGraph, iris: Iris) -> Iterator[Block]:
    """Yield the triples in blocks, the description included: all of one subject stand in one block.

    Written as N-Triples, every line of a block comes before every line of the next, in the order of code
    points; within a block the triples have no order.
    """
    kinds = {**_kinds(graph, iris), **_description(iris)}
    for kind in sorted(kinds):
        yield from kinds[kind]


def statements(graph: KnowledgeGraph, iris: Iris) -> Iterator[Triple]:
    """Yield what the graph says of papers and things."""
    for kind in _kinds(graph, iris).values():
        yield from chain.from_iterable(kind)


def _description(iris: Iris) -> dict[str, Iterable[Block]]:
    """Return what says of the graph itself: the space of its IRIs, and by which version it was made."""
    graph, run, software = (
        NamedNode(iris.graph()),
        NamedNode(iris.run(__version__)),
        NamedNode(iris.software(__version__)),
    )
    about_graph = (
        Triple(graph, v.TYPE, v.VOID_DATASET),
        Triple(graph, v.URI_SPACE, Literal(iris.base)),
        Triple(graph, v.CONFORMS_TO, NamedNode(v.ONTOLOGY_IRI)),
        Triple(graph, v.GENERATED_BY, run),
    )
    about_run = (Triple(run, v.TYPE, v.ACTIVITY), Triple(run, v.ASSOCIATED_WITH, software))
    about_software = (
        Triple(software, v.TYPE, v.SOFTWARE_AGENT),
        Triple(software, v.LABEL, Literal(f"paper-kg {__version__}")),
        Triple(software, v.SOFTWARE_VERSION, Literal(__version__)),
    )
    return {"graph": [about_graph], "run": [about_run], "software": [about_software]}


def _kinds(graph: KnowledgeGraph, iris: Iris) -> dict[str, Iterable[Block]]:
    """Return blocks in order for each kind of subject, by the kind's segment in its IRIs."""
    told: defaultdict[str, list[Assertion]] = defaultdict(list)
    for assertion in graph.assertions:
        told[assertion.paper].append(assertion)
    papers = {paper.key: paper for paper in graph.papers}
    by_paper = sorted(graph.papers, key=lambda paper: f"{short(paper.key)}_")
    by_told = sorted(told, key=lambda key: f"{short(key)}_")

    def of_told(make: Callable[[str, Sequence[Assertion], Iris], Block]) -> Iterator[Block]:
        return (make(key, told[key], iris) for key in by_told)

    return {
        "a": of_told(_assertions),
        "author": (_authors(paper, iris) for paper in by_paper),
        "e": of_told(bodies_and_targets),
        "entity": (_node(node, iris) for node in sorted(graph.nodes, key=lambda node: f"{encode(node.key)}>")),
        "paper": (
            chain(_paper(papers[key], graph.title_of.get(key), iris) if key in papers else (), _edges(key, told, iris))
            for key in sorted({*papers, *told}, key=lambda key: f"{encode(key)}>")
        ),
        "s": of_told(sentences),
        "section": (_sections(paper, iris) for paper in by_paper),
        "t": of_told(targets),
        "w": of_told(words),
    }


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
    for number in range(1, len(paper.authors) + 1):
        yield Triple(subject, v.CREATOR, NamedNode(iris.author(paper.key, number)))
    for number in range(1, len(paper.body) + 1):
        yield Triple(subject, v.HAS_PART, NamedNode(iris.section(paper.key, number)))


def _edges(key: str, told: Mapping[str, Sequence[Assertion]], iris: Iris) -> Iterator[Triple]:
    paper = NamedNode(iris.paper(key))
    assertions = told.get(key, ())
    for node in dict.fromkeys(assertion.node for assertion in assertions):
        yield Triple(paper, v.ROLES[Role.MENTIONS], NamedNode(iris.node(node)))
    for assertion in assertions:
        if assertion.role is not Role.MENTIONS:
            yield Triple(paper, v.ROLES[assertion.role], NamedNode(iris.node(assertion.node)))


def _authors(paper: Paper, iris: Iris) -> Iterator[Triple]:
    for number, name in enumerate(paper.authors, start=1):
        author = NamedNode(iris.author(paper.key, number))
        yield Triple(author, v.TYPE, v.PERSON)
        yield Triple(author, v.NAME, Literal(name))
        yield Triple(author, v.POSITION, v.count(number))


def _sections(paper: Paper, iris: Iris) -> Iterator[Triple]:
    for number, text in enumerate(paper.body, start=1):
        section = NamedNode(iris.section(paper.key, number))
        yield Triple(section, v.TYPE, v.SECTION)
        yield Triple(section, v.TEXT, Literal(text))
        yield Triple(section, v.POSITION, v.count(number))


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
    for assertion in assertions:
        subject = NamedNode(iris.assertion(key, assertion.role, assertion.node))
        yield Triple(subject, v.TYPE, v.ASSERTION)
        yield Triple(subject, v.PAPER, paper)
        yield Triple(subject, v.ROLE, v.ROLES[assertion.role])
        yield Triple(subject, v.ENTITY, NamedNode(iris.node(assertion.node)))
        yield Triple(subject, v.CONFIDENCE, Literal(_decimal(assertion.confidence), datatype=v.DECIMAL))
        if assertion.evidence:
            yield Triple(subject, v.EVIDENCE, annotation(assertion, iris))


def _scheme(scheme: str) -> str:
    return encode(scheme).replace(":", "%3A")


def _decimal(number: float) -> str:
    return format(Decimal(repr(float(number))), "f")


def _year(year: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}"
