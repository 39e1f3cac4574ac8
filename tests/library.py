"""A graph of several papers, made by hand, in which every named query has something to find."""

from __future__ import annotations

import re
from typing import Final

from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role

_M, _D, _H = EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE

_NODES: Final = (
    Node("transformer", _M, "Transformer", (_M,), ("vanilla Transformer", "transformers")),
    Node("attention", _M, "attention", (_M,), ("scaled dot-product attention",)),
    Node("flashattention", _M, "FlashAttention", (_M,), ("Flash Attention", "FA"), introduced_by="arxiv:2205.14135"),
    Node("flashattention2", _M, "FlashAttention-2", (_M,), ("FA2",), family="flashattention"),
    Node("flashattention3", _M, "FlashAttention-3", (_M,), ("FA3",), family="flashattention"),
    Node("mamba", _M, "Mamba", (_M,), ("selective SSM",)),
    Node("resnet", _M, "ResNet", (), ("residual network",)),
    Node("resnet50", _M, "ResNet-50", (_M,), ("R50",), family="resnet"),
    Node("cifar", _D, "CIFAR", (), ()),
    Node("cifar10", _D, "CIFAR-10", (_D,), ("CIFAR10",), family="cifar"),
    Node("cifar100", _D, "CIFAR-100", (_D,), (), family="cifar"),
    Node("imagenet", _D, "ImageNet", (_D,), ("ILSVRC 2012", "ImageNet-1k"), wikidata="Q24901201"),
    Node("ecole", _D, "École-Σ", (_D,), ("ÉCOLE Σ",)),
    Node("a100", _H, "A100", (_H,), ("NVIDIA A100",), homepage="https://example.org/a100"),
    Node("h100", _H, "H100", (_H,), ("NVIDIA H100",)),
    Node("perplexity", EntityType.METRIC, "perplexity", (EntityType.METRIC,), ("PPL",)),
    Node("lm", EntityType.TASK, "language modelling", (EntityType.TASK,), ("language modeling",)),
)

_B, _C, _U = Role.BUILDS_ON, Role.COMPARES_TO, Role.USES_METHOD
_E, _T, _R, _P = Role.EVALUATES_ON, Role.TRAINS_ON, Role.RUNS_ON, Role.PROPOSES

# Each paper: key, id, title, year, abstract, and what it says: role, node, surface, confidence.
_PAPERS: Final[tuple[tuple[str, str, str, int | None, str, tuple[tuple[Role, str, str, float], ...]], ...]] = (
    (
        *("arxiv:1706.03762", "vaswani", "Attention Is All You Need", 2017),
        "The Transformer is built on scaled dot-product attention alone. It improves language modeling perplexity.",
        (
            (_P, "transformer", "Transformer", 0.98),
            (_B, "attention", "scaled dot-product attention", 0.9),
            (Role.ADDRESSES, "lm", "language modeling", 0.7),
            (Role.MEASURES, "perplexity", "perplexity", 0.8),
        ),
    ),
    (
        *("arxiv:2205.14135", "flash1", "FlashAttention", 2022),
        "FlashAttention makes the Transformer fast on an A100. "
        "FlashAttention is exact, and beats the vanilla Transformer.",
        (
            (_P, "flashattention", "FlashAttention", 0.97),
            (_B, "transformer", "Transformer", 0.61),
            (_C, "transformer", "vanilla Transformer", 0.88),
            (_R, "a100", "A100", 0.9),
        ),
    ),
    (
        *("arxiv:2307.08691", "flash2", "FlashAttention-2", 2023),
        "FlashAttention-2 refines FlashAttention. "
        "On A100 boards it is twice as fast as Flash Attention, and trains on ImageNet.",
        (
            (_P, "flashattention2", "FlashAttention-2", 0.97),
            (_B, "flashattention", "FlashAttention.", 0.8),
            (_C, "flashattention", "Flash Attention", 0.93),
            (_R, "a100", "A100", 0.9),
            (_T, "imagenet", "ImageNet", 0.6),
        ),
    ),
    (
        *("arxiv:2407.08608", "flash3", "FlashAttention-3", 2024),
        "We present FlashAttention-3, which builds on FlashAttention-2. "
        "It beats FlashAttention-2 on the H100, and Mamba.",
        (
            (_P, "flashattention3", "FlashAttention-3", 0.99),
            (_B, "flashattention2", "FlashAttention-2", 0.85),
            (_C, "flashattention2", "FlashAttention-2", 0.9),
            (_C, "mamba", "Mamba", 0.55),
            (_R, "h100", "H100", 0.95),
        ),
    ),
    (
        *("arxiv:2312.00752", "mamba", "Mamba", 2023),
        "Mamba is a selective SSM without attention. We compare with the Transformer and FlashAttention-2 on an A100.",
        (
            (_P, "mamba", "Mamba", 0.97),
            (_C, "transformer", "Transformer", 0.8),
            (_C, "flashattention2", "FlashAttention-2", 0.7),
            (_R, "a100", "A100", 0.9),
        ),
    ),
    (
        *("doi:10.1000/x<y>", "vision", 'Residual "nets" & {dots}', None),
        "Trained on ImageNet, ResNet-50 is tested on CIFAR-10, CIFAR-100 and École-Σ. It beats the Transformer.",
        (
            (_U, "resnet50", "ResNet-50", 0.9),
            (_T, "imagenet", "ImageNet", 0.9),
            (_E, "cifar10", "CIFAR-10", 0.9),
            (_E, "cifar100", "CIFAR-100", 0.9),
            (_E, "ecole", "École-Σ", 0.9),
            (_C, "transformer", "Transformer", 0.9),
        ),
    ),
    (
        *("text:0123456789abcdef", "untitled", "", 2026),
        "A loop: the Transformer revisited, with Mamba in it, on CIFAR-10 and CIFAR-10 again; "
        "ImageNet too, and an H100.",
        (
            (_P, "transformer", "Transformer", 0.5),
            (_B, "mamba", "Mamba", 0.5),
            (_B, "transformer", "Transformer", 0.5),
            (_E, "cifar10", "CIFAR-10", 0.75),
            (_E, "imagenet", "ImageNet", 0.6),
            (_T, "cifar10", "CIFAR-10", 0.6),
            (_R, "h100", "H100", 0.9),
        ),
    ),
)


