"""Known things and the index over their names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kg.model import EntityType
from kg.names.normal import normal

__all__ = ["Catalogue", "KnownThing"]

_PLURAL = re.compile(r"(?:(?<=\d)|(?P<hyphen>(?<=[A-Z]-[A-Z][a-z][a-z])))s\s*$")


@dataclass(frozen=True, slots=True)
class KnownThing:
    """A thing that is known beforehand.

    `key` is the normal form of the name, with ``~`` and the type where another thing has the same.
    `aliases` are its other spellings, `long_form` with them: what its name or an alias is short for.
    `family` is the display name of what it is a version of. `exact_case` says that its one-word spellings
    count only in the case they are written in (``SAM``, ``MATH``).
    """

    key: str
    type: EntityType
    name: str
    aliases: tuple[str, ...] = ()
    family: str | None = None
    introduced_by: str | None = None
    homepage: str | None = None
    wikidata: str | None = None
    exact_case: bool = False
    long_form: str | None = None

    @property
    def spellings(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Catalogue:
    """The known things, sorted by key."""

    things: tuple[KnownThing, ...] = ()

    def find(self, name: str) -> tuple[KnownThing, ...]:
        """Return the things that a name may mean: those that have it as their name first, then by
        type and key.

        More than one where the name is ambiguous (``CL``); none where nothing known has it. The plural of a name is
        that name where it can be nothing else: of hardware (``A100s``), and of a name with a hyphen (``U-Nets``).
        """
        return self._by_name.get(normal(name), ()) or self._of_plural(name)

    def _of_plural(self, name: str) -> tuple[KnownThing, ...]:
        if (plural := _PLURAL.search(name)) is None:
            return ()
        things = self._by_name.get(normal(name[: plural.start()]), ())
        return (
            things if all(thing.type is EntityType.HARDWARE for thing in things) or plural["hyphen"] is not None else ()
        )

    def get(self, key: str) -> KnownThing | None:
        """Return the thing of a key, or None."""
        return self._by_key.get(key)

    @cached_property
    def _by_key(self) -> dict[str, KnownThing]:
        return {thing.key: thing for thing in self.things}

    @cached_property
    def _by_name(self) -> dict[str, tuple[KnownThing, ...]]:
        index: dict[str, dict[str, KnownThing]] = {}
        for thing in self.things:
            index.setdefault(normal(thing.name), {})[thing.key] = thing
        order = list(EntityType)
        for thing in sorted(self.things, key=lambda thing: (order.index(thing.type), thing.key)):
            for alias in thing.aliases:
                index.setdefault(normal(alias), {}).setdefault(thing.key, thing)
        return {form: tuple(found.values()) for form, found in index.items()}
