"""Hypothesis strategies for graphs whose every text is any text."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role

AWKWARD = (
    *(
        "\x00\x01\x0b\x0c\x1f\x7f\x85",
        "a\r\nb\rc\n",
        '"""\'\\"',
        "\\u0041\\",
        "</script>",
        "\u202eRTL\u2066",
        "שלום עולם",
    ),
    *(
        "\u2028\u2029\ufeff\ufffe\uffff",
        "π₀ \U0001f600\U0010ffff",
        "{}|^`<>[]",
        "a b%20c%",
        "..",
        ".",
        "/",
        "é\u0301",
        '" .\n',
    ),
)

texts = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), st.sampled_from(AWKWARD))
filled = texts.filter(bool)
optional = st.none() | texts
urls = (
    st.none() | texts | st.sampled_from(("https://a.b/c?d=%20&e#f", "http://a/../b", "https://é.org/ü", "https:///x"))
)
types = st.sampled_from(EntityType)


@st.composite
def _papers(draw: st.DrawFn) -> tuple[Paper, ...]:
    keys = draw(st.lists(filled, unique=True, max_size=3))
    return tuple(
        Paper(
            key=key,
            id=draw(texts),
            title=draw(texts),
            abstract=draw(filled),
            body=tuple(draw(st.lists(texts, max_size=2))),
            authors=tuple(draw(st.lists(texts, max_size=2))),
            venue=draw(optional),
            year=draw(st.none() | st.integers(1, 12000)),
            url=draw(urls),
            identifiers=tuple(
                sorted(draw(st.dictionaries(st.sampled_from(("arxiv", "doi")) | texts, texts, max_size=2)).items())
            ),
        )
        for key in sorted(keys)
    )


@st.composite
def _nodes(draw: st.DrawFn) -> tuple[Node, ...]:
    keys = draw(st.lists(filled, unique=True, max_size=3))
    return tuple(
        Node(
            key=key,
            type=draw(types),
            name=draw(texts),
            types=tuple(draw(st.lists(types, max_size=3))),
            aliases=tuple(draw(st.lists(texts, unique=True, max_size=3))),
            family=draw(st.none() | st.sampled_from(keys)),
            homepage=draw(urls),
            introduced_by=draw(optional),
            wikidata=draw(st.sampled_from((None, "Q42", "Q0", "P1", "Q١")) | texts),
        )
        for key in sorted(keys)
    )


@st.composite
def _evidence(draw: st.DrawFn, paper: Paper) -> tuple[Evidence, ...]:
    def one(drawn: tuple[Any, int, int]) -> Evidence:
        (field, text), a, b = drawn
        start, end = sorted((a % len(text), b % len(text)))
        return Evidence(field, start, end + 1, text[start : end + 1], text)

    spans = st.tuples(st.sampled_from(list(paper.fields())), st.integers(0, 20), st.integers(0, 20)).map(one)
    return tuple(draw(st.lists(spans, unique=True, max_size=4)))


@st.composite
def graphs(draw: st.DrawFn) -> KnowledgeGraph:
    """Graphs that are consistent, as resolution makes them, and otherwise of any content."""
    papers, nodes = draw(_papers()), draw(_nodes())
    assertions = [
        Assertion(paper.key, role, node.key, draw(st.floats(0, 1)), draw(_evidence(paper)))
        for paper in papers
        for node in nodes
        for role in sorted(draw(st.sets(st.sampled_from(Role), max_size=2)))
    ]
    return KnowledgeGraph(
        papers=papers,
        nodes=nodes,
        assertions=tuple(sorted(assertions, key=lambda a: (a.paper, a.role, a.node))),
        titles=tuple((paper.key, draw(texts)) for paper in papers),
    )
