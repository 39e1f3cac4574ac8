"""Finding names where the words around them say that a name follows: titles, “we propose X”, “called X”."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.draft import Draft, Found, draft_of
from kg.linking.words import NO_NAMES, core, is_capitalised, is_quantity

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["INTRODUCING", "find_introductions"]

_VERBS = (
    "propos(?:e|es|ed|ing)|introduc(?:e|es|ed|ing)|present(?:s|ed|ing)?|develop(?:s|ed|ing)?|design(?:s|ed|ing)?|"
    "devis(?:e|es|ed)|describ(?:e|es)|construct(?:s|ed)?|creat(?:e|es|ed)|releas(?:e|es|ed|ing)|buil[dt]s?|"
    "contribut(?:e|es)|establish(?:es)?|curat(?:e|es|ed)|formulat(?:e|es)|"
    "unveil(?:s)?|put forward|instantiat(?:e|es)|"
    "implement(?:s|ed)?|open-?sourc(?:e|es|ed)|offer(?:s)?|collect(?:s|ed)?"
)
INTRODUCING = re.compile(
    r"\b(?:we|paper|work|article|study|report|authors|thesis)\b(?:\s(?:here|also|then|further|first|therefore|thus|"
    r"additionally|formally|next|now|hereby|have|and|the|in|this|paper)){0,6},?\s"
    rf"(?:(?:[a-z]+\s(?:and|or)\s)?(?:{_VERBS}))\b",
    re.IGNORECASE,
)
"""The words by which a paper introduces a thing of its own."""

_NAME = r"[^\W_][\w.+\-*/^&]{0,60}[\w+*]"
_NAME_AFTER_VERB = re.compile(rf"(?:\s(?:and|the|a|an|our|new|novel|two|three))*\s(?P<name>{_NAME})(?=[\s,.:;()])")
_CALLED = re.compile(
    rf"\b(?:called|named|dubbed|termed|coined|namely|denoted(?: as)?|referred to as|"
    rf"abbreviated as|nicknamed|titled|"
    rf"(?:which|that) we (?:call|name|term|dub|refer to as))\s(?:the\s)?[\"“'‘`]?"
    rf"(?P<name>{_NAME}(?:\s(?:of|the|for|to|in|by|with|[A-Z\d][\w.+\-]{{0,40}})){{0,8}})"
)
_SMALL = frozenset(("of", "the", "for", "to", "in", "by", "with"))
_TITLE = re.compile(r"(?P<name>[^:：]{2,60}?)\s?[:：]\s|(?P<dashed>[^\s—–]{2,40})\s[—–]\s")
_PLAIN_WORDS = (
    "towards toward learning beyond from position survey reply comment tutorial the a an on how what why when report "
    "introduction overview review technical rethinking understanding revisiting part case"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())


@Language.component("kg_introductions")
def find_introductions(doc: Doc) -> Doc:
    """Add the names that the paper introduces to the Doc's draft."""
    draft = draft_of(doc)
    for part in draft.parts:
        if part.field == "title":
            _title(draft, part.begin, part.end)
        for cue in INTRODUCING.finditer(draft.text, part.begin, part.end):
            name = _NAME_AFTER_VERB.match(draft.text, cue.end(), part.end)
            if name and is_capitalised(name["name"]):
                _add(draft, *name.span("name"), 0.75)
        for cue in _CALLED.finditer(draft.text, part.begin, part.end):
            start, end = cue.span("name")
            while " " in draft.text[start:end] and draft.text[start:end].rpartition(" ")[2] in _SMALL:
                end = start + draft.text[start:end].rindex(" ")
            if any(char.isupper() for char in draft.text[start:end]):
                _add(draft, start, end, 0.8)
    return doc


def _add(draft: Draft, start: int, end: int, weight: float) -> None:
    name = draft.text[start:end].rstrip(".-/*'’")
    if " " not in name:
        inner = core(name)
        if inner is not None:
            start, name = start + inner[0], name[inner[0] : inner[1]]
        elif name in NO_NAMES or is_quantity(name) or not _stands_alone(draft, start, start + len(name)):
            return
    end = start + len(name)
    if name and not draft.in_url(start, end):
        draft.found.append(Found(start, end, None, weight, "introduction"))


def _stands_alone(draft: Draft, start: int, end: int) -> bool:
    """Say whether a plain capitalised word is a name by itself: no capitalised or "
    "lower-case noun goes on after it."""
    return (
        re.match(r"\s?[,.:;(]|\s(?:is|as|to|for|which|that|and|on|by|with|achieves|in|uses)\b", draft.text[end:])
        is not None
    )


def _title(draft: Draft, begin: int, end: int) -> None:
    """Find X in “X: what it does”."""
    title = _TITLE.match(draft.text, begin, end)
    if title is None:
        return
    group = "name" if title["name"] else "dashed"
    start, stop = title.span(group)
    name = draft.text[start:stop]
    names = name.split()
    abbreviated = re.fullmatch(r"(.+?)\s?\((.+)\)", name)
    if abbreviated or len(names) > 5 or names[0].casefold() in _PLAIN or name.endswith("?"):
        return
    shaped = any(core(word) is not None for word in names)
    again = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", draft.text[end:]) is not None
    if shaped and len(names) == 1:
        _add(draft, start, stop, 0.85)
    elif again or len(names) == 1:
        draft.found.append(Found(start, stop, None, 0.8 if again else 0.6, "introduction"))
