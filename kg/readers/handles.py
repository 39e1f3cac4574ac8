"""By what two records are known to be one paper.

Four kinds of evidence, each of the records alone, so that the order in which they are read tells nothing:

- a shared identifier, or the same title and authors: surely one;
- the same address: one where their titles do not differ, for lists give many papers the address of one page;
- the same title: one where nothing speaks against it (`agree`), or something else speaks for it (`support`);
- the same abstract: one where at most one title stands over it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from itertools import combinations, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.model import Paper

__all__ = ["ABSTRACT", "ADDRESS", "SURE", "TITLE", "folded", "handles", "one_paper", "squeezed"]

SURE, ADDRESS, TITLE, ABSTRACT = 0, 1, 2, 3
_MIN_ABSTRACT = 60
_MIN_TITLE_WORDS = 3
_MAX_PAIRED = 60
#: Identifiers of which a paper has one; of DOIs and OpenReview forums it may have one a version.
_SINGLE = frozenset({"arxiv", "acl", "pubmed"})
_BRACES = re.compile(r"[{}$\\]")


def folded(text: str) -> str:
    """Return the text in the form in which spellings are compared: case, width and white space do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def squeezed(text: str) -> str:
    """Return the letters and digits of a text alone, folded.

    >>> squeezed("Flash\\u2010Attention: {Fast} \\\\& Exact")
    'flashattentionfastexact'
    """
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def handles(paper: Paper) -> Iterator[tuple[int, int]]:
    """Yield (kind, handle) of a paper: records with the same handle may be one paper, by the rule of its kind."""
    if paper.key.startswith("text:"):
        yield SURE, _hash("key", paper.key, *map(folded, paper.authors))
    if paper.url:
        yield ADDRESS, _hash("url", paper.url)
    for scheme, value in paper.identifiers:
        yield SURE, _hash(scheme, value)
    title = squeezed(paper.title)
    if title and paper.authors:
        yield SURE, _hash("title", title, *map(folded, paper.authors))
    if title:
        yield TITLE, _hash("title", title)
    abstract = squeezed(paper.abstract)
    if len(abstract) >= _MIN_ABSTRACT:
        yield ABSTRACT, _hash("abstract", abstract)


def _hash(*parts: str) -> int:
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def one_paper(kind: int, papers: Iterable[Paper]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indices that are one paper, of papers that share a handle of the kind.

    Where very many papers share a title, only what else they share can tell.
    """
    if kind == TITLE:
        some = list(islice(papers, _MAX_PAIRED + 1))
        yield from _of_one_title(some) if len(some) <= _MAX_PAIRED else ()
        return
    first: dict[str, int] = {}
    for index, paper in enumerate(papers):
        title = squeezed(paper.title)
        if first.setdefault(title, index) != index:
            yield first[title], index
    if len(first) == 2 and "" in first:
        yield first.pop(""), next(iter(first.values()))


def _of_one_title(papers: Sequence[Paper]) -> Iterator[tuple[int, int]]:
    pairs = list(combinations(range(len(papers)), 2))
    if len(papers[0].title.split()) >= _MIN_TITLE_WORDS and all(_agree(papers[i], papers[j]) for i, j in pairs):
        yield from pairs
    else:
        yield from ((i, j) for i, j in pairs if _agree(papers[i], papers[j]) and _support(papers[i], papers[j]))


def _agree(one: Paper, other: Paper) -> bool:
    """Whether nothing speaks against two records with one title being one paper."""
    ids, others = dict(one.identifiers), dict(other.identifiers)
    if any(ids[scheme] != others[scheme] for scheme in _SINGLE & ids.keys() & others.keys()):
        return False
    if one.authors and other.authors and not _families(one) & _families(other):
        return False
    return not (one.abstract and other.abstract) or _same_abstract(one, other)


def _support(one: Paper, other: Paper) -> bool:
    """Whether more than the title speaks for it."""
    if one.abstract and other.abstract:
        return _same_abstract(one, other)
    return bool(_families(one) & _families(other))


def _families(paper: Paper) -> frozenset[str]:
    return frozenset(squeezed(name.split(",")[0].split()[-1]) for name in paper.authors if name.strip(", "))


def _same_abstract(one: Paper, other: Paper) -> bool:
    """Whether the abstracts are one, save for small changes: most words are shared, or one starts the other."""
    first, second = squeezed(one.abstract), squeezed(other.abstract)
    if first.startswith(second[:200]) or second.startswith(first[:200]):
        return True
    words, others = set(folded(one.abstract).split()), set(folded(other.abstract).split())
    return 2 * len(words & others) > len(words | others)
