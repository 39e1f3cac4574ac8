"""Annotated papers as what the model learns from.

A gold file has one paper a line: {"id", "title", "abstract", "entities": [{"type", "name", "mentions": [str],
"roles": [str], "alt": [str]?, "optional": true?}]}.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.evaluate import gold_mentions
from kg.linking.tagger.encoding import MAX_PIECES, Encoded, between, encode
from kg.linking.tagger.labels import LABELS, ROLES, ROLES_OF, TYPES

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

IGNORED = -100
FIELDS = ("title", "abstract")


@dataclass(frozen=True, slots=True)
class Target:
    """An entity to learn: its type, the piece ranges of its mentions, its roles and which of them count."""

    type: int
    mentions: tuple[tuple[int, int], ...]
    roles: np.ndarray
    mask: np.ndarray


@dataclass(frozen=True, slots=True)
class Example:
    """A paper to learn from, with the special pieces in place; `labels` stand at the words' first pieces.

    `begins` is true at those pieces, also where there is no label to learn.
    """

    id: str
    ids: np.ndarray
    shapes: np.ndarray
    glues: np.ndarray
    fields: np.ndarray
    labels: np.ndarray
    begins: np.ndarray
    targets: tuple[Target, ...]

    def __len__(self) -> int:
        return len(self.ids)


def papers(path: Path) -> list[dict[str, Any]]:
    """Return the papers of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def fields_of(paper: dict[str, Any], titled: bool = True) -> list[str]:
    """Return the title, empty if there is none or it shall not be seen, and the abstract."""
    return [(paper.get("title") or "") if titled else "", paper.get("abstract") or ""]


def held_out(paper_id: str, share: float) -> bool:
    """Tell by its id alone whether a paper is held out of training."""
    number = int.from_bytes(hashlib.sha256(paper_id.encode()).digest()[:4], "big")
    return number < share * 2**32


def _target(entity: dict[str, Any], mentions: list[tuple[int, int]], optional_weight: float) -> Target:
    roles = np.array([role in entity["roles"] for role in ROLES], dtype=np.float32)
    allowed = np.array([role in ROLES_OF[entity["type"]] for role in ROLES])
    alternative = np.array([role in entity.get("alt", ()) for role in ROLES])
    mask = (allowed & ~alternative).astype(np.float32) * (optional_weight if entity.get("optional") else 1.0)
    return Target(TYPES.index(entity["type"]), tuple(mentions), roles, mask.astype(np.float32))


def example(paper: dict[str, Any], tokenizer: Tokenizer, titled: bool = True, optional_weight: float = 0.5) -> Example:
    """Return what to learn from a paper, as far as its first 512 pieces.

    Words of optional entities, and of mentions that begin or end within a word, are left out of the tag loss.
    """
    fields = fields_of(paper, titled)
    encoded = encode(fields, tokenizer)
    numbers = {id(entity): number for number, entity in enumerate(paper["entities"])}
    labels = np.zeros(len(encoded.words), dtype=np.int64)
    mentions: dict[int, list[tuple[int, int]]] = {}
    room = MAX_PIECES - 2
    for name, start, end, entity in gold_mentions(paper):
        if name == "title" and not titled:
            continue
        inside = [
            i for i, w in enumerate(encoded.words) if w.field == FIELDS.index(name) and w.start < end and start < w.end
        ]
        exact = encoded.words[inside[0]].start == start and encoded.words[inside[-1]].end == end
        if exact and not entity.get("optional"):
            begin = LABELS.index(f"B-{entity['type']}")
            labels[inside[0]] = begin
            labels[inside[1:]] = begin + 1
        else:
            labels[inside] = IGNORED
        a, b = int(encoded.firsts[inside[0]]), int(encoded.firsts[inside[-1] + 1])
        if a < b <= room:
            mentions.setdefault(numbers[id(entity)], []).append((a + 1, b + 1))
    return _assemble(paper, encoded, labels, mentions, optional_weight)


def _assemble(
    paper: dict[str, Any],
    encoded: Encoded,
    labels: np.ndarray,
    mentions: dict[int, list[tuple[int, int]]],
    optional_weight: float,
) -> Example:
    room = MAX_PIECES - 2
    count = min(room, len(encoded.ids))
    per_piece = np.full(count + 2, IGNORED, dtype=np.int64)
    begins = np.zeros(count + 2, dtype=np.int64)
    for w, label in enumerate(labels):
        a, b = encoded.firsts[w], encoded.firsts[w + 1]
        if a < b and a < count:
            per_piece[a + 1] = label
            begins[a + 1] = 1
    targets = [_target(paper["entities"][n], spans, optional_weight) for n, spans in sorted(mentions.items())]
    return Example(
        id=paper["id"],
        ids=between(CLS, encoded.ids[:count], SEP),
        shapes=between(0, encoded.shapes[:count], 0),
        glues=between(0, encoded.glues[:count], 0),
        fields=between(0, encoded.fields[:count], 0),
        labels=per_piece,
        begins=begins,
        targets=tuple(t for t in targets if t.mask.any()),
    )


# The numbers of the special pieces in the vocabulary of every uncased BERT, which `model.load_tokenizer` checks.
CLS, SEP = 101, 102


def batches(lengths: list[int], pieces: int, rng: np.random.Generator) -> list[list[int]]:
    """Cut examples into batches of at most so many padded pieces, of like length, in random order."""
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i] + rng.integers(0, 24), i))
    cut: list[list[int]] = [[]]
    for i in order:
        longest = max([lengths[i], *(lengths[j] for j in cut[-1])])
        if cut[-1] and longest * (len(cut[-1]) + 1) > pieces:
            cut.append([])
        cut[-1].append(i)
    rng.shuffle(cut)
    return cut
