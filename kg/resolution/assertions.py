"""What each paper says of each node, with the words that say so."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from kg.model import Assertion, Evidence, Role
from kg.text.sentences import sentences

if TYPE_CHECKING:
    from kg.model import Mention, PaperRecord
    from kg.resolution.identity import Identity

__all__ = ["assertions"]


def assertions(records: tuple[PaperRecord, ...], identity: Identity) -> tuple[Assertion, ...]:
    """Return one assertion for each paper, role and node, and one of `mentions` for each paper and node, sorted.

    Where two entities of a paper lead to one node, the assertion has the evidence of both and the higher
    confidence. Evidence stands in the order that the claims give, those of the surer claim first; of `mentions`,
    the surest mention first, then as the paper has them.
    """
    found = [assertion for record in records for assertion in _of_paper(record, identity)]
    return tuple(sorted(found, key=lambda one: (one.paper, one.role, one.node)))


def _of_paper(record: PaperRecord, identity: Identity) -> list[Assertion]:
    nodes = {entity.id: identity.node(record.paper.key, entity.id) for entity in record.entities}
    reader = _Reader(record)
    told: dict[tuple[Role, str], list[tuple[float, tuple[int, ...]]]] = {}
    for claim in sorted(record.roles, key=lambda claim: (-claim.confidence, claim.evidence, claim.entity)):
        if claim.role != Role.MENTIONS and claim.entity in nodes:
            told.setdefault((claim.role, nodes[claim.entity]), []).append((claim.confidence, claim.evidence))
    spoken: dict[str, list[int]] = {node: [] for node in nodes.values()}
    for number, mention in enumerate(record.mentions):
        if mention.entity in nodes:
            spoken[nodes[mention.entity]].append(number)
    for node, numbers in spoken.items():
        ordered = tuple(sorted(numbers, key=reader.by_confidence))
        sure = [record.mentions[number].confidence for number in ordered]
        claimed = [claims[0][0] for (_, other), claims in told.items() if other == node]
        told[Role.MENTIONS, node] = [(max(sure or claimed or [0.0]), ordered)]
    return [
        Assertion(
            paper=record.paper.key,
            role=role,
            node=node,
            confidence=max(confidence for confidence, _ in claims),
            evidence=reader.evidence([number for _, numbers in claims for number in numbers]),
        )
        for (role, node), claims in told.items()
    ]


class _Reader:
    """The words of one paper."""

    def __init__(self, record: PaperRecord) -> None:
        self._mentions = record.mentions
        self._fields = dict(record.paper.fields())
        self._order = {name: number for number, name in enumerate(self._fields)}
        self._sentences: dict[str, list[tuple[int, int]]] = {}

    def by_confidence(self, number: int) -> tuple[float, int, int, int]:
        mention = self._mentions[number]
        return -mention.confidence, self._order.get(mention.field, len(self._order)), mention.start, mention.end

    def evidence(self, numbers: list[int]) -> tuple[Evidence, ...]:
        """Return the mentions of these numbers as evidence, each once, in this order."""
        within = (number for number in numbers if 0 <= number < len(self._mentions))
        return tuple(dict.fromkeys(self._one(self._mentions[number]) for number in within))

    def _one(self, mention: Mention) -> Evidence:
        text = self._fields.get(mention.field, "")
        exact = text[mention.start : mention.end]
        return Evidence(mention.field, mention.start, mention.end, exact, self._sentence(mention, text))

    def _sentence(self, mention: Mention, text: str) -> str:
        if mention.field not in self._sentences:
            self._sentences[mention.field] = sentences(text)
        spans = self._sentences[mention.field]
        first = max(0, bisect_right(spans, mention.start, key=lambda span: span[0]) - 1)
        last = max(first, bisect_right(spans, max(mention.end - 1, mention.start), key=lambda span: span[0]) - 1)
        return text[spans[first][0] : spans[last][1]] if spans else text
