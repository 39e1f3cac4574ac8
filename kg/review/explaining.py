"""Why the things of a name are linked as they are: every link with its reason, and every refusal to link with its own.

All of it follows from the files of a build and the catalogue: names and links as they were written, and what the
comparison of names says of the things that stand near each other.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from kg.catalogue.reading import merged
from kg.errors import InputError
from kg.model import Role
from kg.names import normal
from kg.records import loads
from kg.resolution.forms import expansions, spellings
from kg.resolution.identity import REASONS
from kg.resolution.known import contradicts
from kg.review.duplicates import duplicates
from kg.review.reasons import link_in_words, relation_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import Entity, PaperRecord
    from kg.review.built import Built, LinkTold, Thing

__all__ = ["Explanation", "LinkExplained", "NodeExplained", "Refusal", "explain", "known_in"]

_ID = '{"id": '
_IN_BRACKETS = re.compile(r"<[^<>]+://[^<>]+>")
_NO_ENTITY = "not an entity: "


@dataclass(frozen=True, slots=True)
class LinkExplained:
    """One entity of one paper that leads to a node: what the paper calls it, and why it leads there."""

    paper: str
    entity: str
    surfaces: tuple[str, ...]
    reason: str
    why: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that a node, or an entity of `paper`, was not linked to, and why.

    `iri` is empty for a known thing that no paper names.
    """

    name: str
    iri: str
    why: str
    paper: str = ""


