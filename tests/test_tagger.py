"""The tagger's parts on texts and scores made here: words, windows, decoding."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from kg.linking.tagger import Settings, Tagger
from kg.linking.tagger.decoding import viterbi
from kg.linking.tagger.encoding import Pieces, encode, run, windows, words
from kg.linking.tagger.labels import INSIDE, LABELS, ROLES
from kg.linking.tagger.reading import RoleHead

FILE = Path(__file__).resolve().parents[1] / "kg" / "linking" / "tagger" / "data" / "fast" / "tokenizer.json"


def tokenizer() -> Tokenizer:
    read = Tokenizer.from_file(str(FILE))
    read.no_truncation()
    read.no_padding()
    return read


@given(st.lists(st.text(), max_size=3))
def test_words_are_all_that_is_visible(fields: list[str]) -> None:
    cut = words(fields)
    for number, text in enumerate(fields):
        seen = "".join(text[w.start : w.end] for w in cut if w.field == number)
        assert seen == "".join(text.split())
    assert all(1 <= w.shape <= 11 for w in cut)


def legal(path: tuple[int, ...], breaks: set[int]) -> bool:
    return all(
        label not in INSIDE or (w > 0 and w not in breaks and path[w - 1] in (label, label - 1))
        for w, label in enumerate(path)
    )


@given(st.integers(0, 2**32 - 1), st.sets(st.integers(0, 3)))
@settings(max_examples=20, deadline=None)
def test_viterbi_finds_the_best_legal_path(seed: int, breaks: set[int]) -> None:
    scores = np.random.default_rng(seed).normal(size=(3, len(LABELS)))
    paths = [p for p in itertools.product(range(len(LABELS)), repeat=3) if legal(p, breaks)]
    best = max(paths, key=lambda p: sum(scores[w, label] for w, label in enumerate(p)))
    assert viterbi(scores, breaks) == list(best)


@given(st.lists(st.lists(st.text(), min_size=1, max_size=2), min_size=1, max_size=3))
@settings(deadline=None, max_examples=50)
def test_remembered_pieces_are_those_of_the_tokenizer(papers: list[list[str]]) -> None:
    cutter = tokenizer()
    pieces = Pieces(cutter)
    for fields in papers:
        encoded = encode(fields, pieces)
        texts = [fields[w.field][w.start : w.end] for w in encoded.words]
        expected = cutter.encode(texts, is_pretokenized=True, add_special_tokens=False)
        assert encoded.ids.tolist() == expected.ids
        assert encoded.firsts.tolist() == [
            sum(owner is not None and owner < w for owner in expected.word_ids) for w in range(len(texts) + 1)
        ]


@pytest.mark.parametrize("length", [0, 1, 300, 509, 510, 511, 3000])
def test_windows_cover_long_texts(length: int) -> None:
    encoded = encode(["Title", "transformer " * length], tokenizer())
    found = windows(encoded)
    assert found[0][0] == 0
    assert found[-1][1] == length + 1
    for (_, end), (start, _) in itertools.pairwise(found):
        assert start < end
    assert all(encoded.firsts[b] - encoded.firsts[a] <= 510 for a, b in found)


@given(st.lists(st.text(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=30)
def test_any_text_is_tagged_with_spans_inside_it(fields: list[str]) -> None:
    def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(batch["ids"].sum())
        shape = batch["ids"].shape
        return rng.normal(size=(*shape, len(LABELS)), scale=3), rng.normal(size=(*shape, 4))

    head = RoleHead(np.zeros((5, 4)), np.zeros(4), np.ones((len(ROLES), 4)), np.zeros(len(ROLES)))
    reading = Tagger(tokenizer(), forward, head, Settings()).read(fields)
    for span in reading.spans():
        text = fields[span.field][span.start : span.end]
        assert text
        assert text == text.strip()
        assert 0 <= span.probability <= 1
        assert reading.roles([(span.field, span.start, span.end)], span.type)


def test_each_word_of_a_long_text_gets_its_own_window_s_logits() -> None:
    encoded = encode(["", " ".join(str(n) for n in range(2000))], tokenizer())

    def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        tags = np.zeros((*batch["ids"].shape, len(LABELS)))
        tags[..., 1] = batch["ids"]
        return tags, batch["ids"][..., None].astype(float)

    logp, features = run(encoded, forward, 101, 102)
    assert (features[:, 0] == encoded.ids).all()
    assert np.isfinite(logp).all()
