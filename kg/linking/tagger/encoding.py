"""From the fields of a paper to what the encoder reads: words, pieces, and windows that cover long texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from kg.linking.tagger.labels import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizers import Tokenizer

__all__ = [
    "MAX_PIECES",
    "Encoded",
    "Forward",
    "Pieces",
    "Word",
    "between",
    "encode",
    "inputs",
    "run",
    "shape",
    "windows",
    "words",
]

MAX_PIECES = 512
OVERLAP = 128
SHAPES = 12
GLUES = 3
FIELDS = 3
_REMEMBERED = 16384

# A multiplier is a word of its own, so that the H100 in 8xH100 can be one.
WORD = re.compile(r"\d+[x×](?=[A-Z])|[^\W_]+|\S")


class Word(NamedTuple):
    """A word of one field: its place, its shape and whether space stands before it."""

    field: int
    start: int
    end: int
    shape: int
    glue: int


@dataclass(frozen=True, slots=True)
class Encoded:
    """A paper as the encoder reads it: pieces without the special ones, and words with their first pieces.

    `ids`, `shapes`, `glues` and `fields` have one number a piece; `firsts` has one a word and the number of pieces
    at its end, so that word w has the pieces firsts[w] to firsts[w + 1].
    """

    words: tuple[Word, ...]
    ids: np.ndarray
    shapes: np.ndarray
    glues: np.ndarray
    fields: np.ndarray
    firsts: np.ndarray


@lru_cache(maxsize=8192)
def shape(word: str) -> int:
    """Return the class of a word's letters, 1 to 11; 0 stands for what is no word.

    >>> [shape(w) for w in ["the", "The", "GPU", "GPUs", "mAP", "A", "12", "v2", "H100", "(", "π", "ResNet"]]
    [1, 2, 3, 9, 4, 8, 5, 6, 7, 10, 11, 4]
    """
    tests = (
        (10, not word[0].isalnum()),
        (11, not word.isascii()),
        (5, word.isdigit()),
        (6, not word.isalpha() and word.islower()),
        (7, not word.isalpha()),
        (1, word.islower()),
        (8, word.isupper() and len(word) == 1),
        (3, word.isupper()),
        (9, len(word) > 2 and word[-1] == "s" and word[:-1].isupper()),
        (2, word.istitle()),
        (4, True),
    )
    return next(number for number, holds in tests if holds)


def words(fields: Sequence[str]) -> tuple[Word, ...]:
    """Cut texts into words: runs of letters and digits, and every other visible character by itself."""
    found = []
    for number, text in enumerate(fields):
        end = -1
        for match in WORD.finditer(text):
            glue = 2 if match.start() == end else 1
            start, end = match.span()
            found.append(Word(number, start, end, shape(match.group()), glue))
    return tuple(found)


class Pieces:
    """The pieces of words, remembered: what a tokenizer makes of a word depends on no other word."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}

    def __call__(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of the pieces of each word; a word that the tokenizer drops, as a lone accent, has none."""
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        known = self._known
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            encoding = self._tokenizer.encode(new, is_pretokenized=True, add_special_tokens=False)
            known.update((text, []) for text in new)
            for number, owner in zip(encoding.ids, cast("list[int]", encoding.word_ids), strict=True):
                known[new[owner]].append(number)
        return [known[text] for text in texts]


def encode(fields: Sequence[str], tokenizer: Tokenizer | Pieces, titled: bool = True) -> Encoded:
    """Cut the fields of a paper into words and pieces; the first field is marked as a title if `titled`."""
    cut = words(fields)
    pieces_of = tokenizer if isinstance(tokenizer, Pieces) else Pieces(tokenizer)
    pieces = pieces_of([fields[w.field][w.start : w.end] for w in cut])
    counts = np.fromiter(map(len, pieces), dtype=np.int64, count=len(cut))
    firsts = np.concatenate(([0], np.cumsum(counts)))

    def per_piece(values: Iterable[int]) -> np.ndarray:
        return np.fromiter(values, dtype=np.int64, count=len(cut)).repeat(counts)

    return Encoded(
        words=cut,
        ids=np.fromiter(chain.from_iterable(pieces), dtype=np.int64, count=firsts[-1]),
        shapes=per_piece(w.shape for w in cut),
        glues=per_piece(w.glue for w in cut),
        fields=per_piece(1 if titled and w.field == 0 else 2 for w in cut),
        firsts=firsts,
    )


def windows(encoded: Encoded) -> list[tuple[int, int]]:
    """Return ranges of words of at most 510 pieces each that together cover the paper, overlapping by 128 pieces."""
    room, firsts, count = MAX_PIECES - 2, encoded.firsts, len(encoded.words)
    found, start = [], 0
    while True:
        end = int(np.searchsorted(firsts, firsts[start] + room, side="right")) - 1
        end = min(max(end, start + 1), count)
        found.append((start, end))
        if end >= count:
            return found
        start = max(start + 1, int(np.searchsorted(firsts, firsts[end] - OVERLAP)))


def between(left: int, values: np.ndarray, right: int) -> np.ndarray:
    """Return the values with one more on either side."""
    return np.concatenate(([left], values, [right])).astype(np.int64)


def inputs(encoded: Encoded, start: int, end: int, cls: int, sep: int) -> dict[str, np.ndarray]:
    """Return the model's inputs, of shape (1, pieces), for a range of words."""
    a, b = int(encoded.firsts[start]), int(encoded.firsts[end])
    b = min(b, a + MAX_PIECES - 2)
    return {
        "ids": between(cls, encoded.ids[a:b], sep)[None],
        "shapes": between(0, encoded.shapes[a:b], 0)[None],
        "glues": between(0, encoded.glues[a:b], 0)[None],
        "fields": between(0, encoded.fields[a:b], 0)[None],
    }


Forward = Callable[[dict[str, np.ndarray]], tuple[np.ndarray, np.ndarray]]
"""From inputs to (tag logits, role features), both of shape (1, pieces, …)."""


def run(encoded: Encoded, forward: Forward, cls: int, sep: int) -> tuple[np.ndarray, np.ndarray]:
    """Return log-probabilities of the labels a word and role features a piece, taking each from its best window."""
    count, pieces = len(encoded.words), len(encoded.ids)
    logits = np.zeros((count, len(LABELS)), dtype=np.float32)
    logits[:, 0] = 30.0
    features: np.ndarray | None = None
    depth_w, depth_p = np.full(count, -1), np.full(pieces, -1)
    for start, end in windows(encoded) if pieces else []:
        tags, roles = forward(inputs(encoded, start, end, cls, sep))
        a = int(encoded.firsts[start])
        seen = tags.shape[1] - 2
        if features is None:
            features = np.zeros((pieces, roles.shape[2]), dtype=np.float32)
        place = np.arange(seen)
        depth = np.minimum(place + (10**6 if a == 0 else 0), seen - 1 - place + (10**6 if a + seen == pieces else 0))
        better = depth > depth_p[a : a + seen]
        features[a : a + seen][better] = roles[0, 1:-1][better]
        depth_p[a : a + seen][better] = depth[better]
        first = encoded.firsts[start:end] - a
        read = np.flatnonzero((np.diff(encoded.firsts[start : end + 1]) > 0) & (first < seen))
        read = read[depth[first[read]] > depth_w[start + read]]
        depth_w[start + read] = depth[first[read]]
        logits[start + read] = tags[0, 1 + first[read]]
    if features is None:
        features = np.zeros((0, 1), dtype=np.float32)
    shifted = logits - logits.max(axis=1, keepdims=True) if count else logits
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), features
