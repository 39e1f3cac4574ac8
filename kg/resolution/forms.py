"""Which normal forms stand for one thing across papers: short forms and the long forms that papers give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.names import bare, normal
from kg.names.abbreviations import long_form_start

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Entity

__all__ = ["Forms", "expansions", "spellings"]

_MAX_SHORT = 12


def spellings(entity: Entity) -> tuple[str, ...]:
    """Return the name and the aliases of an entity that are not blank."""
    return tuple(name for name in (entity.name, *entity.aliases) if normal(name))


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


def _is_short(name: str) -> bool:
    return " " not in name and 2 <= len(name) <= _MAX_SHORT and any(char.isupper() for char in name)


class Forms:
    """The forms of the corpus: a short form that all papers spell out alike is one with its long form.

    A short form with several long forms is ambiguous and stays by itself.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        longs: dict[str, set[str]] = {}
        for short, long in pairs:
            longs.setdefault(short, set()).add(long)
        self.ambiguous = frozenset(short for short, found in longs.items() if len(found) > 1)
        self._long = {short: next(iter(found)) for short, found in longs.items() if len(found) == 1}

    def canonical(self, form: str) -> str:
        """Return the form that stands for a form: its only long form, else itself."""
        seen = {form}
        while form in self._long and self._long[form] not in seen:
            form = self._long[form]
            seen.add(form)
        return form
