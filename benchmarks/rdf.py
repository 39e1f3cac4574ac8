"""How fast, in how many bytes and in how much memory a graph is written, against rdflib's serializers.

    python benchmarks/rdf.py [PAPERS]

Makes a graph of that many papers (1000 unless said), and one of a fifth, and writes both as N-Triples, Turtle and
JSON-LD, each in a process of its own. Memory is what writing takes beyond the graph: of ours, beyond the
KnowledgeGraph; of rdflib, beyond the same KnowledgeGraph, so that it counts the rdflib graph that the serializer
needs. Seconds of rdflib are those of the serializer alone. What both write is parsed and compared.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyoxigraph

from kg.model import Assertion, EntityType, Evidence, KnowledgeGraph, Node, Paper, Role
from kg.rdf import to_rdflib, write_jsonld, write_ntriples, write_turtle

OURS = {"nt": write_ntriples, "turtle": write_turtle, "json-ld": write_jsonld}
PARSED = {"nt": "N_TRIPLES", "turtle": "TURTLE", "json-ld": "JSON_LD"}
WORDS = (
    "propose",
    "method",
    "learns",
    "with",
    "attention",
    "better",
    "large",
    "data",
    "while",
    "uses",
    "less",
    "memory",
)
ROLES = tuple(role for role in Role if role is not Role.MENTIONS)
PER_PAPER = 4
WRITERS = ("kg", "rdflib")


def made_up(papers: int) -> KnowledgeGraph:
    """Return a graph of so many papers, each with four things, a role and a mention of each, and two spans for it."""
    chance = random.Random(1)
    names = [f"{chance.choice(WORDS)}net{number}" for number in range(2 * papers)]
    nodes = tuple(Node(name, chance.choice(list(EntityType)), name.capitalize()) for name in sorted(names))
    made, assertions = [], []
    for number in range(papers):
        key = f"text:{chance.getrandbits(128):032x}"
        told = chance.sample(nodes, PER_PAPER)
        sentences: list[str] = []
        evidence = []
        for node in told:
            for _ in range(2):
                start = len(" ".join((*sentences, "")))
                sentence = f"{node.name} {' '.join(chance.choices(WORDS, k=16))}."
                sentences.append(sentence)
                evidence.append(Evidence("abstract", start, start + len(node.name), node.name, sentence))
        made.append(Paper(key, f"p{number}", title=" ".join(chance.choices(WORDS, k=8)), abstract=" ".join(sentences)))
        for place, node in enumerate(told):
            said = tuple(evidence[2 * place : 2 * place + 2])
            assertions.append(Assertion(key, Role.MENTIONS, node.key, 0.9, said))
            assertions.append(Assertion(key, chance.choice(ROLES), node.key, 0.8, said))
    return KnowledgeGraph(
        papers=tuple(sorted(made, key=lambda paper: paper.key)),
        nodes=nodes,
        assertions=tuple(sorted(assertions, key=lambda one: (one.paper, one.role, one.node))),
        titles=tuple(sorted((paper.key, paper.title) for paper in made)),
    )


def peak() -> float:
    """Return the most memory that this process has had, in MB."""
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure(writer: str, form: str, papers: int, path: str) -> dict[str, float]:
    """Write in this process; return seconds, bytes, and MB beyond the graph."""
    graph = made_up(papers)
    before = peak()
    if writer == "kg":
        start = time.perf_counter()
        OURS[form](graph, path)
    else:
        other = to_rdflib(graph)
        start = time.perf_counter()
        other.serialize(path, format=form, encoding="utf-8")
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "bytes": Path(path).stat().st_size, "memory": peak() - before}


def compare(form: str, *paths: str) -> dict[str, float]:
    """Return how many triples the files hold; they have to be the same."""
    read = [
        {quad.triple for quad in pyoxigraph.parse(path=path, format=getattr(pyoxigraph.RdfFormat, PARSED[form]))}
        for path in paths
    ]
    if any(found != read[0] for found in read):
        raise SystemExit(f"{form}: kg and rdflib wrote different triples")
    return {"triples": len(read[0])}


def in_a_process(*arguments: str) -> dict[str, float]:
    """Run a part of this in a process of its own, for a process tells only the most memory that it ever had."""
    command = [sys.executable, __file__, "--part", *arguments]
    return dict(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("papers", nargs="?", type=int, default=1000)
    parser.add_argument("--part", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        what, form, *rest = options.part
        done = compare(form, *rest) if what == "compare" else measure(what, form, int(rest[0]), rest[1])
        print(json.dumps(done))
        return
    print("                          triples/s             bytes               MB beyond the graph")
    print("papers triples format        kg  rdflib ratio   kg (MB) kg/rdflib     kg  rdflib kg/rdflib")
    with tempfile.TemporaryDirectory() as folder:
        for papers in (options.papers // 5, options.papers):
            for form in OURS:
                paths = [str(Path(folder, f"{writer}.{form}")) for writer in WRITERS]
                ours, theirs = (
                    in_a_process(writer, form, str(papers), path) for writer, path in zip(WRITERS, paths, strict=True)
                )
                count = in_a_process("compare", form, *paths)["triples"]
                print(
                    f"{papers:6} {count:7} {form:7} "
                    f"{count / ours['seconds']:8.0f}{count / theirs['seconds']:8.0f}"
                    f"{theirs['seconds'] / ours['seconds']:6.1f}"
                    f"{ours['bytes'] / 1e6:10.1f}{ours['bytes'] / theirs['bytes']:10.2f}"
                    f"{ours['memory']:7.0f}{theirs['memory']:8.0f}{ours['memory'] / theirs['memory']:10.2f}"
                )


if __name__ == "__main__":
    main()
