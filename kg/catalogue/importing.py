"""From a public listing to a catalogue file that fits the shipped catalogue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import yaml

from kg.catalogue.families import family_in
from kg.catalogue.joining import known_as, plain_form, without_gloss
from kg.catalogue.listings import rows, thing_of
from kg.model import EntityType
from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kg.catalogue.model import Catalogue, KnownThing

__all__ = ["Imported", "as_yaml", "import_listing"]

_MOST_SOURCES = 5


@dataclass(frozen=True)
class Imported:
    """What came of a listing: its things, sorted; where it says that it is from; and what was left out, counted.

    `skipped` are rows that tell of nothing, with the reason; `ambiguous` aliases were dropped, for another thing
    of the type has them.
    """

    things: tuple[KnownThing, ...]
    sources: tuple[str, ...]
    rows: int
    skipped: tuple[str, ...]
    repeated: int
    known: int
    ambiguous: tuple[str, ...]

    def __str__(self) -> str:
        """The counts in words."""
        return (
            f"{self.rows} rows: {len(self.things)} things, {self.repeated} repeated, {len(self.skipped)} skipped; "
            f"{self.known} of the things are in the shipped catalogue; {len(self.ambiguous)} ambiguous aliases dropped"
        )


def import_listing(path: Path, catalogue: Catalogue, *, type_: EntityType | None = None) -> Imported:
    """Return the things of a listing, each under the name that the catalogue has for it, where it has it.

    A thing that is not known, but whose name only adds details to that of a known one, is a version of that. Of a
    known thing, only what the catalogue does not tell itself is taken.

    Raises:
        CatalogueError: the file cannot be read, is no listing, or none of its rows tells of a thing.
    """
    things: dict[tuple[str, EntityType], KnownThing] = {}
    sources: Counter[str] = Counter()
    skipped: list[str] = []
    count = repeated = 0
    for row in rows(path):
        count += 1
        told = row.values.get("source")
        sources.update(one for one in (told if isinstance(told, list) else [told]) if isinstance(one, str))
        try:
            thing = _as_known(thing_of(row, type_), catalogue)
        except ValueError as error:
            skipped.append(f"row {row.number}: {error}")
            continue
        place = (plain_form(thing.name, thing.type), thing.type)
        repeated += place in things
        things[place] = _together(things[place], thing) if place in things else thing
    known = sum(1 for thing in things.values() if _entry(catalogue, thing) is not None)
    kept, ambiguous = _unambiguous(things.values(), catalogue)
    origin = tuple(sorted(sources, key=lambda source: (-sources[source], source))[:_MOST_SOURCES])
    return Imported(kept, origin, count, tuple(skipped), repeated, known, ambiguous)


def _entry(catalogue: Catalogue, thing: KnownThing) -> KnownThing | None:
    return next((one for one in catalogue.find(thing.name) if (one.name, one.type) == (thing.name, thing.type)), None)


def _as_known(thing: KnownThing, catalogue: Catalogue) -> KnownThing:
    """Return a thing under the catalogue's name for it: what it is called in the listing becomes an alias."""
    known = known_as(thing.name, thing.type, catalogue)
    if known is None:
        above = family_in(thing.name, thing.type, catalogue)
        thing = replace(thing, family=above.name if above is not None else None)
        name = without_gloss(thing.name) if thing.type == EntityType.HARDWARE else thing.name
        return thing if name == thing.name else replace(thing, name=name, aliases=(thing.name, *thing.aliases))
    spellings = {normal(spelling) for spelling in known.spellings}
    return replace(
        thing,
        name=known.name,
        aliases=tuple(alias for alias in (thing.name, *thing.aliases) if normal(alias) not in spellings),
        introduced_by=None if known.introduced_by else thing.introduced_by,
        homepage=None if known.homepage else thing.homepage,
        wikidata=None if known.wikidata else thing.wikidata,
        long_form=None,
    )


def _together(one: KnownThing, other: KnownThing) -> KnownThing:
    aliases = dict.fromkeys((*one.aliases, other.name, *other.aliases))
    return replace(
        one,
        aliases=tuple(alias for alias in aliases if normal(alias) != normal(one.name)),
        family=one.family or other.family,
        introduced_by=one.introduced_by or other.introduced_by,
        homepage=one.homepage or other.homepage,
        wikidata=one.wikidata or other.wikidata,
        long_form=one.long_form or other.long_form,
    )


def _unambiguous(things: Iterable[KnownThing], catalogue: Catalogue) -> tuple[tuple[KnownThing, ...], tuple[str, ...]]:
    """Drop the aliases that another thing of the type has, here or in the catalogue: they would name neither."""
    ordered = sorted(things, key=lambda thing: (thing.type, normal(thing.name), thing.name))
    names = {(normal(thing.name), thing.type) for thing in ordered}
    owners = Counter((form, thing.type) for thing in ordered for form in {normal(alias) for alias in thing.aliases})
    dropped: list[str] = []

    def fits(alias: str, thing: KnownThing) -> bool:
        form = normal(alias)
        if form == normal(thing.name):
            return False
        others = {one.key for one in catalogue.find(alias) if one.type == thing.type} - {normal(thing.name)}
        if (form, thing.type) in names or owners[form, thing.type] > 1 or others:
            dropped.append(alias)
            return False
        return True

    kept = []
    for thing in ordered:
        spelled = {alias.casefold(): alias for alias in reversed(thing.aliases)}
        aliases = tuple(alias for alias in reversed(spelled.values()) if fits(alias, thing))
        kept.append(replace(thing, aliases=aliases, long_form=thing.long_form if thing.long_form in aliases else None))
    return tuple(kept), tuple(sorted(set(dropped)))


def as_yaml(imported: Imported, origin: str) -> str:
    """Return a catalogue file of the things, one a line, with where they are from in its heading."""
    head = [f"Imported from {origin} by `kg catalogue import`.", *(f"Source: {source}" for source in imported.sources)]
    lines = [f"# {' '.join(line.split())}" for line in head] + ["things:"]
    for thing in imported.things:
        values: dict[str, str | list[str] | None]
        others = [alias for alias in thing.aliases if alias != thing.long_form]
        values = {"name": thing.name, "type": thing.type.value, "long_form": thing.long_form, "aliases": others}
        values |= {"family": thing.family}
        values |= {"introduced_by": thing.introduced_by, "homepage": thing.homepage, "wikidata": thing.wikidata}
        told = {key: value for key, value in values.items() if value}
        shown = yaml.safe_dump(told, default_flow_style=True, width=float("inf"), allow_unicode=True, sort_keys=False)
        lines.append(f"  - {shown.strip()}")
    return "\n".join(lines) + "\n"
