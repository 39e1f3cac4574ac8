"""Which normal forms stand for one thing across papers: short forms and the long forms that papers give them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.names import bare, normal
from kg.names.abbreviations import long_form_start

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Entity

__all__ = ["Forms", "coined", "expansions", "spellings", "stems"]

_MAX_SHORT = 12
_LONGER_WORD = re.compile(r"[^\W\d_]{4,}")


def spellings(entity: Entity) -> tuple[str, ...]:
    """Return the name and the aliases of an entity that are not blank."""
    return tuple(name for name in (entity.name, *entity.aliases) if normal(name))


@lru_cache(maxsize=65536)
def expansions(entity: Entity) -> frozenset[tuple[str, str]]:
    """Return the pairs of normal forms (short, long) among an entity's spellings."""
    names = spellings(entity)
    return frozenset(
        (normal(short), normal(long))
        for short in names
        if _is_short(bare(short))
        for long in names
        if normal(short) != normal(long) and " " in bare(long).replace("-", " ")
        if long_form_start(bare(short), bare(long)) == 0
    )


def coined(name: str) -> bool:
    """Whether a name is one that a paper coins, rather than words that describe.

    >>> [coined(name) for name in ("DISCO", "FlashMask-3", "Flexformer", "Flow Matching", "flow matching")]
    [True, True, True, False, False]
    """
    text = bare(name)
    words = re.split(r"[\s\-]+", text)
    telling = any(char.isdigit() or char.isupper() for word in words for char in word[1:])
    return telling or (len(words) == 1 and not text.islower())


def _is_short(name: str) -> bool:
    return " " not in name and 2 <= len(name) <= _MAX_SHORT and any(char.isupper() for char in name)


@lru_cache(maxsize=65536)
def stems(name: str) -> frozenset[str]:
    """Return the beginnings of the longer words of a name.

    >>> sorted(stems("Exponential moving averages of a net"))
    ['avera', 'expon', 'movin']
    """
    return frozenset(word.casefold()[:5] for word in _LONGER_WORD.findall(bare(name)))


class Forms:
    """The forms of the corpus: a short form that all papers spell out alike is one with its long forms.

    Long forms are alike where the words of one are among those of the other. A short form with long forms that
    are not alike is ambiguous, as is each of `shared`, and stays by itself.
    """

    def __init__(self, entities: Iterable[Entity], shared: frozenset[str] = frozenset()) -> None:
        longs: dict[str, dict[str, frozenset[str]]] = {}
        for entity in entities:
            words = {normal(name): stems(name) for name in spellings(entity)}
            for short, long in expansions(entity):
                found = longs.setdefault(short, {})
                found[long] = found.get(long, words[long]) & words[long]
        self._above: dict[str, str] = {}
        ambiguous = set(shared)
        for short in sorted(longs):
            first, *others = sorted(longs[short], key=lambda long: (len(long), long))
            words = longs[short]
            if any(not words[first] or not words[first] <= words[other] for other in others):
                ambiguous.add(short)
                continue
            for form in others if short in ambiguous else [short, *others]:
                self._above.setdefault(form, first)
        self.ambiguous = frozenset(ambiguous)

    def canonical(self, form: str) -> str:
        """Return the form that stands for a form: its long form, else itself."""
        seen = {form}
        while form in self._above and self._above[form] not in seen:
            form = self._above[form]
            seen.add(form)
        return form
