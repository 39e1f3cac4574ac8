"""Choosing among the spans found, abbreviations, and finding each name again wherever it stands."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.catalogue.gazetteer import marked_names
from kg.linking.draft import Found, draft_of
from kg.linking.types import LEARNED
from kg.linking.wording import is_compound_of
from kg.linking.words import NO_NAME_PHRASES, NO_NAMES
from kg.names.abbreviations import abbreviations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spacy.tokens import Doc

    from kg.linking.draft import Draft

    _Branch = dict[str, "_Branch"]

__all__ = ["find_abbreviations", "find_again", "find_other_forms", "is_generic", "select"]

_PIECE = re.compile(r"(?<!\w)\d{1,5}[x×](?=[A-Z])|\w+|[^\w]")
_LONGEST = 120
_LEADING = re.compile(
    r"(?:the|a|an|our|novel|new|proposed|proposing|called|existing|of|in|for|and|recent|standard|using|with|via)\s",
    re.IGNORECASE,
)


@Language.component("kg_abbreviations")
def find_abbreviations(doc: Doc) -> Doc:
    """Add the long and short forms that the paper defines to the Doc's draft, as names of one thing.

    A short form that looks generic (MR, CT) is no hint by itself, but it is this thing's where the long form is found.
    """
    draft = draft_of(doc)
    known = {(found.start, found.end): found.type for found in draft.found if found.type is not None}
    for part in draft.parts:
        text = draft.text[part.begin : part.end]
        for found in abbreviations(text):
            long, short = found.long(text), found.short(text)
            if is_generic(long) or len(long) > 90 or is_compound_of(long, short):
                continue
            start, end = part.begin + found.long_start, part.begin + found.long_end
            while clinging := _LEADING.match(draft.text, start, end):
                start = clinging.end()
            short_start, short_end = part.begin + found.short_start, part.begin + found.short_end
            draft.same.append((draft.text[start:end], draft.text[short_start:short_end]))
            if not is_generic(short):
                kind = known.get((start, end)) or known.get((short_start, short_end))
                draft.found.append(Found(start, end, kind, 0.8, "abbreviation"))
                draft.found.append(Found(short_start, short_end, kind, 0.85, "abbreviation"))
    return doc


@Language.component("kg_forms")
def find_other_forms(doc: Doc) -> Doc:
    """Add, wherever they stand, the other forms of what is found, and short names that annotators always mark.

    The forms are the other one of a long and a short form that the paper defines, and of a short form the plural or
    the singular.
    """
    draft = draft_of(doc)
    found = {draft.surface(one): one for one in reversed(draft.found)}
    forms = dict(found)
    for long, short in draft.same:
        for one, other in ((long, short), (short, long)):
            if one in found:
                forms.setdefault(other, replace(found[one], parts=()))
    for name, span in list(forms.items()):
        if (number := _other_number(name)) is not None:
            forms.setdefault(number, replace(span, parts=()))
    for name, (kind, share) in marked_names().items():
        if name in draft.text:
            for form in (name, f"{name}s"):
                forms.setdefault(form, Found(0, 0, kind, share, LEARNED))
    _add_everywhere(draft, {name: one for name, one in forms.items() if name not in found})
    return doc


def _other_number(name: str) -> str | None:
    """Return the plural of a short form in the singular, the singular of one in the plural; None of any other name."""
    if len(name) < 2 or not name[:-1].isalpha():
        return None
    if name[-1] == "s" and name[:-1].isupper() and len(name) > 2:
        return name[:-1]
    return f"{name}s" if name.isupper() else None


def is_generic(name: str) -> bool:
    """Say whether a name is of a class of things and no thing's own (GPU, LLM)."""
    return name in NO_NAMES or name.rstrip("s") in NO_NAMES or name.casefold() in NO_NAME_PHRASES


@Language.component("kg_propagation")
def find_again(doc: Doc) -> Doc:
    """Settle which spans stand, and add every other place where one of their spellings stands as a whole word."""
    draft = draft_of(doc)
    kept = select(found for found in draft.found if not is_generic(draft.surface(found)))
    spellings: dict[str, Found] = {}
    for found in kept:
        surface = draft.surface(found)
        if surface not in spellings or found.weight > spellings[surface].weight:
            spellings[surface] = found
    draft.found = kept
    _add_everywhere(draft, spellings, "propagation")
    return doc


def _add_everywhere(draft: Draft, spellings: Mapping[str, Found], finder: str | None = None) -> None:
    """Add each place of a spelling that is free yet, like the span given for it but a little less sure."""
    covered = bytearray(len(draft.text) + 1)
    for found in draft.found:
        covered[found.start : found.end] = b"\1" * (found.end - found.start)
    again: list[Found] = []
    for start, end in _places(draft.text, spellings):
        if not any(covered[start:end]) and not draft.in_url(start, end):
            model = spellings[draft.text[start:end]]
            again.append(Found(start, end, model.type, model.weight * 0.95, finder or model.finder, model.parts))
    draft.found = sorted([*draft.found, *again], key=lambda found: (found.start, found.end))


def select(found: Iterable[Found]) -> list[Found]:
    """Return spans that do not overlap, in order: of two, the longer stays, then the surer one.

    Spans that say nothing of their own (a cautious pattern) give way to names of any length; a span longer than
    any name falls out.
    """
    best: dict[tuple[int, int], Found] = {}
    for one in found:
        if one.end - one.start > _LONGEST:
            continue
        place = (one.start, one.end)
        other = best.get(place, one)
        best[place] = replace(max(one, other, key=_rank), parts=one.parts or other.parts)
    kept: list[Found] = []
    covered: set[int] = set()
    for one in sorted(best.values(), key=lambda f: (f.weight < 0.5, -(f.end - f.start), -f.weight, f.start)):
        if covered.isdisjoint(range(one.start, one.end)):
            covered.update(range(one.start, one.end))
            kept.append(one)
    return sorted(kept, key=lambda f: f.start)


def _rank(found: Found) -> tuple[bool, float, str]:
    return found.type is not None, found.weight, found.finder


def _places(text: str, spellings: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where the spellings stand as whole words, of those that begin at one place the longest.

    A multiplier (``8x``) may cling to the front of a name.
    """
    root: _Branch = {}
    for spelling in spellings:
        branch = root
        for piece in _PIECE.findall(spelling):
            branch = branch.setdefault(piece, {})
        branch[""] = {}
    pieces = _PIECE.findall(text)
    starts = list(accumulate(map(len, pieces), initial=0))
    done = 0
    for index, piece in enumerate(pieces):
        end = _longest(text, pieces, starts, index, root) if piece in root and starts[index] >= done else None
        if end is not None:
            yield starts[index], end
            done = end


def _longest(text: str, pieces: Sequence[str], starts: Sequence[int], index: int, root: _Branch) -> int | None:
    """Return where the longest spelling ends that begins with the piece at `index`; the pieces are all of the text."""
    branch, end = root, None
    for at in range(index, len(pieces)):
        piece = pieces[at]
        if piece not in branch:
            break
        branch = branch[piece]
        if "" in branch and not _goes_on(text, starts[at + 1], piece):
            end = starts[at + 1]
    return end


def _goes_on(text: str, end: int, last: str) -> bool:
    """Say whether a longer name goes on after a spelling, with a hyphen and a number (``GPT`` in ``GPT-4``)."""
    return text[end : end + 1] == "-" and text[end + 1 : end + 2].isdigit() and last[-1].isalpha()
