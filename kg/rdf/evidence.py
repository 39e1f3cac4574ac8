"""The evidence of one paper as Web Annotations.

What an assertion rests on is one annotation: its body is the entity, its targets are the spans that tell it. Two
roles that rest on the same spans share the annotation. A span is one target whatever rests on it; the target's
selector says, in one resource, where the span lies and how it reads. A sentence is one resource for all spans in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Literal, NamedNode, Triple

from kg.rdf import vocabulary as v

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.model import Assertion, Evidence
    from kg.rdf.iris import Iris

__all__ = ["annotation", "bodies_and_targets", "evidence_order", "permutation", "sentences", "targets", "words"]


class _Span(NamedTuple):
    field: str
    start: int
    end: int


def annotation(assertion: Assertion, iris: Iris) -> NamedNode:
    """Return the annotation that an assertion with evidence rests on."""
    return NamedNode(iris.evidence(assertion.paper, assertion.node, map(_span, assertion.evidence)))


def bodies_and_targets(key: str, assertions: Sequence[Assertion], iris: Iris) -> Iterator[Triple]:
    """Yield what the annotations of a paper are about, where they point, and where first."""
    distinct = {(a.node, a.evidence): a for a in assertions if a.evidence}
    for assertion in distinct.values():
        subject = annotation(assertion, iris)
        yield Triple(subject, v.TYPE, v.ANNOTATION)
        yield Triple(subject, v.HAS_BODY, NamedNode(iris.node(assertion.node)))
        for number, evidence in enumerate(assertion.evidence):
            target = NamedNode(iris.target(key, *_span(evidence)))
            if number == 0:
                yield Triple(subject, v.FIRST_TARGET, target)
            yield Triple(subject, v.HAS_TARGET, target)
        order = permutation(assertion.evidence, evidence_order(assertion.evidence))
        if order:
            yield Triple(subject, v.TARGET_ORDER, Literal(order))


def targets(key: str, assertions: Iterable[Assertion], iris: Iris) -> Iterator[Triple]:
    """Yield of which paper the targets of a paper's annotations are parts, by which selector, in which sentence.

    Raises:
        ValueError: one span with two surfaces or two sentences.
    """
    paper = NamedNode(iris.paper(key))
    for span, evidence in _spans(key, assertions).items():
        target = NamedNode(iris.target(key, *span))
        yield Triple(target, v.HAS_SOURCE, paper)
        yield Triple(target, v.HAS_SELECTOR, NamedNode(iris.words(key, *span)))
        yield Triple(target, v.SENTENCE, NamedNode(iris.sentence(key, span.field, evidence.sentence)))


def words(key: str, assertions: Iterable[Assertion], iris: Iris) -> Iterator[Triple]:
    """Yield where the spans of a paper lie, and how they read."""
    for span, evidence in _spans(key, assertions).items():
        selector = NamedNode(iris.words(key, *span))
        yield Triple(selector, v.START, v.count(span.start))
        yield Triple(selector, v.END, v.count(span.end))
        yield Triple(selector, v.EXACT, Literal(evidence.exact))


def sentences(key: str, assertions: Iterable[Assertion], iris: Iris) -> Iterator[Triple]:
    """Yield the text and the field of each sentence of a paper that holds evidence."""
    for field, text in dict.fromkeys((e.field, e.sentence) for a in assertions for e in a.evidence):
        sentence = NamedNode(iris.sentence(key, field, text))
        yield Triple(sentence, v.FIELD, Literal(field))
        yield Triple(sentence, v.TEXT, Literal(text))


def _span(evidence: Evidence) -> _Span:
    return _Span(evidence.field, evidence.start, evidence.end)


def _spans(key: str, assertions: Iterable[Assertion]) -> dict[_Span, Evidence]:
    found: dict[_Span, Evidence] = {}
    for assertion in assertions:
        for evidence in assertion.evidence:
            span = _span(evidence)
            if found.setdefault(span, evidence) != evidence:
                raise ValueError(
                    f"paper {key!r}: {span.field}[{span.start}:{span.end}] has two surfaces or two sentences"
                )
    return found


def _field_order(field: str) -> tuple[int, int, str]:
    """Return a key that sorts fields as a reader meets them: title, abstract, body/1, …, body/10."""
    head, _, number = field.partition("/")
    known = {"title": 0, "abstract": 1, "body": 2}
    return known.get(head, 3), int(number) if number.isascii() and number.isdigit() else 0, field


def evidence_order(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the natural order of an assertion's evidence: the first stays first, the rest as the text has them."""
    return [*evidence[:1], *sorted(evidence[1:], key=lambda e: (_field_order(e.field), e.start, e.end))]


def permutation(wanted: Sequence[object], natural: Sequence[object]) -> str:
    """Return where each of `wanted` stands in `natural`, from 0, with spaces between; nothing if both are the same.

    >>> permutation(("b", "c", "a"), ("a", "b", "c")), permutation("ab", "ab")
    ('1 2 0', '')
    """
    if list(wanted) == list(natural):
        return ""
    place = {value: number for number, value in enumerate(natural)}
    return " ".join(str(place[value]) for value in wanted)
