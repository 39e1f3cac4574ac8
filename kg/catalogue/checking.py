"""What is wrong in a catalogue: clashes, duplicate aliases, families that go in a circle or lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.catalogue.reading import load, read
from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["Finding", "check", "check_files"]

_MAY_BE_SHARED = 3


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something to look at: a fault, or (`fault` is false) what may be meant so, and the keys of its things."""

    fault: bool
    text: str
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The finding with its weight.

        >>> print(Finding(False, "Dataset X and Task X have one name"))
        note: Dataset X and Task X have one name
        """
        return f"{'fault' if self.fault else 'note'}: {self.text}"


def check_files(files: Iterable[Path]) -> list[Finding]:
    """Return what is wrong in the shipped catalogue, or, where files are given, in theirs together with it.

    Raises:
        CatalogueError: a file cannot be read or does not hold known things.
    """
    files = list(files)
    catalogue = load(*files)
    findings = check(catalogue)
    if not files:
        return findings
    theirs = [thing for file in files for thing in read(file)]
    names = {(normal(thing.name), thing.type) for thing in theirs}
    keys = {thing.key for thing in catalogue.things if (normal(thing.name), thing.type) in names}
    return [finding for finding in findings if keys & set(finding.keys)]


def check(catalogue: Catalogue) -> list[Finding]:
    """Return what is wrong in a catalogue, faults first."""
    findings = {*_shared_names(catalogue), *_repeats(catalogue), *_families(catalogue)}
    return sorted(findings, key=lambda finding: (not finding.fault, finding.text))


def _shown(thing: KnownThing) -> str:
    return f"{thing.type} {thing.name!r}"


def _shared_names(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield the names that several things have: a fault where they are of one type, for then they name neither.

    A short form of up to three letters may well have several long forms; that it names none by itself is meant so.
    """
    owners: dict[str, dict[str, tuple[KnownThing, str]]] = {}
    for thing in catalogue.things:
        for spelling in reversed(thing.spellings):
            owners.setdefault(normal(spelling), {})[thing.key] = (thing, spelling)
    for form, found in owners.items():
        things = [thing for thing, _ in found.values()]
        for number, one in enumerate(things):
            for other in things[number + 1 :]:
                spelling = found[one.key][1]
                is_name = form in {normal(one.name), normal(other.name)}
                kind = "a clash: the name of one is an alias of the other" if is_name else "a duplicate alias"
                fault = one.type == other.type and (is_name or len(form) > _MAY_BE_SHARED)
                text = f"{_shown(one)} and {_shown(other)} are both called {spelling!r}" + (
                    f", {kind}" if one.type == other.type else ""
                )
                yield Finding(fault, text, (one.key, other.key))


def _repeats(catalogue: Catalogue) -> Iterator[Finding]:
    for thing in catalogue.things:
        for alias in {alias for alias in thing.spellings if thing.spellings.count(alias) > 1}:
            yield Finding(True, f"{_shown(thing)} has the alias {alias!r} twice", (thing.key,))


def _families(catalogue: Catalogue) -> Iterator[Finding]:
    for thing in catalogue.things:
        if thing.family is None:
            continue
        above = catalogue.find(thing.family)
        if not above:
            text = f"{_shown(thing)}: its family {thing.family!r} is not in the catalogue itself"
            yield Finding(False, text, (thing.key,))
        elif thing.type not in {one.type for one in above}:
            types = " and a ".join(sorted({one.type.value for one in above}))
            yield Finding(True, f"{_shown(thing)}: its family {thing.family!r} is a {types}", (thing.key,))
        circle = _circle(thing, catalogue)
        if circle:
            ring = " → ".join((*circle, circle[0]))
            yield Finding(True, f"families go in a circle: {ring}", tuple(sorted(map(normal, circle))))


def _circle(thing: KnownThing, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the names on the circle that a thing's families make, from the first in the alphabet; empty if none."""
    names: list[str] = []
    step: KnownThing | None = thing
    while step is not None and step.name not in names:
        names.append(step.name)
        found = [one for one in catalogue.find(step.family or "") if one.type == thing.type] if step.family else []
        step = found[0] if found else None
    if step is None or step.name != thing.name:
        return ()
    first = names.index(min(names))
    return (*names[first:], *names[:first])
