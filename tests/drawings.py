"""Made-up graphs of any size, always the same, for tests of drawing."""

from __future__ import annotations

import random

from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role

ROLES_OF = {
    EntityType.METHOD: (Role.PROPOSES, Role.BUILDS_ON, Role.USES_METHOD, Role.COMPARES_TO),
    EntityType.DATASET: (Role.EVALUATES_ON, Role.TRAINS_ON),
    EntityType.HARDWARE: (Role.RUNS_ON,),
    EntityType.TASK: (Role.ADDRESSES,),
    EntityType.METRIC: (Role.MEASURES,),
}


def made_up(papers: int, things: int, *, seed: int = 1) -> KnowledgeGraph:
    """Papers that name six things each, some things much more often than others; every thing is named."""
    chance = random.Random(seed)
    types = chance.choices(tuple(EntityType), (50, 30, 4, 10, 6), k=things)
    nodes = tuple(Node(f"thing{i:05}", kind, f"{kind}-{i}", (kind,)) for i, kind in enumerate(types))
    weights = [1 / (rank + 2) for rank in range(things)]
    unnamed = list(range(things))
    all_papers, assertions = [], []
    for number in range(papers):
        picks = set(chance.choices(range(things), weights, k=6))
        picks.update(unnamed[number::papers])
        words = [f"It says {nodes[i].name} in sentence {i}." for i in sorted(picks)]
        paper = Paper(key=f"text:{number:05}", id=str(number), abstract=" ".join(words))
        all_papers.append(paper)
        for i, sentence in zip(sorted(picks), words, strict=True):
            start = paper.abstract.index(sentence) + len("It says ")
            evidence = Evidence("abstract", start, start + len(nodes[i].name), nodes[i].name, sentence)
            role = chance.choice(ROLES_OF[nodes[i].type])
            for each in (role, Role.MENTIONS):
                assertions.append(Assertion(paper.key, each, nodes[i].key, 0.9, (evidence,)))
    titles = tuple((paper.key, f"Made-up paper {paper.id}") for paper in all_papers)
    assertions.sort(key=lambda a: (a.paper, a.role, a.node))
    return KnowledgeGraph(tuple(all_papers), nodes, tuple(assertions), (), titles)


def with_texts(*texts: str) -> KnowledgeGraph:
    """One paper and one method a text, each text being title, author, venue, link, name, alias, and evidence."""
    papers, nodes, assertions, titles = [], [], [], []
    for i, text in enumerate(texts):
        abstract = f"We propose {text} here."
        paper = Paper(f"text:{i}", str(i), text, abstract, authors=(text,), venue=text, year=2026, url=text)
        papers.append(paper)
        titles.append((paper.key, text))
        kind = EntityType.METHOD
        nodes.append(Node(f"m{i}", kind, text, (kind,), (text + "!",), None, text, text, text))
        evidence = Evidence("abstract", 11, 11 + len(text), text, abstract)
        assertions.append(Assertion(paper.key, Role.PROPOSES, f"m{i}", 1.0, (evidence,)))
    return KnowledgeGraph(tuple(papers), tuple(nodes), tuple(assertions), (), tuple(titles))
