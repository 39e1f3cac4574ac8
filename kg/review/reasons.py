"""The reasons of links and of refusals, in words for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.names import compare, normal, parse
from kg.resolution.forms import spellings
from kg.resolution.identity import REASONS
from kg.review.wording import is_acronym

if TYPE_CHECKING:
    from pathlib import Path

    from kg.catalogue import KnownThing
    from kg.model import Entity
    from kg.review.built import Built, Thing

__all__ = ["link_in_words", "relation_in_words"]

_LIKENESS = "times as like as papers are by chance"
_PARTS = ("version", "size", "variant", "year", "split")


def link_in_words(
    reason: str, entity: Entity, known: KnownThing | None, built: Built | None, *, file: Path | None = None
) -> str:
    """Return the reason of a link as a sentence's end.

    `known` is the known thing that the node is, where it is one, and `file` the user's catalogue that has it.
    """
    code, _, detail = reason.partition(": ")
    if code in {"catalogue", "alias"}:
        _, weighed = _weighed(detail, built)
        return _by_catalogue(entity, known, file) + (f"; {_LIKENESS}: {weighed}" if weighed else "")
    if code in {"context", "unlike"}:
        return _by_context(code, detail, entity, built)
    told = {
        "sense": f"several things are called {entity.name!r}, and this one is {detail}",
        "abbreviation": f"{entity.name!r} stands for {detail}" if detail else "it stands for this in its paper",
        "core": f"its paper calls it {detail} in short, and the name only adds words to that",
        "spelling": _by_spelling(detail, entity, built),
        "correction": f"by the correction “{detail}”",
    }
    return told.get(code) or REASONS.get(code, reason)


def _by_catalogue(entity: Entity, known: KnownThing | None, file: Path | None) -> str:
    if known is None:
        return "an entry of a catalogue that the build had and that is not given here: name it with --catalogue"
    forms = {**{normal(alias): "an alias of it" for alias in known.aliases}, normal(known.name): "its name"}
    called = next(((name, forms[normal(name)]) for name in spellings(entity) if normal(name) in forms), None)
    place = f" of {file.as_posix()}" if file is not None else ""
    return f"catalogue entry {known.name!r}{place}" + (f"; {called[0]!r} is {called[1]}" if called else "")


def _by_spelling(detail: str, entity: Entity, built: Built | None) -> str:
    if detail.startswith(("'", '"')):
        return f"{entity.name!r} is another spelling of {detail}"
    _, weighed = _weighed(detail, built)
    told = f" ({_LIKENESS}: {weighed})" if weighed else ""
    return f"the normal form {normal(entity.name)!r} is that of other papers' names, too{told}"


def _by_context(code: str, detail: str, entity: Entity, built: Built | None) -> str:
    if detail.startswith("too few papers"):
        return f"several things are called {entity.name!r}, and {detail}"
    key, weighed = _weighed(detail, built)
    told = f" ({_LIKENESS}: {weighed})" if weighed else ""
    name = _named(key, built)
    name = key if normal(name) == normal(entity.name) else name
    if code == "context":
        return f"several things are called {entity.name!r}, and the paper's words are like those on {name!r}{told}"
    return f"the paper's words are not like those on {name!r}, which is called {entity.name!r}, too{told}"


def _weighed(detail: str, built: Built | None) -> tuple[str, str]:
    """Return the key that a reason is about, and how like the paper was found to be to each thing that was weighed."""
    key, _, measures = detail.partition(" (")
    if not measures:
        return key, ""
    told = []
    for measure in measures.removesuffix(")").split("; "):
        other, _, like = measure.rpartition(": ")
        told.append(f"{_named(other or key, built)!r} {like}")
    return key, ", ".join(told)


def _named(key: str, built: Built | None) -> str:
    """Return the name of the node of a key, where the build has it; the key where several senses share the name."""
    if built is None or "~" in key:
        return key
    return next((thing.name for thing in built.things.values() if thing.key == key), key)


def relation_in_words(one: Thing, other: Thing, built: Built, *, form: str | None = None) -> str:
    """Return why two things are not one. `form` is a normal form that both have as a name or an alias."""
    kept_apart = _kept_apart(one, other, built, form)
    if kept_apart is not None:
        return f"the correction “{kept_apart}” tells them apart"
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
        if told:
            return f"they are versions of one family: {'; '.join(told)}"
    if "~" in one.key or "~" in other.key or (form is not None and normal(one.name) == normal(other.name)):
        return "several things have the name, and papers that use it are told apart by what they propose or are like"
    if form is not None:
        return _by_shared_name(one, other, form)
    return _BY_NAMES[compare(one.name, other.name)]


def _kept_apart(one: Thing, other: Thing, built: Built, form: str | None) -> str | None:
    """Return the correction that tells two things apart: of two names, or of one that both have."""
    for correction in built.corrections:
        if correction.text.startswith("keep apart: ") and {one.key, other.key} <= set(correction.nodes):
            return correction.text
    if form is not None or normal(one.name) == normal(other.name):
        return built.kept_apart.get(one.iri) or built.kept_apart.get(other.iri)
    return None


def _by_shared_name(one: Thing, other: Thing, form: str) -> str:
    """Say of two things that have a name in common why that does not make them one."""
    written = next(name for name in one.spellings if normal(name) == form)
    if is_acronym(written):
        return f"the short form {written!r} stands for several things, which are spelled out otherwise"
    for thing, wider in ((one, other), (other, one)):
        if normal(wider.name) == form:
            return f"a paper says {written!r} for {thing.name!r}, too, which alone does not make them one"
    return f"papers say {written!r} for both, which alone does not make {one.name!r} and {other.name!r} one"


_BY_NAMES = {
    "version": "the names are those of two versions of one family",
    "different": "no paper says that the one is the other, and the names alone are not enough",
    "same": "no paper says that the one is the other, and the names alone are not enough",
}
