"""Where sentences begin and end, by rule, in the source text of a field.

>>> text = "We follow Smith et al. (2020). GPT-5.4 gains 3.5 points, cf. Fig. 2. Done!"
>>> [text[start:end] for start, end in sentences(text)]
['We follow Smith et al. (2020).', 'GPT-5.4 gains 3.5 points, cf. Fig. 2.', 'Done!']
"""

from __future__ import annotations

import re

__all__ = ["sentences"]

# The stop, what may close after it, white space, and what may open before the next sentence.
_STOP = re.compile(r"""[.!?…。！？]["'”’»)\]}*_$`]{0,8}(?=\s)|[。！？]|\n[^\S\n]*(?=\n)""")
_NEXT = re.compile(
    r"""\s*(?:[("'“‘«\[*_$`{]|\\(?:textbf|textit|emph|text|texttt|textsc)\{|<[A-Za-z]{1,9}>){0,4}(\S?)"""
)
_NEVER = (
    "cf e.g i.e eg ie vs viz fig figs eq eqs sec secs ref refs resp approx ca dr prof mr mrs ms vol pp thm lem prop "
    "def incl est w.r.t s.t"
)
_NOT_BEFORE_CAPITALS = "al etc i.i.d u.s u.k a.k.a inc ltd co corp jr sr st dept"
_NOT_BEFORE_NUMBERS = "no nos tab ch app p al"
_ABBREVIATIONS = frozenset(_NEVER.split())
_MAY_END = frozenset(_NOT_BEFORE_CAPITALS.split())
_NUMBERED = frozenset(_NOT_BEFORE_NUMBERS.split())
_OPENING = (
    "The A An We Our It Its This That These Those They Their In On To For With By From As At If When While Then Thus "
    "Here There However Moreover Further Furthermore Finally First Second Both All Each No Yes You I He She Such Using "
    "Given Experiments Results Code And But So Also"
)
_OPENING_WORDS = frozenset(_OPENING.split())
_WORD = re.compile(r"[^\s(\[{“\"'‘*_$]{1,24}$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text: in order, not overlapping, without space at their ends.

    Every character that is not white space lies in one of them.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for stop in _STOP.finditer(text):
        if stop.group()[0] == "." and not _ends(text, stop.start(), stop.end()):
            continue
        spans.extend(_trimmed(text, start, stop.end()))
        start = stop.end()
    spans.extend(_trimmed(text, start, len(text)))
    return spans


def _ends(text: str, at: int, after: int) -> bool:
    """Say whether the full stop at `at` ends a sentence; `after` is where what closes after it ends."""
    preceding = _WORD.search(text, max(0, at - 25), at)
    word = preceding.group() if preceding else ""
    following = _NEXT.match(text, after)
    if following is None or not following.group(1):
        return True
    first, place = following.group(1), following.start(1)
    next_word = text[place : place + 24].split(maxsplit=1)[0]
    if word.casefold() in _ABBREVIATIONS:
        return False
    if word.casefold() in _NUMBERED and first.isdigit():
        return False
    if word.casefold() in _MAY_END and (not first.isupper() or text[after:place].strip().startswith("(")):
        return False
    if len(word) == 1 and word.isupper() and first.isupper():
        # An initial (“J. Smith”), except before a word that opens sentences (“vitamin C. Then”).
        return next_word.rstrip(",") in _OPENING_WORDS
    # A name may begin in lower case (nuScenes) or in mathematics ($k$-means); other words seldom open a sentence so.
    return not first.islower() or any(char.isupper() for char in next_word) or text[after:place].strip() != ""


def _trimmed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return []
    first = start + len(piece) - len(piece.lstrip())
    return [(first, first + len(stripped))]
