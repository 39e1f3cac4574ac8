"""Running the model over a paper, and asking what it read for spans and for roles."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from kg.linking.tagger.decoding import Span, hinted, spans_of, spread
from kg.linking.tagger.encoding import Pieces, encode, run
from kg.linking.tagger.labels import ROLES, ROLES_OF, TYPES
from kg.linking.tagger.settings import Line, Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.linking.tagger.decoding import Hint
    from kg.linking.tagger.encoding import Encoded, Forward

__all__ = ["SHIPPED", "Reading", "RoleHead", "Tagger", "shipped_tagger"]

SHIPPED: Mapping[str, Path] = {name: Path(__file__).resolve().parent / "data" / name for name in ("accurate", "fast")}
"""The folders of the models that come with the package."""


@dataclass(frozen=True, slots=True)
class RoleHead:
    """The second layer of the role head: from the pooled features of an entity to one probability a role."""

    types: np.ndarray
    bias: np.ndarray
    weight: np.ndarray
    out_bias: np.ndarray

    def __call__(self, pooled: np.ndarray, kind: int) -> np.ndarray:
        """Return the probabilities of all roles for one entity; `pooled` has its highest features over mentions."""
        hidden = np.maximum(pooled + self.types[kind] + self.bias, 0.0)
        probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-(self.weight @ hidden + self.out_bias)))
        return probabilities


@dataclass(frozen=True)
class Reading:
    """What the model read in one paper: log-probabilities of labels, one row a word; role features, one row a piece."""

    fields: tuple[str, ...]
    encoded: Encoded
    logp: np.ndarray
    features: np.ndarray
    head: RoleHead
    settings: Settings

    def spans(self, hints: Iterable[Hint] = ()) -> list[Span]:
        """Return the names in the order of the text, each spelling found everywhere and with one type."""
        cut = self.encoded.words
        found = spread(spans_of(hinted(self.logp, cut, hints), cut, self.settings), self.fields, cut)
        return [
            Span(
                cut[f.first].field,
                cut[f.first].start,
                cut[f.last - 1].end,
                TYPES[f.type],
                self.settings.spans(f.probability),
                group,
            )
            for f, group in found
        ]

    def roles(self, places: Iterable[tuple[int, int, int]], kind: str) -> dict[str, float]:
        """Return the probability of each role that an entity of this type can have, provided that it is one.

        `places` are its mentions, as (field, start, end); there must be one or more.
        """
        together = np.max([self._pooled(*place) for place in places], axis=0)
        probabilities = self.head(together, TYPES.index(kind))
        lines = self.settings.roles
        return {role: lines.get(role, Line())(float(probabilities[ROLES.index(role)])) for role in ROLES_OF[kind]}

    @cached_property
    def _begins(self) -> list[tuple[int, int]]:
        return [(word.field, word.start) for word in self.encoded.words]

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        return [(word.field, word.end) for word in self.encoded.words]

    def _pooled(self, field: int, start: int, end: int) -> np.ndarray:
        """Return the mean of the features of the pieces of the words that a span touches."""
        firsts = self.encoded.firsts
        first = int(firsts[bisect_right(self._ends, (field, start))])
        last = int(firsts[bisect_left(self._begins, (field, end))])
        if first >= last:
            return np.zeros(self.features.shape[1], dtype=np.float32)
        # The mean, without what `mean` does besides.
        return cast("np.ndarray", np.add.reduce(self.features[first:last], axis=0) / np.float32(last - first))


class Tagger:
    """A model with its tokenizer and settings; `read` may be called from many processes, each with its own."""

    def __init__(self, tokenizer: Tokenizer, forward: Forward, head: RoleHead, settings: Settings) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer, self.forward, self.head, self.settings = tokenizer, forward, head, settings
        self._pieces = Pieces(tokenizer)
        vocabulary = tokenizer.get_vocab()
        self.cls, self.sep = vocabulary["[CLS]"], vocabulary["[SEP]"]

    @classmethod
    def load(cls, folder: Path, *, threads: int = 1) -> Tagger:
        """Load an exported model.

        One thread makes the result the same on every run of one machine, and processes are the better use of cores.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(folder / "tagger.onnx"), options, providers=["CPUExecutionProvider"])
        with np.load(folder / "roles.npz") as arrays:
            head = RoleHead(**{name: arrays[name] for name in ("types", "bias", "weight", "out_bias")})

        def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
            tags, roles = session.run(["tags", "roles"], batch)
            return tags, roles

        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        return cls(tokenizer, forward, head, load_settings(folder / "settings.json"))

    def read(self, fields: Sequence[str], *, titled: bool = True) -> Reading:
        """Read the fields of a paper; the first is its title where `titled`."""
        encoded = encode(fields, self._pieces, titled)
        logp, features = run(encoded, self.forward, self.cls, self.sep)
        return Reading(tuple(fields), encoded, logp, features, self.head, self.settings)


def shipped_tagger(name: str = "accurate") -> Tagger:
    """Load a model that comes with the package: `accurate`, or the smaller `fast`.

    Raises:
        KeyError: none of that name does.
    """
    return Tagger.load(SHIPPED[name])
