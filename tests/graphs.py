"""Graphs made by hand, for tests of the stages that take a graph."""

from __future__ import annotations

from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Link, Node, Paper, Role


def small_graph() -> KnowledgeGraph:
    """Two papers, one method in two versions with their family, a dataset, a board."""
    first = Paper(
        key="arxiv:2407.08608",
        id="fa3",
        title="FlashAttention-3",
        abstract='We propose FlashAttention-3. It beats FlashAttention-2 on an H100. \u03c0\u2080 & <b>"x"</b>',
        authors=("A. Author", "B. Büthor"),
        venue="NeurIPS",
        year=2024,
        url="https://example.org/p?a=1&b=%20",
        identifiers=(("arxiv", "2407.08608"), ("doi", "10.1000/x<y>")),
    )
    second = Paper(key="text:0123456789abcdef", id="second", abstract="A probe of FlashAttention-3 on CIFAR-10.")

    def said(paper: Paper, surface: str, sentence: str) -> Evidence:
        start = paper.abstract.index(surface)
        return Evidence("abstract", start, start + len(surface), surface, sentence)

    proposes = said(first, "FlashAttention-3", "We propose FlashAttention-3.")
    beats = said(first, "FlashAttention-2", "It beats FlashAttention-2 on an H100.")
    board = said(first, "H100", "It beats FlashAttention-2 on an H100.")
    uses = said(second, "FlashAttention-3", second.abstract)
    data = said(second, "CIFAR-10", second.abstract)
    method, dataset, hardware = EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE
    nodes = (
        Node("cifar10", dataset, "CIFAR-10", (dataset,), ("CIFAR 10",), family="cifar"),
        Node("cifar", dataset, "CIFAR", (), ()),
        Node("flashattention", method, "FlashAttention", (), ("Flash Attention",), introduced_by="arxiv:2205.14135"),
        Node("flashattention2", method, "FlashAttention-2", (method,), (), family="flashattention"),
        Node("flashattention3", method, "FlashAttention-3", (method,), ("FA3",), family="flashattention"),
        Node("h100", hardware, "H100", (hardware,), (), homepage="https://example.org/h100", wikidata="Q115764486"),
    )
    told = [
        (first, Role.PROPOSES, "flashattention3", 0.97, proposes),
        (first, Role.COMPARES_TO, "flashattention2", 0.9, beats),
        (first, Role.RUNS_ON, "h100", 0.8, board),
        (second, Role.USES_METHOD, "flashattention3", 0.7, uses),
        (second, Role.EVALUATES_ON, "cifar10", 0.75, data),
    ]
    assertions = [Assertion(p.key, role, node, confidence, (e,)) for p, role, node, confidence, e in told]
    assertions += [Assertion(p.key, Role.MENTIONS, node, 0.99, (e,)) for p, _, node, _, e in told]
    return KnowledgeGraph(
        papers=(first, second),
        nodes=tuple(sorted(nodes, key=lambda n: n.key)),
        assertions=tuple(sorted(assertions, key=lambda a: (a.paper, a.role, a.node))),
        links=(
            Link("fa3", "e1", "flashattention3", "spelling"),
            Link("fa3", "e2", "flashattention2", "spelling"),
            Link("fa3", "e3", "h100", "catalogue"),
            Link("second", "e1", "flashattention3", "spelling"),
            Link("second", "e2", "cifar10", "catalogue"),
        ),
        titles=((first.key, first.title), (second.key, "A probe of FlashAttention-3")),
    )
