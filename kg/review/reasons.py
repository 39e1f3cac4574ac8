"""The reasons of links and of refusals, in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.names import compare, normal, parse
from kg.resolution.forms import spellings
from kg.resolution.identity import REASONS

if TYPE_CHECKING:
    from kg.catalogue import KnownThing
    from kg.model import Entity
    from kg.review.built import Built, Thing

__all__ = ["link_in_words", "relation_in_words"]

_PARTS = ("version", "size", "variant", "year", "split")


def link_in_words(reason: str, entity: Entity, known: KnownThing | None, built: Built | None) -> str:
    """Return the reason of a link as a sentence's end. `known` is the known thing that the node is, where it is one."""
    code, _, detail = reason.partition(": ")
    if code in {"catalogue", "alias"} and known is not None:
        return _by_catalogue(entity, known)
    if code in {"context", "unlike"}:
        return _by_context(code, detail, entity, built)
    told = {
        "sense": f"several things are called {entity.name!r}, and this one is {detail}",
        "abbreviation": f"{entity.name!r} stands for {detail}" if detail else "it stands for this in its paper",
        "core": f"its paper calls it {detail} in short, and the name only adds words to that",
        "spelling": f"the normal form {normal(entity.name)!r} is that of other papers' names, too",
        "correction": f"by the correction “{detail}”",
    }
    return told.get(code) or REASONS.get(code, reason)


def _by_catalogue(entity: Entity, known: KnownThing) -> str:
    forms = {**{normal(alias): "an alias of it" for alias in known.aliases}, normal(known.name): "its name"}
    called = next(((name, forms[normal(name)]) for name in spellings(entity) if normal(name) in forms), None)
    return f"catalogue entry {known.name!r}" + (f"; {called[0]!r} is {called[1]}" if called else "")


def _by_context(code: str, detail: str, entity: Entity, built: Built | None) -> str:
    key, _, measure = detail.partition(" (")
    times = f" ({measure.rstrip(')')} times as like as to any papers)" if measure else ""
    name = next((thing.name for thing in built.things.values() if thing.key == key), key) if built else key
    name = key if normal(name) == normal(entity.name) else name
    if detail.startswith("too few papers"):
        return f"several things are called {entity.name!r}, and {detail}"
    if code == "context":
        return f"several things are called {entity.name!r}, and the paper's words are like those on {name!r}{times}"
    return f"the paper's words are not like those on {name!r}{times}, which is called {entity.name!r}, too"


def relation_in_words(one: Thing, other: Thing, *, form: str | None = None) -> str:
    """Return why two things are not one. `form` is a normal form that both have as a name or an alias."""
    if other.iri == one.family or one.iri == other.family:
        version, above = (one, other) if other.iri == one.family else (other, one)
        return f"{version.name!r} is a version of {above.name!r}"
    if one.family is not None and one.family == other.family:
        left, right = parse(one.name), parse(other.name)
        told = [
            f"{part} {getattr(left, part) or 'none'} here, {getattr(right, part) or 'none'} there"
            for part in _PARTS
            if normal(getattr(left, part)) != normal(getattr(right, part))
        ]
        return f"they are versions of one family: {'; '.join(told)}" if told else "they are versions of one family"
    if "~" in one.key or "~" in other.key or (form is not None and normal(one.name) == normal(other.name)):
        return "several things have the name, and papers that use it are told apart by what they propose or are like"
    if form is not None:
        return f"the short form {form!r} stands for several things, which are spelled out otherwise"
    return _BY_NAMES[compare(one.name, other.name)]


_BY_NAMES = {
    "version": "the names are those of two versions of one family",
    "different": "the names alone say that they differ, and no paper says that they are one",
    "same": "no paper says that the one is the other, and the short form has other meanings",
}