def library() -> KnowledgeGraph:
    """Return the graph."""
    papers = tuple(
        Paper(key=key, id=id_, title=title, abstract=abstract, year=year, authors=("A. Author",), venue="Venue")
        for key, id_, title, year, abstract, _ in _PAPERS
    )
    assertions: dict[tuple[str, Role, str], Assertion] = {}
    for paper, (*_, told) in zip(papers, _PAPERS, strict=True):
        for role, node, surface, confidence in told:
            evidence = _evidence(paper, surface)
            assertions[paper.key, role, node] = Assertion(paper.key, role, node, confidence, evidence)
            named = assertions.get((paper.key, Role.MENTIONS, node))
            seen = (*(named.evidence if named else ()), *evidence)
            assertions[paper.key, Role.MENTIONS, node] = Assertion(
                paper.key, Role.MENTIONS, node, 0.99, tuple(dict.fromkeys(seen))
            )
    return KnowledgeGraph(
        papers=tuple(sorted(papers, key=lambda paper: paper.key)),
        nodes=tuple(sorted(_NODES, key=lambda node: node.key)),
        assertions=tuple(assertions[key] for key in sorted(assertions)),
        titles=tuple(sorted((paper.key, paper.title or "Transformer revisited") for paper in papers)),
    )


def _evidence(paper: Paper, surface: str) -> tuple[Evidence, ...]:
    found = []
    for match in re.finditer(rf"(?<!\w){re.escape(surface)}(?![\w-])", paper.abstract):
        before = paper.abstract.rfind(". ", 0, match.start())
        after = paper.abstract.find(". ", match.end() - 1)
        start, end = before + 2 if before >= 0 else 0, after + 1 if after >= 0 else len(paper.abstract)
        found.append(Evidence("abstract", match.start(), match.end(), match[0], paper.abstract[start:end]))
    assert found, f"{surface!r} is not in {paper.id}"
    return tuple(reversed(found))  # the last is the most telling, so that its place is not its order


QUESTIONS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("baseline-users", {"name": "FlashAttention-2"}),
    ("baseline-users", {"name": "flash attention"}),
    ("baseline-users", {"name": "TRANSFORMERS"}),
    ("baseline-users", {"name": "nobody knows this"}),
    ("baseline-users", {"name": "'}) DETACH DELETE n //"}),
    ("comparisons", {"paper": "flash3"}),
    ("comparisons", {"paper": 'residual "NETS" & {dots}'}),
    ("comparisons", {"paper": "DOI:10.1000/x<y>"}),
    ("comparisons", {"paper": "transformer revisited"}),
    ("counts", {}),
    ("datasets-by-use", {}),
    ("evidence", {"paper": "untitled", "name": "cifar10"}),
    ("evidence", {"paper": "flash3", "name": "fa2"}),
    ("evidence", {"paper": "vision", "name": "école σ"}),
    ("evidence", {"paper": "vision", "name": "`backtick` \n \U0001f600"}),
    ("hardware-by-paper", {}),
    ("lineage", {"name": "FA3"}),
    ("lineage", {"name": "FlashAttention"}),
    ("lineage", {"name": "Transformer"}),
    ("shared-baselines", {}),
    ("versions", {"name": "flashattention"}),
    ("versions", {"name": "R50"}),
    ("versions", {"name": "CIFAR"}),
)
"""Named queries with parameters: by name, by alias, in another case, with no answer, and hostile."""
