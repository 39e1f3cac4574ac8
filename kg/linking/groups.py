"""Which names of one paper are one thing: what says so joins them, unless something keeps them apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.linking.apart import told_apart
from kg.model import EntityType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.linking.draft import Alike

__all__ = ["Groups"]

_KNOWN_APART = frozenset(EntityType) - {EntityType.HARDWARE}
"""The types of which two known things are two in a paper, too, if it does not say that they are one.

Of hardware, a paper names the machine once by its maker's line and once by its number.
"""


_MOST = 16
"""How many names of a group are compared with another's; a paper with more spellings of one thing is made up."""


class Groups:
    """The names of a paper in groups of one thing each; at first each normal form is a group.

    `forms` are the normal forms of the names, `known` the keys of the known things of those that name one.

    >>> from kg.linking.draft import Alike
    >>> groups = Groups({"Segment Anything 2": "segmentanything2", "SAM 2": "sam2", "SAM2": "sam2", "SAM": "sam"}, {})
    >>> groups.define("Segment Anything 2", "SAM 2")
    >>> groups.join_alike([Alike(0.1, "SAM 2", "SAM", EntityType.METHOD)])
    >>> sorted(set(groups.owners().values()))
    ['sam', 'segmentanything2']
    """

    def __init__(self, forms: Mapping[str, str], known: Mapping[str, str]) -> None:
        self._forms = forms
        self._parents = {form: form for form in forms.values()}
        self._names: dict[str, list[str]] = {}
        self._known: dict[str, set[str]] = {}
        self._short_forms: dict[str, set[str]] = {}
        for name, form in forms.items():
            self._names.setdefault(form, []).append(name)
        for name, key in known.items():
            self._known.setdefault(forms[name], set()).add(key)

    def owners(self) -> dict[str, str]:
        """Return for each name the normal form that stands for its group."""
        return {name: self._root(form) for name, form in self._forms.items()}

    def join(self, one: str, other: str) -> None:
        """Make one group of those of two names, the second one's normal form standing for it."""
        gone, stays = self._root(self._forms[one]), self._root(self._forms[other])
        if gone != stays:
            self._parents[gone] = stays
            self._names[stays] += self._names.pop(gone)
            for told in (self._short_forms, self._known):
                told.setdefault(stays, set()).update(told.pop(gone, ()))

    def define(self, long: str, short: str) -> None:
        """Join two names of which the paper says that one is short for the other."""
        self.join(short, long)
        if " " not in short:
            self._short_forms.setdefault(self._root(self._forms[long]), set()).add(_letters(short))

    def join_alike(self, pairs: Iterable[Alike]) -> None:
        """Join what is alike, the surest first, but no versions, and nothing that has a short form of its own each."""
        for pair in pairs:
            one, other = self._root(self._forms[pair.short]), self._root(self._forms[pair.long])
            if one != other and not self._apart(one, other, pair):
                self.join(pair.short, pair.long)

    def _apart(self, one: str, other: str, pair: Alike) -> bool:
        if _differ(self._short_forms, one, other) or (pair.type in _KNOWN_APART and _differ(self._known, one, other)):
            return True
        some, theirs = self._names[one][:_MOST], self._names[other][:_MOST]
        return any(told_apart(a, b, pair.type, self._forms) for a in some for b in theirs)

    def _root(self, form: str) -> str:
        while self._parents[form] != form:
            form = self._parents[form]
        return form


def _differ(told: Mapping[str, set[str]], one: str, other: str) -> bool:
    ours, theirs = told.get(one, set()), told.get(other, set())
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _letters(short: str) -> str:
    return re.sub(r"[\W_]+", "", short).casefold().removesuffix("s")
