"""Finding the known things of the catalogue: the longest name that begins at a place, in time linear in the text.

Names are cut into runs of letters and runs of digits, so that ``Qwen 2.5``, ``Qwen-2.5`` and ``Qwen2.5`` match one
entry. How strictly case counts depends on the name: a long name is found in any case, an acronym or a single word
only as it is written, and a word of plain spelling (``Replica``) only where its capital means something.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.catalogue import load
from kg.linking.draft import Draft, Found, Part, draft_of
from kg.linking.words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import EntityType

__all__ = ["GazetteerFinder"]

_ATOM = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*|[+*](?!\w)")
_GAP = re.compile(r"[-–‐‑ _/.'’]{0,2}")
_CHIP_CLASS = re.compile(r"(?<=\w)[\s-](?:Tensor Core )?(?:GPU|CPU)s?$")
_MULTIPLIER = re.compile(r"(?<!\w)\d{1,5}[x×]$")


@dataclass(slots=True)
class _Branch:
    """A node of the trie of atoms; `names` are the written names that end here, with the types they stand for."""

    below: dict[str, _Branch] = field(default_factory=dict)
    names: list[tuple[str, EntityType]] = field(default_factory=list)


class GazetteerFinder:
    """The component that adds every known thing a text names to the Doc's draft."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._root = _Branch()
        self._fill(catalogue.things)

    def _fill(self, things: Iterable[KnownThing]) -> None:
        for thing in things:
            for name in (thing.name, *thing.aliases):
                atoms = [atom.casefold() for atom in _ATOM.findall(name)]
                if not atoms or name in NO_NAMES or len(name) < 2:
                    continue
                branch = self._root
                for atom in atoms:
                    branch = branch.below.setdefault(atom, _Branch())
                branch.names.append((name, thing.type))

    def __call__(self, doc: Doc) -> Doc:
        """Add the known things that the Doc names to its draft."""
        draft = draft_of(doc)
        for part in draft.parts:
            draft.found.extend(self._find(draft, part))
        return doc

    def _find(self, draft: Draft, part: Part) -> Iterable[Found]:
        atoms = [(match.start(), match.end()) for match in _ATOM.finditer(draft.text, part.begin, part.end)]
        lowered = [draft.text[start:end].casefold() for start, end in atoms]
        heading = part.field == "title"
        at = 0
        while at < len(atoms):
            found = self._longest(draft, atoms, lowered, at, heading=heading)
            if found is None:
                at += 1
                continue
            yield found[0]
            at = found[1]

    def _longest(
        self, draft: Draft, atoms: list[tuple[int, int]], lowered: list[str], at: int, *, heading: bool
    ) -> tuple[Found, int] | None:
        text, start = draft.text, atoms[at][0]
        if start and text[start - 1].isalnum() and not _MULTIPLIER.search(text[max(0, start - 7) : start]):
            return None
        branch = self._root
        best: tuple[Found, int] | None = None
        for index in range(at, len(atoms)):
            if index > at and not _GAP.fullmatch(text, atoms[index - 1][1], atoms[index][0]):
                break
            end = atoms[index][1]
            closed = end == len(text) or not text[end].isalnum()
            below = branch.below.get(lowered[index])
            plural = branch.below.get(lowered[index][:-1]) if closed and lowered[index][-1] == "s" else None
            for candidate in (plural, below):
                if candidate is not None and closed and candidate.names:
                    kind = _kind(draft, start, end, candidate, heading=heading)
                    if kind is not None and not draft.in_url(start, end):
                        stop = start + len(_CHIP_CLASS.sub("", text[start:end]))
                        best = Found(start, stop, kind, 0.9, "gazetteer"), index + 1
            if below is None:
                break
            branch = below
        return best


def _kind(draft: Draft, start: int, end: int, branch: _Branch, *, heading: bool) -> EntityType | None:
    """Return the type that a span is known as, or None where it is written too differently from every name."""
    surface = draft.text[start:end]
    for name, kind in branch.names:
        if _written_as(surface, name) and not (_is_plain(surface) and (heading or draft.sentence(start)[0] == start)):
            return kind
    return None


def _written_as(surface: str, name: str) -> bool:
    singular = surface[:-1] if surface.endswith("s") and not name.endswith("s") else surface
    if name in (surface, singular):
        return True
    letters = [word for word in re.split(r"[^A-Za-z]+", name) if word]
    if len(letters) > 1 and len(name) > 6:
        return True
    if any(char.isdigit() for char in name) and len(name) > 3:
        return surface[:1].isupper() == name[:1].isupper() or surface[:1].isupper()
    if name.islower():
        return len(name) > 5 and singular.casefold() == name
    same_letters = re.sub(r"\W", "", singular).casefold() == re.sub(r"\W", "", name).casefold()
    return same_letters and len(name) > 4 and surface[:1].isupper() and any(map(str.isupper, name[1:]))


def _is_plain(surface: str) -> bool:
    """Say whether a name is a single word whose only capital is its first letter, as any word has in a heading."""
    return surface.isalpha() and surface[1:].islower() and surface[0].isupper()


@Language.factory("kg_gazetteer", default_config={"catalogue_files": []})
def _make_gazetteer(nlp: Language, name: str, catalogue_files: list[str]) -> GazetteerFinder:
    return GazetteerFinder(load(*map(Path, catalogue_files)))
