"""The stems of English words: what is left of them without endings, in American spelling."""

from __future__ import annotations

import re
from functools import lru_cache

from snowballstemmer import stemmer

__all__ = ["american", "stem"]

_BRITISH = (
    (re.compile(r"is(?=(?:ation|ations|e|ed|er|ers|es|ing)$)"), "iz"),
    (re.compile(r"yse(?=[ds]?$)"), "yze"),
    (re.compile(r"(?<=[a-z]{2})our"), "or"),
    (re.compile(r"(?<=[aeiou]l)l(?=(?:ed|er|ers|ing)$)"), ""),
)
_DOER = re.compile(r"\w{3,}[eo]rs?")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a word, in small letters; of what does something, only the plural s is left out.

    Porter's algorithm for English in its second form (M. F. Porter, "Snowball: A language for stemming algorithms",
    2001), but a transformer is no transform.

    >>> stem("Routing"), stem("routed"), stem("optimisation"), stem("optimize")
    ('rout', 'rout', 'optim', 'optim')
    >>> stem("Transformers"), stem("transforms")
    ('transformer', 'transform')
    """
    spelled = american(word.casefold())
    return spelled.removesuffix("s") if _DOER.fullmatch(spelled) else str(_english().stemWord(spelled))


def american(word: str) -> str:
    """Return a word of small letters with the endings of American spelling; other words may change, all alike.

    >>> american("generalisation"), american("labelled"), american("behaviour")
    ('generalization', 'labeled', 'behavior')
    """
    for british, spelling in _BRITISH:
        word = british.sub(spelling, word)
    return word


@lru_cache(maxsize=1)
def _english() -> stemmer:
    return stemmer("english")
