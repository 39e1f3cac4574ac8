"""The draft of a record: what the components of the pipeline have found so far in one paper.

One spaCy Doc holds one paper. Its text is the plain text of the fields, one after the other; the draft lies in
``doc.user_data`` and says where each field begins and how its characters lead back to the source. Spans in a draft
are character offsets into the Doc's text, never tokens: how a text is cut into tokens must not decide what is found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from spacy.tokens import Doc

from kg.text import PlainText, plain, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.language import Language

    from kg.model import EntityType, Paper, Role

__all__ = ["Alike", "Draft", "Found", "Part", "Thing", "draft_of", "make_doc"]

_KEY = "kg.draft"
_URL = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w.-]{1,80}\.(?:com|org|io|edu|ai|net)/\S*|\b[\w.+-]{1,64}@[\w-]+\.[\w.]+"
)


@dataclass(frozen=True)
class Part:
    """One field of the paper, from `begin` to `end` in the Doc's text."""

    field: str
    begin: int
    end: int
    plain: PlainText


@dataclass(frozen=True, slots=True)
class Found:
    """A span that may name a thing.

    `type` is what the finder takes it for, None where the context has to say. `weight` in [0, 1] is how sure the
    finder is. `parts` are the names that a joined name stands for (``CIFAR-10/100``), else empty.
    """

    start: int
    end: int
    type: EntityType | None
    weight: float
    finder: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Alike:
    """Two names of one type that may be one thing, though the paper does not say so; `doubt` is the chance of two."""

    doubt: float
    long: str
    short: str
    type: EntityType


@dataclass
class Thing:
    """An entity in the making: the spans that name it, in order, and what is known of it."""

    name: str
    aliases: tuple[str, ...]
    type: EntityType
    spans: list[Found]
    catalogue: str | None = None
    roles: list[tuple[Role, float, tuple[int, ...]]] = field(default_factory=list)
    """(role, confidence, indices into `spans`, the most telling first)"""
    cues: dict[Role, float] = field(default_factory=dict)
    """By role, how sure the most telling cue around the mentions is that the thing plays it."""


@dataclass
class Draft:
    """What is known of one paper so far. Components read and extend it."""

    text: str
    parts: tuple[Part, ...]
    sentence_starts: tuple[int, ...]
    urls: tuple[tuple[int, int], ...]
    found: list[Found] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of surfaces (long form, short form) that the paper says are one."""
    alike: list[Alike] = field(default_factory=list)
    """Pairs of surfaces that may be one, the surest first."""
    things: list[Thing] = field(default_factory=list)

    def surface(self, found: Found) -> str:
        """Return the plain text of a span."""
        return self.text[found.start : found.end]

    def part_of(self, place: int) -> Part:
        """Return the field that a place of the text lies in."""
        return self.parts[bisect_right(self.parts, place, key=lambda part: part.begin) - 1]

    def source_span(self, start: int, end: int) -> tuple[str, int, int]:
        """Return (field, start, end) of a span in the source of its field."""
        part = self.part_of(start)
        first, last = part.plain.span(start - part.begin, end - part.begin)
        return part.field, first, last

    def sentence(self, place: int) -> tuple[int, int]:
        """Return the sentence that a place lies in, as a span of the text."""
        at = bisect_right(self.sentence_starts, place) - 1
        start = self.sentence_starts[at] if at >= 0 else 0
        end = self.sentence_starts[at + 1] if at + 1 < len(self.sentence_starts) else len(self.text)
        return start, end

    def progress(self, place: int) -> float:
        """Return where the sentence of a place stands in its field: 0 for the first, 1 for the last."""
        part = self.part_of(place)
        first = bisect_left(self.sentence_starts, part.begin)
        last = bisect_left(self.sentence_starts, part.end) - 1
        here = bisect_right(self.sentence_starts, place) - 1
        return (here - first) / (last - first) if last > first else 0.0

    def in_url(self, start: int, end: int) -> bool:
        """Say whether a span touches a URL or an address."""
        at = bisect_right(self.urls, (end, end))
        return at > 0 and any(start < last and first < end for first, last in self.urls[max(0, at - 1) : at + 1])


def make_doc(paper: Paper, nlp: Language) -> Doc:
    """Return the Doc of a paper, with an empty draft, for the pipeline's components to fill."""
    parts: list[Part] = []
    starts: list[int] = []
    pieces: list[str] = []
    begin = 0
    for name, source in paper.fields():
        read = plain(source)
        part = Part(name, begin, begin + len(read.text), read)
        starts.extend(_sentence_starts(source, part))
        parts.append(part)
        pieces.append(read.text)
        begin = part.end + 1
    text = "\n".join(pieces)
    # No component reads tokens. spaCy's own tokenizer takes quadratic time on, say, a long run of brackets, and what
    # spaCy works out about each new word takes longer than all the finders.
    doc = Doc(nlp.vocab, words=[text] if text else [], spaces=[False] if text else [])
    urls = tuple(url.span() for url in _URL.finditer(text))
    doc.user_data[_KEY] = Draft(text, tuple(parts), tuple(starts), urls)
    return doc


def draft_of(doc: Doc) -> Draft:
    """Return the draft that a Doc made by `make_doc` carries.

    Raises:
        KeyError: the Doc was made in another way.
    """
    return cast("Draft", doc.user_data[_KEY])


def _sentence_starts(source: str, part: Part) -> Iterator[int]:
    yield part.begin
    for start, _ in sentences(source)[1:]:
        place = part.begin + bisect_left(part.plain.offsets, start)
        if part.begin < place < part.end:
            yield place
