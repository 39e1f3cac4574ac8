"""Finding names by their spelling: words in the shape of names, runs of capitalised words, joined names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.draft import Draft, Found, Part, draft_of
from kg.linking.words import NO_NAMES, TIERS, Word, core, is_capitalised, is_name_shaped, is_quantity, words
from kg.names import joined

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["find_shapes"]

_VERSION = re.compile(r"v?\d{1,3}(?:\.\d{1,2})*[a-zA-Z]{0,2}|(?:19|20)\d\d|[IVX]{1,4}")
_SPLIT_JOINED = re.compile(r"(?<=[^\W\d_])/(?=[^\W\d_])|(?<=\d)/(?=[^\W\d_]{2})|(?<=\w\w)\+(?=\w\w)")
_LONGEST = 120
_HEADLINE = 20
_CONNECTORS = frozenset(("of", "the", "for", "in", "to", "as", "à", "de"))
_PLAIN_HEADS = (
    "dataset datasets benchmark benchmarks gpu gpus cpu cpus algorithm framework network-based challenge corpus npu "
    "npus tpus accelerator accelerators platform supercomputer score scores model models"
)
_HEADS = frozenset(_PLAIN_HEADS.split())
_OPENING = (
    "The A An We Our It Its This That These Those They Their In On To For With By From As At If When While Then Thus "
    "Here There However Moreover Further Furthermore Finally First Second Both All Each No Yes You I Such Using Given "
    "Unlike Compared Existing Recent Recently Current Many Most Some Several Although Though Despite Through Under Not "
    "Table Figure Fig Section Appendix Code Data Project Page Additionally And But Or So Also Based Built "
    "Experiments Results Extensive Empirical Specifically Inspired Across Without Within Between Among Traditional "
    "Standard Modern Popular Early Prior Previous Conventional"
)
_OPENING_WORDS = frozenset(_OPENING.split())


@Language.component("kg_shapes")
def find_shapes(doc: Doc) -> Doc:
    """Add every span whose spelling marks it as a name to the Doc's draft."""
    draft = draft_of(doc)
    for part in draft.parts:
        found = words(draft.text, part.begin, part.end)
        shouted = _is_shouted(found)
        if not shouted:
            draft.found.extend(_shaped(draft, found))
        if not shouted and not _is_title_case(part, found):
            draft.found.extend(_runs(draft, found))
    return doc


def _is_shouted(found: list[Word]) -> bool:
    long = [word.text for word in found if len(word.text) > 3]
    return len(long) > 2 and sum(word.isupper() for word in long) > 0.6 * len(long)


def _is_title_case(part: Part, found: list[Word]) -> bool:
    """Say whether most words of a heading begin with a capital, so that a capital says nothing."""
    if part.field.startswith("body") or part.end - part.begin > 300:
        return False
    long = [word.text for word in found[1:] if len(word.text) > 3]
    return bool(long) and sum(map(is_capitalised, long)) > 0.5 * len(long)


def _shaped(draft: Draft, found: list[Word]) -> list[Found]:
    spans: list[Found] = []
    for index, word in enumerate(found):
        if len(word.text) > _LONGEST or draft.in_url(word.start, word.end):
            continue
        for start, end in _pieces(word):
            inner = core(draft.text[start:end])
            if inner is None:
                continue
            first, last = start + inner[0], start + inner[1]
            if last == word.end:
                last = _extended(draft.text, found, index, last)
            spans.append(_joined(draft.text, first, last))
    return spans


def _pieces(word: Word) -> list[tuple[int, int]]:
    """Cut a word at slashes and plus signs that stand between two names."""
    if "/" not in word.text and "+" not in word.text:
        return [(word.start, word.end)]
    edges = [word.start]
    for cut in _SPLIT_JOINED.finditer(word.text):
        edges += [word.start + cut.start(), word.start + cut.end()]
    edges.append(word.end)
    return list(zip(edges[::2], edges[1::2], strict=True))


def _extended(text: str, found: list[Word], index: int, end: int) -> int:
    """Return where a name ends that begins in the word at `index`: after its version, tier and variant."""
    for word in found[index + 1 : index + 4]:
        if text[end : word.start] != " ":
            break
        if not (word.text in TIERS or (_VERSION.fullmatch(word.text) and not _counts(text, word))):
            break
        end = word.end
    return end


def _counts(text: str, word: Word) -> bool:
    """Say whether a number counts what follows it (“on CIFAR 10 runs”) or is a measured value."""
    following = text[word.end : word.end + 2]
    return following[:1] in ("%", "×") or (following[:1] == " " and following[1:2].islower())


def _joined(text: str, start: int, end: int) -> Found:
    return Found(start, end, None, 0.7, "shape", joined(text[start:end]))


def _runs(draft: Draft, found: list[Word]) -> list[Found]:
    """Find runs of two capitalised words or more, in running text."""
    spans: list[Found] = []
    index = 0
    while index < len(found):
        if not is_capitalised(found[index].text):
            index += 1
            continue
        stop = index + 1
        while stop < len(found) and _continues(draft, found, stop):
            stop += 1
        spans.extend(_run(draft, found[index:stop]))
        index = stop
    return spans


def _continues(draft: Draft, found: list[Word], at: int) -> bool:
    before, word = found[at - 1], found[at]
    if draft.text[before.end : word.start] != " " or before.text.endswith(("'s", "’s", "'", "’")):
        return False
    if is_capitalised(word.text) or (_VERSION.fullmatch(word.text) is not None and not _counts(draft.text, word)):
        return True
    follows = at + 1 < len(found) and is_capitalised(found[at + 1].text)
    if is_name_shaped(before.text) and before.text not in _CONNECTORS:
        return False
    return word.text in _CONNECTORS and follows and draft.text[word.end : found[at + 1].start] == " "


def _run(draft: Draft, run: list[Word]) -> list[Found]:
    """Return the name that a run of capitalised words holds, if any; no name is as long as a headline."""
    if len(run) > _HEADLINE or any(len(word.text) > _LONGEST for word in run):
        return []
    opens = draft.sentence(run[0].start)[0] == run[0].start
    if opens and (run[0].text in _OPENING_WORDS or len(run) < 4) and not is_name_shaped(run[0].text):
        run = run[1:]
    while run and (run[0].text in _OPENING_WORDS or run[0].text in _CONNECTORS or run[0].text in NO_NAMES):
        run = run[1:]
    while run and (run[-1].text in _CONNECTORS or run[-1].text in NO_NAMES or is_quantity(run[-1].text)):
        if is_quantity(run[-1].text) and len(run) > 1 and is_name_shaped(run[-2].text):
            break
        run = run[:-1]
    shaped = [word for word in run if core(word.text) is not None]
    if len(run) > 1 and run[-1].text.casefold() in _HEADS and is_name_shaped(run[-2].text):
        run = run[:-1]
    if len(run) < 2 or len(run) > 7:
        return []
    end = run[-1].end
    inner = core(run[-1].text)
    if inner is not None and inner[1] < len(run[-1].text):
        end = run[-1].start + inner[1]
    text = draft.text[run[0].start : end]
    if len(text) > _LONGEST or "/" in text or draft.in_url(run[0].start, end):
        return []
    return [Found(run[0].start, end, None, 0.6 if shaped else 0.5, "run")]
