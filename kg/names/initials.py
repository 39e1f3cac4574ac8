"""Whether a short form is made of the beginnings of a long form's words.

That two names could stand for each other is not enough where no text says so: nearly every short form can be read
out of some words ("MORE" of "Markov decision process"). Here each letter begins a word or goes on from the letter
before it, and what is left over is little: small words, the second part of a hyphenated word ("high-level"), the
words in lower case of a long form in capitals ("Low-rank Linear Attention with sparse caching", LoLA).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kg.names.normal import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["spells_out"]

_SMALL = frozenset({
    "a", "an", "and", "as", "at", "based", "by", "for", "from", "in", "into", "is", "of", "on", "or", "over", "the",
    "through", "to", "under", "using", "via", "with",
})  # fmt: skip
_PREFIXES = (
    "pseudo", "spatio", "trans", "hyper", "micro", "macro", "inter", "intra", "super", "multi", "photo", "electro",
    "neuro", "quasi", "cross", "auto", "meta", "semi", "post", "over", "omni", "mono", "sub", "pre", "bio", "geo",
    "uni", "bi", "tri", "co", "un",
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[-‐‑–][^\W_]+)*")
_HYPHEN = re.compile(r"[-‐‑–]")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\WA-Za-z\d_]+")
_REPEATED = re.compile(r"([^\W\d_])([234])(?=[^\W\d_])")
_NUMBER = re.compile(r"\d+")
# What is left over of a long form: words, then second parts of hyphenated words, then letters that begin no word.
_FREE, _LETTER, _SECOND, _SPARE = 0, 1, 100, 10_000
_MOST_SPARE = 2


class _Piece(NamedTuple):
    letters: str
    cost: int
    capital: bool


def spells_out(short: str, long: str) -> bool:
    """Return whether `long` spells out `short` by the beginnings of its words, all or nearly all of them.

    >>> spells_out("GAN", "generative adversarial nets"), spells_out("CapsNet", "Capsule Network")
    (True, True)
    >>> spells_out("D3ETR", "Decoder Distillation for DEtection TRansformer"), spells_out("R2A", "Read-Refine-Act")
    (True, True)
    >>> spells_out("MORE", "Markov decision process"), spells_out("DMs", "deep generative models")
    (False, False)
    """
    pieces = _pieces(bare(long))
    if not pieces or pieces[0].letters[0] != short[:1].casefold():
        return False
    numbers = _NUMBER.findall(bare(long))
    return any(
        _NUMBER.findall(letters) == numbers and _little_left(_left_over(letters, pieces), len(letters))
        for letters in _readings(_singular(bare(short)))
    )


def _little_left(cost: int | None, letters: int) -> bool:
    """Whether so little of a long form is left over that a short form of so many letters is no chance match.

    Of the pairs of names in the annotated papers that are told by these bounds, 98% are of one thing.
    """
    if cost is None:
        return False
    if cost < _SECOND:
        return cost == 0 or letters > 3
    return cost < (_MOST_SPARE + 1) * _SPARE and letters - cost % _SECOND > 3


def _singular(short: str) -> str:
    return short[:-1] if len(short) > 2 and short.endswith("s") and short[-2].isupper() else short


def _readings(short: str) -> Iterator[str]:
    """Yield the letters of a short form; a digit within may say how often a letter stands there, or mean "to"."""
    plain = "".join(char for char in short if char.isalnum())
    yield plain.casefold()
    if _REPEATED.search(plain):
        yield _REPEATED.sub(lambda found: found[1] * int(found[2]), plain).casefold()
        yield _REPEATED.sub(lambda found: found[1] + ("t" if found[2] == "2" else found[2]), plain).casefold()


@lru_cache(maxsize=65536)
def _pieces(spelled: str) -> tuple[_Piece, ...]:
    """Return the pieces of a long form that a letter may begin, and what each costs where none does."""
    words = [
        (piece, part, inner)
        for word in _WORD.findall(spelled)
        for part, text in enumerate(_HYPHEN.split(word))
        for inner, piece in enumerate(_PIECE.findall(text) or [text])
    ]
    capitals = sum(piece[0].isupper() for piece, _, _ in words) > 1
    pieces: list[_Piece] = []
    for piece, part, inner in words:
        lowered = piece.casefold()
        small = lowered in _SMALL or inner or (capitals and piece[0].islower())
        cost = _FREE if small else _SECOND if part else _SPARE
        prefix = next((one for one in _PREFIXES if lowered.startswith(one) and len(lowered) > len(one) + 3), "")
        if prefix:
            pieces.append(_Piece(prefix, cost, capital=False))
        pieces.append(_Piece(lowered[len(prefix) :], _FREE if prefix else cost, capital=piece.isupper()))
    return tuple(pieces)


def _left_over(letters: str, pieces: tuple[_Piece, ...]) -> int | None:
    """Return the least that is left over where the letters are read from the beginnings of the pieces, or None."""
    best = {0: 0}
    for position, piece in enumerate(pieces):
        after = {read: cost + piece.cost for read, cost in best.items()} if position else {}
        for read, cost in best.items():
            for length in range(1, min(len(letters) - read, len(piece.letters)) + 1):
                if letters[read + length - 1] != piece.letters[length - 1]:
                    break
                told = cost + (0 if piece.capital else _LETTER * (length - 1))
                after[read + length] = min(told, after.get(read + length, told))
        if not after:
            return None
        best = after
    return best.get(len(letters))
