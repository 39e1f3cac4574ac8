"""Strings as their authors wrote them: what copying, converting and exporting did to them is undone.

A repair is made only where it is sure; what may be meant is left alone. Repairs come before anything is found
in the text, so offsets count in the repaired value. Each function returns clean text as it is.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import ftfy
from ftfy.badness import is_bad
from ftfy.fixes import fix_c1_controls

from kg.readers.decoding import clean
from kg.readers.inline import has_tags, without_tags

if TYPE_CHECKING:
    from kg.readers.values import RawPaper

__all__ = ["abstract", "dehyphenated", "line", "mended", "repaired"]

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_RETURN = re.compile("\r\n|\r ?")
_BREAK = re.compile(r"(?<=[^\W\d_])[-‐]\n[ \t]*(?=[a-zß-ÿ])")
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_WORD = re.compile(r"[^\W\d_]+")
#: What words end with, and is no word itself: a line that starts so goes on with the word of the line before.
_ENDING = re.compile(
    r"(?:s|t|c|at)?ions?|tional(?:ly)?|ments?|mental(?:ly)?|ness|(?:i|bi|li|vi|ri)ty|i?ties|ings?|izes?|ized|izing|iza"
    r"tions?|ises?|ised|ising|isations?|ally|fully|tures?|tic|tical(?:ly)?|rithms?|mance|tive(?:ly)?|tives|bility|bili"
    r"ties|guage|guages|mally|tently|ciently|tribut\w+|volutional|formers?|formance|ral|tions'?|el|els|erate[ds]?"
)
_JOINING = frozenset({"and", "or", "to", "und", "oder", "et", "y", "e"})
_HEADING = re.compile(
    r"^\s*(?:abstract|summary)\s*(?:\n\s*|[:.]\s+|\s*[—–]\s*|\s+-\s+|:(?=[A-Z]))(?=\S)", re.IGNORECASE
)
#: All the words of a text that says that there is no abstract, and those of which it has one.
_NONE_WORDS = (
    "no not none na n/a null nan nil undefined unknown tba tbd announced added determined unavailable missing follow "
    "follows forthcoming coming empty withheld"
)
_OTHER_WORDS = (
    "abstract summary description is are was for this that the yet currently here online article paper publication "
    "item record available provided given found exist exists to be will soon has there a an any text supplied in "
    "english it"
)
_SAYS_NONE = frozenset(_NONE_WORDS.split())
_OF_NO_ABSTRACT = _SAYS_NONE | frozenset(_OTHER_WORDS.split())


def repaired(raw: RawPaper) -> RawPaper:
    """Repair every string of a record; one that holds spans of its own (`exact`) keeps its text to the letter."""
    if raw.exact:
        return replace(
            raw,
            id=clean(raw.id) if raw.id else None,
            title=clean(raw.title),
            abstract=clean(raw.abstract),
            body=tuple(map(clean, raw.body)),
            authors=tuple(map(line, raw.authors)),
            venue=line(raw.venue or "") or None,
        )
    return replace(
        raw,
        id=line(raw.id or "") or None,
        title=line(raw.title),
        abstract=abstract(raw.abstract),
        body=tuple(text for part in raw.body if (text := mended(part))),
        authors=tuple(name for one in raw.authors if (name := line(one))),
        venue=line(raw.venue or "") or None,
    )


def line(text: str) -> str:
    """Mend a text of one line: a title, a name.

    >>> line("Eﬃcient  Transformers for\\n  CO<sub>2</sub> &amp;amp; Caf\u00c3\u00a9s")
    'Efficient Transformers for CO₂ & Cafés'
    """
    return " ".join(mended(text).split())


def abstract(text: str) -> str:
    """Mend an abstract: as `mended`, without the heading ``Abstract``; empty where it says that there is none.

    >>> abstract("Abstract: We propose X."), abstract("Abstract Meaning Representation is hard.")
    ('We propose X.', 'Abstract Meaning Representation is hard.')
    >>> abstract("[Abstract not available.]"), abstract("N/A"), abstract("No abstract given; compares pairs of stars.")
    ('', '', 'No abstract given; compares pairs of stars.')
    """
    text = _HEADING.sub("", mended(text))
    return "" if len(text) < 100 and _is_none(text) else text


def _is_none(text: str) -> bool:
    words = frozenset(re.findall(r"[\w/]+", text.lower()))
    return (words <= _OF_NO_ABSTRACT and bool(words & _SAYS_NONE)) or words <= {"abstract", "summary", "_"}


def mended(text: str) -> str:
    """Mend characters, entities, markup, ligatures, hyphenation and line ends, and strip white space around it."""
    if not text.isascii():
        text = _with_right_characters(text)
    text = _without_entities(text)
    if has_tags(text):
        text = without_tags(text)
    return dehyphenated(_line_ends(clean(text))).strip()


def _line_ends(text: str) -> str:
    return _RETURN.sub("\n", text) if "\r" in text else text


def _with_right_characters(text: str) -> str:
    if is_bad(text.replace("Ã ", "")):  # before a space it is a letter as often as what is left of "à"
        text = ftfy.fix_encoding(text)
    text = _INVISIBLE.sub("", fix_c1_controls(text))
    return unicodedata.normalize("NFC", _LIGATURE.sub(lambda match: _LIGATURES[match.group()], text))


def _without_entities(text: str) -> str:
    for _ in range(2):
        if not _ENTITY.search(text):
            break
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return text


def dehyphenated(text: str) -> str:
    """Join a word that the end of a line cuts in two.

    Where the same text spells the word as one, or what goes on is no word, the hyphen goes too; else it stays, as
    in ``multi-modal``. Nothing is joined before ``and``, ``or``, ``to``: ``pre-\\nand post-training``.

    >>> dehyphenated("A trans-\\nformer is a state-of-the-\\nart model; the transformer is evalu-\\nation-\\nready.")
    'A transformer is a state-of-the-art model; the transformer is evaluation-ready.'
    """
    if "-\n" not in text and "‐\n" not in text:
        return text
    words = frozenset(_WORD.findall(text.lower()))

    def joined(match: re.Match[str]) -> str:
        first = _WORD_BEFORE.search(text[max(0, match.start() - 40) : match.start()])
        second = _WORD.match(text, match.end())
        before, after = (one.group().lower() if one else "" for one in (first, second))
        if after in _JOINING:
            return match.group()
        return "" if before + after in words or _ENDING.fullmatch(after) else "-"

    return _BREAK.sub(joined, text)
