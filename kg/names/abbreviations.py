"""Abbreviations that a text defines: ``long form (SHORT)`` and ``SHORT (long form)``.

The algorithm is that of A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text", Pacific Symposium on Biocomputing 8, 2003, 451–462: every letter or digit of the
short form occurs in the long form in order, read from the end, and the first one begins a word. Added here are the
plural short form (``FP-MGMs``) and a bound on how much of the long form may go unused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Abbreviation", "abbreviations", "long_form_start"]

_PAREN = re.compile(r"\(([^()\n]{1,200})\)|\[([^\[\]\n]{1,200})\]")
_WORD = re.compile(r"\S+")
_END_OF_INNER = re.compile(r"[;,]|\s(?:i\.e\.|e\.g\.|or|see)\s")
_BREAK = re.compile(r"[.;:!?]\s|[()\[\]\n]")
_STOP = frozenset({"a", "an", "the", "of", "and", "for", "in", "on", "to", "with", "our", "we", "by", "is", "are"})
_AROUND = frozenset("\"'“”‘’*`$~{}")
_MAX_SHORT = 12


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for, as spans into the given text (code points, end exclusive)."""

    long_start: int
    long_end: int
    short_start: int
    short_end: int

    def long(self, text: str) -> str:
        """Return the long form's words."""
        return text[self.long_start : self.long_end]

    def short(self, text: str) -> str:
        """Return the short form."""
        return text[self.short_start : self.short_end]


def abbreviations(text: str) -> list[Abbreviation]:
    """Return the abbreviations that a text defines, in the order of their parentheses.

    >>> text = "We use graph attention networks (GATs) and SAC (soft actor-critic)."
    >>> [(found.short(text), found.long(text)) for found in abbreviations(text)]
    [('GATs', 'graph attention networks'), ('SAC', 'soft actor-critic')]
    """
    found = []
    for paren in _PAREN.finditer(text):
        group = 1 if paren.group(1) is not None else 2
        definition = _definition(text, paren.start(), paren.start(group), paren.end(group))
        if definition is not None:
            found.append(definition)
    return found


def _definition(text: str, opening: int, start: int, end: int) -> Abbreviation | None:
    cut = _END_OF_INNER.search(text, start, end)
    inner_start, inner_end = _trimmed(text, start, cut.start() if cut else end)
    inner = text[inner_start:inner_end]
    if _is_short(inner):
        span = _long_before(text, opening, inner)
        if span is not None:
            return Abbreviation(*span, inner_start, inner_end)
    if len(inner.split()) > 1 or "-" in inner:
        short = _short_before(text, opening)
        if short is not None:
            word = text[short[0] : short[1]]
            begin = long_form_start(word, inner)
            # Between a name and its gloss nothing of the gloss may go unread.
            if begin == 0:
                return Abbreviation(inner_start, inner_end, *short)
    return None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in _AROUND):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in _AROUND):
        end -= 1
    return start, end


def _is_short(word: str) -> bool:
    """Whether a string looks like a short form: one or two words, 2 to 12 characters, an upper-case letter."""
    return (
        2 <= len(word) <= _MAX_SHORT
        and len(word.split()) <= 2
        and word[0].isalnum()
        and any(char.isupper() for char in word)
        and not word.isdigit()
    )


def _long_before(text: str, opening: int, short: str) -> tuple[int, int] | None:
    """Return the span of the long form that ends right before a parenthesis."""
    letters = _letters(short)
    most = min(len(letters) + 5, len(letters) * 2)
    window_start = 0
    for stop in _BREAK.finditer(text, max(0, opening - 300), opening):
        window_start = stop.end()
    words = list(_WORD.finditer(text, window_start, opening))[-most:]
    if not words:
        return None
    start, end = _trimmed(text, words[0].start(), words[-1].end())
    begin = long_form_start(short, text[start:end])
    if begin is None:
        return None
    start += begin
    start, end = _trimmed(text, start, end)
    long = text[start:end]
    if len(long) <= len(short) or short in long.split():
        return None
    return start, end


def _short_before(text: str, opening: int) -> tuple[int, int] | None:
    words = list(_WORD.finditer(text, max(0, opening - 40), opening))
    if not words:
        return None
    start, end = _trimmed(text, words[-1].start(), words[-1].end())
    word = text[start:end]
    return (start, end) if _is_short(word) and sum(map(str.isupper, word)) >= 2 else None


def long_form_start(short: str, candidate: str) -> int | None:
    """Return where in `candidate` the long form of `short` starts when it ends with the candidate, or None.

    >>> long_form_start("FA", "we use Feature Attention"), long_form_start("GAT", "random forests")
    (7, None)
    """
    for form in dict.fromkeys((_letters(short), _letters(_without_plural(short)))):
        start = _match(form, candidate) if len(form) > 1 else None
        if start is not None:
            return _compound_start(form, candidate, start)
    return None


def _compound_start(letters: str, candidate: str, start: int) -> int:
    """Move a start within a hyphenated word to the word's where that begins with the same letter (multi-modal)."""
    whole = max(candidate.rfind(" ", 0, start), candidate.rfind("\n", 0, start)) + 1
    within = candidate[whole:start]
    return whole if within.endswith("-") and within[:1].casefold() == letters[0] else start


def _without_plural(short: str) -> str:
    return short[:-1] if len(short) > 2 and short.endswith("s") and short[-2].isupper() else short


def _letters(short: str) -> str:
    return "".join(char for char in short.casefold() if char.isalnum())


def _match(letters: str, candidate: str) -> int | None:
    """Match `letters` by the initials of words where they allow it, else as Schwartz and Hearst do, from the end."""
    lowered = "".join(char.casefold() if len(char.casefold()) == 1 else char for char in candidate)
    starts = [found.start() for found in re.finditer(r"[^\W_]+", lowered)]
    by_initials = _by_initials(letters, lowered, starts)
    if by_initials is not None:
        return by_initials
    position = len(lowered)
    for index in range(len(letters) - 1, -1, -1):
        while True:
            position = lowered.rfind(letters[index], 0, position)
            if position < 0:
                return None
            if index or position in starts:
                break
    initials = sum(1 for start in starts if start >= position)
    # A short form that reads few of the words' initials is a chance match.
    return position if initials <= len(letters) + 2 else None


def _by_initials(letters: str, lowered: str, starts: list[int]) -> int | None:
    """Read one letter a word from the end, passing over small words; return where the first letter's word starts."""
    position = len(starts) - 1
    for index in range(len(letters) - 1, -1, -1):
        while position >= 0 and lowered[starts[position]] != letters[index]:
            word = re.match(r"[^\W_]+", lowered[starts[position] :])
            if word is None or word.group() not in _STOP or index == len(letters) - 1:
                return None
            position -= 1
        if position < 0:
            return None
        if index == 0:
            return starts[position]
        position -= 1
    return None
