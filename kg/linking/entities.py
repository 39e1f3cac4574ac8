"""Linking: which spans name one thing, what it is called, and which known thing it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from spacy.language import Language

from kg.linking.contexts import contexts
from kg.linking.draft import Draft, Found, Thing, draft_of
from kg.linking.groups import Groups
from kg.linking.types import learned_type, tell_type
from kg.names import continuation, joined, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spacy.tokens import Doc

    from kg.catalogue import Catalogue, KnownThing
    from kg.linking.contexts import Context
    from kg.linking.gazetteer import GazetteerFinder
    from kg.model import EntityType

__all__ = ["EntityLinker"]

_HEARD = 64
"""How many mentions of one thing have a say in its type."""
_normal = lru_cache(maxsize=65536)(normal)


class EntityLinker:
    """The component that makes things of the spans that stand: one thing for all spellings of one name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._find = lru_cache(maxsize=65536)(catalogue.find)

    def __call__(self, doc: Doc) -> Doc:
        """Make the things of the Doc's draft."""
        draft = draft_of(doc)
        draft.found = _whole(draft)
        names = {found: _names(draft, found) for found in draft.found}
        owners = self._owners(draft, {name for several in names.values() for name in several})
        spans: dict[str, dict[Found, None]] = {}
        for found, several in names.items():
            for name in several:
                spans.setdefault(owners[name], {})[found] = None
        around = dict(zip(draft.found, contexts(draft, draft.found), strict=True))
        things = [self._thing(draft, list(mine), owner, owners, around) for owner, mine in spans.items()]
        draft.things = sorted(things, key=lambda thing: (thing.spans[0].start, thing.name))
        return doc

    def _owners(self, draft: Draft, names: Iterable[str]) -> dict[str, str]:
        """Return for each name the normal form that stands for its thing."""
        forms = {name: _normal(name) for name in sorted(names)}
        known = {name: one.key for name in forms if (one := self._known(name)) is not None}
        groups = Groups(forms, known)
        first: dict[str, str] = {}
        for name, key in known.items():
            groups.join(name, first.setdefault(key, name))
        for long, short in draft.same:
            if long in forms and short in forms:
                groups.define(long, short)
        groups.join_alike(pair for pair in draft.alike if pair.long in forms and pair.short in forms)
        return groups.owners()

    def _known(self, name: str) -> KnownThing | None:
        """Return the one known thing of this name; None where there is none, or several."""
        things = self._find(name)
        return things[0] if len(things) == 1 else None

    def _thing(
        self,
        draft: Draft,
        spans: list[Found],
        owner: str,
        owners: Mapping[str, str],
        around: Mapping[Found, Context],
    ) -> Thing:
        written = Counter(name for found in spans for name in _names(draft, found) if owners[name] == owner)
        name = _fullest(written, dict.fromkeys(long for long, _ in draft.same))
        short = min(written, key=lambda spelling: (len(spelling), spelling))
        kind = learned_type(spans) or tell_type(name, short, spans, [around[found] for found in spans[:_HEARD]])
        aliases = tuple(spelling for spelling in written if spelling != name)
        return Thing(name, aliases, kind, spans, self._catalogue_key(written, kind))

    def _catalogue_key(self, written: Iterable[str], kind: EntityType) -> str | None:
        """Return the key of the known thing, where names and type leave no doubt which it is."""
        keys = {thing.key for name in written for thing in self._find(name) if thing.type is kind}
        return keys.pop() if len(keys) == 1 else None


def _whole(draft: Draft) -> list[Found]:
    """Return the spans, each to the end of the versions, years or sizes that it is joined with ("7B and 72B")."""
    whole: list[Found] = []
    for found in sorted(draft.found, key=lambda found: (found.start, found.end)):
        if whole and found.start >= whole[-1].start and found.end <= whole[-1].end and len(whole[-1].parts) > 1:
            continue
        end = continuation(draft.text, found.start, found.end)
        longer = end > found.end and draft.part_of(found.start).end >= end
        whole.append(replace(found, end=end, parts=joined(draft.text[found.start : end])) if longer else found)
    return whole


def _names(draft: Draft, found: Found) -> tuple[str, ...]:
    """Return the names that a span stands for: several where it joins them."""
    surface = draft.surface(found)
    return found.parts or joined(surface) or (surface,)


def _fullest(written: Mapping[str, int], long_forms: Iterable[str]) -> str:
    """Return the fullest spelling: a long form that the paper defines, else the longest name; often before seldom."""
    defined = [long for long in long_forms if long in written]
    candidates: Sequence[str] = defined or list(written)
    longest = max(len(_normal(spelling)) for spelling in candidates)
    fullest = [spelling for spelling in candidates if len(_normal(spelling)) == longest]
    return max(fullest, key=lambda spelling: written[spelling])


@Language.factory("kg_linker")
def _make_linker(nlp: Language, name: str) -> EntityLinker:
    return EntityLinker(cast("GazetteerFinder", nlp.get_pipe("kg_gazetteer")).catalogue)
