"""Catalogue files: YAML as `schema.json` tells it, untrusted, so only plain data is read from it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from kg.catalogue.families import wrong_family
from kg.catalogue.model import Catalogue, KnownThing
from kg.errors import CatalogueError
from kg.model import EntityType
from kg.names.normal import normal
from kg.plain_yaml import read_yaml

__all__ = ["DATA", "load", "merged", "read"]

DATA = Path(__file__).parent / "data"
_FILE_KEYS = frozenset({"type", "things"})
_THING_KEYS = frozenset(
    {"name", "type", "long_form", "aliases", "family", "introduced_by", "homepage", "wikidata", "exact_case"},
)
_FORMATS = {
    "introduced_by": re.compile(
        r"arxiv:(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})|doi:10\.\S+|acl:\S+|openreview:\S+|url:https?://\S+"
    ),
    "homepage": re.compile(r"https?://[^\s<>\"{}|\\^`]+"),
    "wikidata": re.compile(r"Q[1-9]\d*"),
}
_MAX_LENGTH = 200


def load(*files: Path) -> Catalogue:
    """Return the shipped catalogue with the things of the user's files added.

    A thing of a later file that has the name and the type of an earlier one adds its aliases and replaces
    what else it tells; of the same name and another type, it is a thing of its own.

    Raises:
        CatalogueError: a file cannot be read, does not hold known things, or tells of a family that cannot be one.
    """
    catalogue = merged(*files)
    if not files:
        return catalogue
    by_name = {(normal(thing.name), thing.type): thing for thing in catalogue.things}
    for file in files:
        for number, told in enumerate(read(Path(file)), start=1):
            if reason := wrong_family(by_name[normal(told.name), told.type], catalogue):
                raise CatalogueError(f"{file}: entry {number} ({told.name}): {reason}")
    return catalogue


def merged(*files: Path) -> Catalogue:
    """Return what `load` does, but without a look at the families.

    Raises:
        CatalogueError: a file cannot be read or does not hold known things.
    """
    if not files:
        return _shipped()
    things = list(_shipped().things)
    for file in files:
        things.extend(read(Path(file)))
    return _catalogue(things)


@cache
def _shipped() -> Catalogue:
    return _catalogue([thing for path in sorted(DATA.glob("*.yaml")) for thing in read(path)])


def read(path: Path) -> list[KnownThing]:
    """Return the things of one file, in its order.

    Raises:
        CatalogueError: the file cannot be read or does not hold known things.
    """
    try:
        data = read_yaml(path)
    except ValueError as error:
        raise CatalogueError(f"{path}: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("things"), list):
        raise CatalogueError(f"{path}: has no list `things`")
    _no_others(path, "the file", data, _FILE_KEYS)
    return [_thing(path, number, entry, data.get("type")) for number, entry in enumerate(data["things"], start=1)]


def _thing(path: Path, number: int, entry: object, file_type: object) -> KnownThing:
    where = f"entry {number}"
    if not isinstance(entry, dict):
        raise CatalogueError(f"{path}: {where}: is not a mapping with a `name`")
    name = _text(path, where, "name", entry.get("name"))
    where = f"{where} ({name})"
    _no_others(path, where, entry, _THING_KEYS)
    told = entry.get("type", file_type)
    if told not in list(EntityType):
        raise CatalogueError(f"{path}: {where}: `type` must be one of {', '.join(EntityType)}, not {_shown(told)}")
    aliases = entry.get("aliases", [])
    if not isinstance(aliases, list):
        raise CatalogueError(f"{path}: {where}: `aliases` must be a list of texts")
    exact_case = entry.get("exact_case", False)
    if not isinstance(exact_case, bool):
        raise CatalogueError(f"{path}: {where}: `exact_case` must be true or false")
    long_form = _text(path, where, "long_form", entry["long_form"]) if "long_form" in entry else None
    others = (_text(path, where, "aliases", alias) for alias in aliases)
    return KnownThing(
        key=normal(name),
        type=EntityType(told),
        name=name,
        aliases=(*others,) if long_form is None else (long_form, *others),
        family=_text(path, where, "family", entry["family"]) if "family" in entry else None,
        introduced_by=_formatted(path, where, "introduced_by", entry),
        homepage=_formatted(path, where, "homepage", entry),
        wikidata=_formatted(path, where, "wikidata", entry),
        exact_case=exact_case,
        long_form=long_form,
    )


def _no_others(path: Path, where: str, mapping: dict[object, object], known: frozenset[str]) -> None:
    unknown = sorted(str(key) for key in mapping if key not in known)
    if unknown:
        raise CatalogueError(f"{path}: {where}: has an unknown key: {', '.join(unknown)}")


def _text(path: Path, where: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise CatalogueError(f"{path}: {where}: `{key}` must be a text, not {_shown(value)} (put quotes around it)")
    if not value.strip() or value != value.strip() or len(value) > _MAX_LENGTH or not value.isprintable():
        raise CatalogueError(f"{path}: {where}: `{key}` must be one line of 1 to {_MAX_LENGTH} characters")
    return value


def _shown(value: object) -> str:
    """Show a value that should be a text; a nested one, which may be huge, by its type alone."""
    return f"a {type(value).__name__}" if isinstance(value, (list, dict, set, tuple)) else repr(value)[:_MAX_LENGTH]


def _formatted(path: Path, where: str, key: str, entry: dict[object, object]) -> str | None:
    if key not in entry:
        return None
    value = _text(path, where, key, entry[key])
    if not _FORMATS[key].fullmatch(value):
        raise CatalogueError(f"{path}: {where}: `{key}` is not of the form {_FORMATS[key].pattern}: {value!r}")
    return value


def _catalogue(things: list[KnownThing]) -> Catalogue:
    merged: dict[tuple[str, EntityType], KnownThing] = {}
    for thing in things:
        identity = (normal(thing.name), thing.type)
        known = merged.get(identity)
        merged[identity] = thing if known is None else _extended(known, thing)
    keyed: dict[str, KnownThing] = {}
    for (form, type_), thing in merged.items():
        key = form if form not in keyed else f"{form}~{type_.lower()}"
        keyed[key] = replace(thing, key=key)
    return Catalogue(tuple(keyed[key] for key in sorted(keyed)))


def _extended(known: KnownThing, added: KnownThing) -> KnownThing:
    spellings = dict.fromkeys((*added.aliases, *known.spellings))
    return KnownThing(
        key=known.key,
        type=known.type,
        name=added.name,
        aliases=tuple(alias for alias in spellings if alias != added.name),
        family=added.family or known.family,
        introduced_by=added.introduced_by or known.introduced_by,
        homepage=added.homepage or known.homepage,
        wikidata=added.wikidata or known.wikidata,
        exact_case=added.exact_case or known.exact_case,
        long_form=added.long_form or known.long_form,
    )