@dataclass(frozen=True, slots=True)
class NodeExplained:
    """A node with the known thing that it is, its family, its links and what it was not linked to.

    `file` is the user's catalogue that has the known thing; `corrections` those that took effect on the node.
    """

    thing: Thing
    known: KnownThing | None
    family: Thing | None
    links: tuple[LinkExplained, ...]
    refusals: tuple[Refusal, ...]
    file: Path | None = None
    corrections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a build did with a name: the nodes that have it, and the entities of that name that lead nowhere."""

    name: str
    nodes: tuple[NodeExplained, ...]
    left_out: tuple[LinkExplained, ...]


def explain(built: Built, name: str, catalogue: Catalogue, *, files: Mapping[str, Path] | None = None) -> Explanation:
    """Return why the things of a name (or of a node's key or IRI) are linked as they are.

    `files` says which of the user's catalogues has a known thing, by its key.

    Raises:
        InputError: nothing has that name; the message says which names are near. Or the annotations cannot be read.
    """
    name = name[1:-1] if _IN_BRACKETS.fullmatch(name) else name
    asked = _asked(built, name)
    links: dict[str, list[LinkTold]] = {thing.iri: [] for thing in asked}
    for link in built.links:
        if link.iri in links:
            links[link.iri].append(link)
    wanted = {link.paper for found in links.values() for link in found}
    papers = {record.paper.id: record for record in _records(built.directory / "annotations.jsonl", wanted, name)}
    linked = {(link.paper, link.entity) for link in built.links if link.paper in papers}
    left_out = tuple(_left_out(papers, linked, name, built))
    if not asked and not left_out:
        near = process.extract(name, [thing.name for thing in built.things.values()], scorer=fuzz.ratio, limit=3)
        told = ", ".join(repr(found) for found, *_ in near)
        raise InputError(f"{built.directory}: no paper speaks of {name!r}" + (f"; near it are {told}" if near else ""))
    nodes = tuple(_node(thing, links[thing.iri], papers, built, catalogue, files or {}) for thing in asked)
    return Explanation(name, nodes, left_out)


def known_in(files: Iterable[Path]) -> dict[str, Path]:
    """Return which of a user's catalogues has a known thing, by its key; what is shipped has none."""
    shipped = merged()
    return {thing.key: file for file in files for thing in merged(file).things if thing != shipped.get(thing.key)}


def _asked(built: Built, name: str) -> list[Thing]:
    """Return the things of a name, those that are shown under it first, then those of which most papers speak."""
    exact = [thing for thing in built.things.values() if name in {thing.iri, thing.key}]
    if exact and ("~" in name or "://" in name):
        return exact
    found = {thing.iri: thing for thing in (*exact, *built.by_form.get(normal(name), ()))}
    return sorted(found.values(), key=lambda thing: (normal(thing.name) != normal(name), -len(thing.papers), thing.iri))


def _records(path: Path, wanted: set[str], name: str) -> Iterator[PaperRecord]:
    """Yield the records of these papers, and those in which the name stands; the others are not parsed."""
    folded = json.dumps(name, ensure_ascii=False)[1:-1].casefold()
    decoder = json.JSONDecoder()
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                try:
                    known = decoder.raw_decode(line, len(_ID))[0] in wanted if line.startswith(_ID) else True
                    if known or folded in line.casefold():
                        yield loads(line)
                except (ValueError, TypeError) as error:
                    raise InputError(f"{path.as_posix()}: line {number}: {error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path.as_posix()}: is not UTF-8: {error}") from None
    except OSError as error:
        raise InputError(f"{path.as_posix()}: cannot be read: {error.strerror or error}") from None


def _left_out(
    papers: dict[str, PaperRecord], linked: set[tuple[str, str]], name: str, built: Built
) -> Iterator[LinkExplained]:
    decided = [one for one in built.corrections if one.text.startswith(_NO_ENTITY)]
    for paper, record in sorted(papers.items()):
        for entity in record.entities:
            forms = set(map(normal, spellings(entity)))
            if (paper, entity.id) not in linked and normal(name) in forms:
                named = [one for one in decided if normal(_name_in(one.text)) in forms]
                which = f" “{named[0]}”" if len(named) == 1 else ""
                why = f"a correction{which} says that it is no entity"
                yield LinkExplained(paper, entity.name, _surfaces(record, entity), "correction", why)


def _name_in(correction: str) -> str:
    return correction.removeprefix(_NO_ENTITY).partition(", paper: ")[0]


def _surfaces(record: PaperRecord, entity: Entity) -> tuple[str, ...]:
    fields = dict(record.paper.fields())
    found = (fields[one.field][one.start : one.end] for one in record.mentions if one.entity == entity.id)
    return tuple(dict.fromkeys(found))


def _node(
    thing: Thing,
    links: list[LinkTold],
    papers: dict[str, PaperRecord],
    built: Built,
    catalogue: Catalogue,
    files: Mapping[str, Path],
) -> NodeExplained:
    explained: list[LinkExplained] = []
    refusals: list[Refusal] = []
    for link in links:
        record = papers.get(link.paper)
        entity = next((one for one in record.entities if one.id == link.entity), None) if record else None
        if record is None or entity is None:
            raise InputError(f"{built.directory}: links.jsonl and annotations.jsonl are of different builds")
        why = _of_its_own(link, entity, thing)
        why = why or link_in_words(link.reason, entity, catalogue.get(thing.key), built, file=files.get(thing.key))
        explained.append(LinkExplained(link.paper, entity.name, _surfaces(record, entity), link.reason, why))
        refusals += _known_things_refused(entity, record, link, thing, catalogue, built)
    family = built.things.get(thing.family) if thing.family is not None else None
    refusals += _things_refused(thing, family, built, catalogue)
    return NodeExplained(
        thing=thing,
        known=catalogue.get(thing.key),
        family=family,
        links=tuple(explained),
        refusals=tuple(dict.fromkeys(refusals)),
        file=files.get(thing.key),
        corrections=tuple(str(one) for one in built.corrections if thing.key in one.nodes),
    )


def _of_its_own(link: LinkTold, entity: Entity, thing: Thing) -> str | None:
    """Say of a link by the name alone what holds once corrections have led other papers here, or away."""
    if link.reason == "spelling" and len(thing.papers) == 1:
        return REASONS["new"]
    return f"by its name {entity.name!r}" if link.reason == "new" and len(thing.papers) > 1 else None


def _known_things_refused(
    entity: Entity, record: PaperRecord, link: LinkTold, thing: Thing, catalogue: Catalogue, built: Built
) -> Iterator[Refusal]:
    """Yield the known things that have one of an entity's names and to which it was not led."""
    prefix = thing.iri.removesuffix(thing.iri.rpartition("/entity/")[2])
    for spelling in dict.fromkeys(spellings(entity)):
        for known in catalogue.find(spelling):
            if known.key == thing.key:
                continue
            iri = next((other.iri for other in (built.things.get(prefix + known.key),) if other is not None), "")
            yield Refusal(known.name, iri, _why_not_known(entity, record, spelling, known, link, catalogue), link.paper)


def _why_not_known(
    entity: Entity, record: PaperRecord, spelling: str, known: KnownThing, link: LinkTold, catalogue: Catalogue
) -> str:
    named = f"the catalogue has a {known.type} of the name {spelling!r}"
    if link.reason.startswith("correction"):
        return f"{named}; a correction leads it elsewhere"
    if contradicts(entity, known):
        forms = {normal(name) for name in known.spellings}
        longs = sorted({long for short, long in expansions(entity) if short in forms})
        spelled = next((name for name in spellings(entity) if normal(name) in longs), entity.name)
        return f"{named}, but the paper spells it out as {spelled!r}"
    if link.reason.startswith(("sense", "context", "unlike")):
        return f"{named}, but {link_in_words(link.reason, entity, None, None)}"
    several = len(catalogue.find(spelling))
    if several > 1:
        return f"{named}, one of {several} things that are called so; the paper speaks of a {entity.type}"
    return f"{named}, but {_by_the_paper(entity, record, spelling, link)}"


def _by_the_paper(entity: Entity, record: PaperRecord, spelling: str, link: LinkTold) -> str:
    if any(claim.role == Role.PROPOSES and claim.entity == entity.id for claim in record.roles):
        return "the paper proposes something of its own"
    if normal(spelling) != normal(entity.name):
        return f"the paper calls it {entity.name!r}, which leads elsewhere"
    return link_in_words(link.reason, entity, None, None)


def _things_refused(thing: Thing, family: Thing | None, built: Built, catalogue: Catalogue) -> Iterator[Refusal]:
    """Yield the things of the graph that are near a thing and are not it."""
    kin = [family] if family is not None else []
    kin += [other for other in built.versions.get(family.iri, ()) if other.iri != thing.iri] if family else []
    kin += built.versions.get(thing.iri, ())
    for other in kin:
        yield Refusal(other.name, other.iri, f"not merged because {relation_in_words(thing, other, built)}")
    seen = {other.iri for other in kin} | {thing.iri}
    for form in dict.fromkeys(map(normal, thing.spellings)):
        for other in built.by_form.get(form, ()):
            if other.iri not in seen:
                seen.add(other.iri)
                yield Refusal(
                    other.name, other.iri, f"not merged because {relation_in_words(thing, other, built, form=form)}"
                )
    for pair in duplicates(built, of=thing, catalogue=catalogue):
        other = pair.other if pair.one.iri == thing.iri else pair.one
        if other.iri not in seen:
            seen.add(other.iri)
            why = f"{pair.reason} (likeness {pair.score:.2f}), but {relation_in_words(thing, other, built)}"
            yield Refusal(other.name, other.iri, f"not merged: {why}")
