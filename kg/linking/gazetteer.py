"""Finding the known things of the catalogue: the longest name that begins at a place, in time linear in the text.

Names are cut into runs of letters and runs of digits, so that ``Qwen 2.5``, ``Qwen-2.5`` and ``Qwen2.5`` match one
entry. Each entry says whether its case counts; a word of plain spelling (``Replica``) is found only where a capital
means something, not where a sentence or a heading gives it to any word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.catalogue import load
from kg.catalogue.gazetteer import gazetteer
from kg.linking.draft import Draft, Found, Part, draft_of
from kg.linking.words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc

    from kg.catalogue import Catalogue
    from kg.catalogue.gazetteer import GazetteerEntry

__all__ = ["OWN", "GazetteerFinder"]

OWN = "own"
"""The finder of the things of the user's own catalogue, which are surer than those shipped."""

_ATOM = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*|[+*](?!\w)")
_GAP = re.compile(r"[-–‐‑ _/.'’]{0,2}")
_HEAD = re.compile(r"(?<=\w)[\s-](?:(?:Tensor Core )?(?:GPU|CPU)s?|datasets?|benchmarks?)$")
_MULTIPLIER = re.compile(r"(?<!\w)\d{1,5}[x×]$")


@dataclass(slots=True)
class _Branch:
    """A node of the trie of atoms; `entries` are those whose surface ends here."""

    below: dict[str, _Branch] = field(default_factory=dict)
    entries: list[GazetteerEntry] = field(default_factory=list)


class GazetteerFinder:
    """The component that adds every known thing a text names to the Doc's draft."""

    def __init__(self, catalogue: Catalogue, own: frozenset[str] = frozenset()) -> None:
        self.catalogue = catalogue
        self._own = own
        self._root = _Branch()
        self._fill(gazetteer(catalogue))

    def _fill(self, entries: Iterable[GazetteerEntry]) -> None:
        for entry in entries:
            atoms = [atom.casefold() for atom in _ATOM.findall(entry.surface)]
            if not atoms or entry.surface in NO_NAMES or len(entry.surface) < 2:
                continue
            branch = self._root
            for atom in atoms:
                branch = branch.below.setdefault(atom, _Branch())
            branch.entries.append(entry)

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
        begins = self._root.below
        while at < len(atoms):
            if lowered[at] not in begins and lowered[at].removesuffix("s") not in begins:
                at += 1
                continue
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
                if candidate is not None and closed and candidate.entries:
                    entries = _entries(draft, start, end, candidate, heading=heading)
                    if entries and not draft.in_url(start, end):
                        stop = start + len(_HEAD.sub("", text[start:end]))
                        best = self._found(start, stop, entries), index + 1
            if below is None:
                break
            branch = below
        return best

    def _found(self, start: int, end: int, entries: list[GazetteerEntry]) -> Found:
        """Return the span of a known name: without a type where things of several types have it (SGD)."""
        own = [entry for entry in entries if entry.key in self._own]
        types = {entry.type for entry in own or entries}
        weight, finder = (1.0, OWN) if own else (0.9, "gazetteer")
        return Found(start, end, types.pop() if len(types) == 1 else None, weight, finder)


def _entries(draft: Draft, start: int, end: int, branch: _Branch, *, heading: bool) -> list[GazetteerEntry]:
    """Return the entries that a span is written as; none where it is written too differently from every name."""
    surface = draft.text[start:end]
    if _is_plain(surface) and (heading or draft.sentence(start)[0] == start):
        return []
    return [entry for entry in branch.entries if _written_as(surface, entry)]


def _written_as(surface: str, entry: GazetteerEntry) -> bool:
    """Say whether a span whose atoms are those of an entry is written as closely to it as the entry asks."""
    if not entry.exact_case:
        return True
    singular = surface[:-1] if surface.endswith("s") else surface
    return entry.surface in (surface, singular)


def _is_plain(surface: str) -> bool:
    """Say whether a name is a single word whose only capital is its first letter, as any word has in a heading."""
    return surface.isalpha() and surface[1:].islower() and surface[0].isupper()


@Language.factory("kg_gazetteer", default_config={"catalogue_files": []})
def _make_gazetteer(nlp: Language, name: str, catalogue_files: list[str]) -> GazetteerFinder:
    catalogue = load(*map(Path, catalogue_files))
    shipped = {thing.key: thing for thing in load().things} if catalogue_files else {}
    own = (thing.key for thing in catalogue.things if catalogue_files and shipped.get(thing.key) != thing)
    return GazetteerFinder(catalogue, frozenset(own))
