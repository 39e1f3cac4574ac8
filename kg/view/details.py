"""What the page knows of every node, also of those that it does not draw at first: names, roles and evidence.

The form is compact, for it is the larger part of the file: sentences stand once, however many assertions they
are evidence of, and offsets count UTF-16 units, as JavaScript does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg.model import EntityType
from kg.view.drawing import ROLES

if TYPE_CHECKING:
    from kg.model import Evidence, Node, Paper
    from kg.view.drawing import Numbering

__all__ = ["details", "sentence_offset"]

_MANY = 20_000
_TYPES = tuple(EntityType)


def details(numbering: Numbering, labels: list[str]) -> dict[str, Any]:
    """Return the page's data, fit for JSON.

    ``papers`` and ``things`` are in the order of their numbers. An assertion is [paper, role, thing,
    confidence, [[sentence, start, length, field], …]], all but the confidence and the offsets being indices.
    At most three evidences are kept of each, and one where there are more than 20,000 assertions.
    """
    keep = 3 if len(numbering.assertions) <= _MANY else 1
    sentences: dict[str, int] = {}
    fields: dict[str, int] = {}

    def said(paper: Paper, evidence: Evidence) -> list[int]:
        sentence = sentences.setdefault(evidence.sentence, len(sentences))
        start = sentence_offset(paper, evidence)
        field = fields.setdefault(evidence.field, len(fields))
        if start < 0:
            return [sentence, 0, 0, field]
        return [sentence, _units(evidence.sentence[:start]), _units(evidence.exact), field]

    assertions = []
    for a in numbering.assertions:
        paper = numbering.papers[numbering.paper_number[a.paper]]
        evidence = [said(paper, e) for e in a.evidence[:keep]]
        role, target = ROLES.index(a.role), numbering.node_number[a.node]
        assertions.append([numbering.paper_number[a.paper], role, target, a.confidence, evidence])
    offset = len(numbering.papers)
    sizes = [numbering.size_of(i) for i in range(len(numbering.degree))]
    return {
        "roles": list(ROLES),
        "types": [str(kind) for kind in _TYPES],
        "papers": [
            _paper(p, labels[i]) | {"size": sizes[i], "degree": numbering.degree[i]}
            for i, p in enumerate(numbering.papers)
        ],
        "things": [
            _thing(n, numbering) | {"size": sizes[i], "degree": numbering.degree[i]}
            for i, n in enumerate(numbering.nodes, start=offset)
        ],
        "assertions": assertions,
        "sentences": list(sentences),
        "fields": list(fields),
    }


def sentence_offset(paper: Paper, evidence: Evidence) -> int:
    """Return where in its sentence the mention stands, in code points, or -1 if the sentence lacks it.

    Where a sentence says a name twice, the paper's text tells which one is meant.
    """
    text = dict(paper.fields()).get(evidence.field, "")
    begin = text.rfind(evidence.sentence, 0, evidence.start + len(evidence.sentence))
    start = evidence.start - begin
    if begin >= 0 and evidence.exact and evidence.sentence.startswith(evidence.exact, start):
        return start
    return evidence.sentence.find(evidence.exact) if evidence.exact else -1


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _paper(paper: Paper, label: str) -> dict[str, Any]:
    known = {"authors": list(paper.authors), "venue": paper.venue, "year": paper.year, "url": paper.url}
    return {"name": label, "key": paper.key} | {name: value for name, value in known.items() if value}


def _thing(node: Node, numbering: Numbering) -> dict[str, Any]:
    known = {
        "aliases": list(node.aliases),
        "homepage": node.homepage,
        "wikidata": node.wikidata,
        "introducedBy": node.introduced_by,
        "also": [str(kind) for kind in node.types if kind is not node.type],
    }
    family = {"family": numbering.node_number[node.family]} if node.family in numbering.node_number else {}
    told = {name: value for name, value in known.items() if value}
    return {"name": node.name, "type": _TYPES.index(node.type)} | told | family
