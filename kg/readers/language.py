"""Whether a text is English, as far as the report has to know: names are promised for English only."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["is_english"]

#: Characters that tell.
_ENOUGH = 600
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_WORDS = (
    "the of and to in is that for we with this on by are an from which can as be it our or at their has have using"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_SHARED = frozenset(("na", "er", "ve", "par", "est", "met", "das"))
#: Frequent words of other languages in Latin letters, those left out that are English words too.
_OTHER_WORDS = (
    "der das und den von zu mit sich des auf für ist im dem nicht ein eine als auch werden aus bei nach wird "
    "le les et une dans que pour qui est au avec ce cette sont par aux "
    "los las del una para por como su más entre sobre il di che della gli dei nel alla delle "
    "os da dos das em um uma não ao na het een voor met zijn niet aan ook wordt "
    "og af til som på med ikke er har efter och att för är av inte ve bir bu için ile na się jest nie"
)
_OTHER = frozenset(_OTHER_WORDS.split()) - _ENGLISH - _SHARED


def is_english(text: str, *, told: str | None = None) -> bool:
    """Whether a text is English: mostly Latin letters, and not more frequent words of another language.

    A text of a few words and none of the frequent ones is in the language that its record tells (a tag or a
    name: ``de``, ``ger``, ``english``), else it counts as English.

    >>> is_english("We propose X, which is a method."), is_english("我们提出了一种方法 X。")
    (True, False)
    >>> is_english("Eine Methode für die Analyse von Texten"), is_english("Deep Residual Learning")
    (False, True)
    >>> is_english("Fernwärmenetze", told="ger"), is_english("We do it for the sake of it", told="de")
    (False, True)
    """
    words = _WORD.findall(text[:_ENOUGH].lower())
    letters = "".join(words)
    if not letters:
        return True
    if not letters.isascii() and 2 * sum(map(_is_latin, letters)) < len(letters):
        return False
    other, english = sum(word in _OTHER for word in words), sum(word in _ENGLISH for word in words)
    if not other and not english and told:
        return told.strip().lower().startswith("en")
    return other <= english


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or unicodedata.name(letter, "").startswith(("LATIN", "GREEK"))
