"""From keys to IRIs and back.

A key is any text. Each one becomes one path segment, percent-encoded but for ``A-Z a-z 0-9 - . _ ~ :``,
so that every IRI is valid under a strict parser, needs no escape in any format, and is not changed by
resolving it against a base. Two keys never share the IRI of a paper or a thing, for the encoding can be undone.

What belongs to a paper (its assertions, evidence, authors) is far more than papers and things, so its IRIs are
short: a letter for the kind, then the paper, then the rest, with ``_`` between, which the parts before the last
never hold. A paper's key longer than 24 characters stands there as ``_`` and 80 bits of its SHA-256. So all of
one kind and one paper share a beginning that nothing else has, and sorting IRIs sorts by kind, then by paper.
"""

from __future__ import annotations

import re
from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from pyoxigraph import NamedNode

from kg.errors import InputError
from kg.rdf.vocabulary import DEFAULT_BASE_IRI, PREFIXES, WIKIDATA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Role


__all__ = ["KINDS", "Iris", "decode", "encode", "short", "web_iri", "wikidata_iri"]

KINDS: Final = ("a", "author", "e", "entity", "paper", "s", "section", "t", "w")
"""The segments that stand for a kind of what a graph holds many of."""

_READABLE: Final = 24
_DIGEST: Final = 16

_DOT_SEGMENT = re.compile(r"/\.{1,2}(?:[/?#]|$)")
_WEB = re.compile(r"https?://[^/?#]")
_QID = re.compile(r"Q[1-9][0-9]*")


@lru_cache(maxsize=1 << 12)  # the same keys come again and again, close together
def encode(key: str) -> str:
    """Return `key` as one segment of a path.

    >>> encode("arxiv:2407.08608"), encode("10.1000/x<y>"), encode("π₀"), encode("..")
    ('arxiv:2407.08608', '10.1000%2Fx%3Cy%3E', '%CF%80%E2%82%80', '%2E%2E')
    """
    if key in {".", ".."}:  # a parser that resolves IRIs would take them for steps in a path
        return key.replace(".", "%2E")
    return quote(key, safe=":", errors="surrogatepass")


def decode(segment: str) -> str:
    """Return the key that `encode` made `segment` of."""
    return unquote(segment, errors="surrogatepass")


@lru_cache(maxsize=1 << 10)
def short(key: str) -> str:
    """Return `key` as the beginning of a segment, up to the next ``_``: readable, or a digest where it is long.

    >>> short("arxiv:2407.08608"), short("a_b"), short("text:025e9a5ba558048d193f6616af896581")
    ('arxiv:2407.08608', 'a%5Fb', '_feawiu5maudqfwlc')
    """
    readable = encode(key).replace("_", "%5F")
    return readable if 0 < len(readable) <= _READABLE else f"_{_digest(key)}"


def _digest(text: str) -> str:
    return b32encode(sha256(text.encode("utf-8", errors="surrogatepass")).digest())[:_DIGEST].decode("ascii").lower()


def _is_stable(iri: str) -> bool:
    """Tell whether `iri` is a valid absolute IRI, free of hidden characters, that resolving leaves as it is."""
    if not iri.isprintable() or _DOT_SEGMENT.search(iri):
        return False
    try:
        NamedNode(iri)
    except ValueError:
        return False
    return True


def web_iri(text: str) -> NamedNode | None:
    """Return `text` as an IRI if it is a valid http or https one, else None.

    >>> web_iri("https://example.org/?q=1").value
    'https://example.org/?q=1'
    >>> web_iri("javascript:alert(1)"), web_iri("https://example.org/a b"), web_iri("https://")
    (None, None, None)
    """
    return NamedNode(text) if _WEB.match(text) and _is_stable(text) else None


def wikidata_iri(qid: str) -> NamedNode | None:
    """Return the IRI of a Wikidata item, or None if `qid` is no QID."""
    return WIKIDATA.term(qid) if _QID.fullmatch(qid) else None


class Iris:
    """The IRIs of all that a graph describes, under one base.

    >>> iris = Iris()
    >>> iris.paper("arxiv:2407.08608")
    'https://w3id.org/paper-kg/paper/arxiv:2407.08608'
    >>> iris.node("flashattention3")
    'https://w3id.org/paper-kg/entity/flashattention3'

    A base that ends neither in ``/`` nor in ``#`` gets a ``/``:

    >>> Iris("http://example.org/kg").base
    'http://example.org/kg/'

    Raises:
        InputError: the base is not an absolute IRI, or its scheme is a prefix that the files use.
    """

    __slots__ = ("base",)

    def __init__(self, base: str | None = None) -> None:
        base = DEFAULT_BASE_IRI if base is None else base
        if not _is_stable(base):
            raise InputError(f"the base IRI {base!r} is not a valid absolute IRI")
        if base.partition(":")[0] in {*PREFIXES, *KINDS}:
            raise InputError(f"the base IRI {base!r} would be taken for a short name: its scheme is a prefix")
        self.base = base if base.endswith(("/", "#")) else f"{base}/"
        if not _is_stable(self.base):
            raise InputError(f"the base IRI {base!r} cannot be extended to a valid IRI")

    def _make(self, kind: str, key: str) -> str:
        return f"{self.base}{kind}/{encode(key)}"

    def paper(self, key: str) -> str:
        """Return the IRI of a paper."""
        return self._make("paper", key)

    def node(self, key: str) -> str:
        """Return the IRI of a thing."""
        return self._make("entity", key)

    def of_paper(self, kind: str, paper: str, *parts: str) -> str:
        """Return the IRI of something that belongs to a paper: the kind, the paper, and what tells it from others."""
        return f"{self.base}{kind}/{'_'.join((short(paper), *parts))}"

    def author(self, paper: str, position: int) -> str:
        """Return the IRI of the author at `position`, from 1, of a paper. It says nothing of other papers."""
        return self.of_paper("author", paper, str(position))

    def section(self, paper: str, position: int) -> str:
        """Return the IRI of the section at `position`, from 1, of a paper's body."""
        return self.of_paper("section", paper, str(position))

    def assertion(self, paper: str, role: Role, node: str) -> str:
        """Return the IRI of the assertion that `node` plays `role` in `paper`.

        >>> from kg.model import Role
        >>> Iris().assertion("arxiv:2407.08608", Role.PROPOSES, "flashattention3")
        'https://w3id.org/paper-kg/a/arxiv:2407.08608_proposes_flashattention3'
        """
        return self.of_paper("a", paper, role.value, encode(node))

    def evidence(self, paper: str, node: str, spans: Iterable[tuple[str, int, int]]) -> str:
        """Return the IRI of the annotation that spans of a paper, each (field, start, end), in this order, tell `node`.

        >>> Iris().evidence("arxiv:2407.08608", "flashattention3", [("abstract", 11, 27)])
        'https://w3id.org/paper-kg/e/arxiv:2407.08608_ktvc2o553fvrn6mi'
        """
        told = (f"{encode(field)} {start}-{end}" for field, start, end in spans)
        return self.of_paper("e", paper, _digest("\n".join((encode(node), *told))))

    def target(self, paper: str, field: str, start: int, end: int) -> str:
        """Return the IRI of a span of a paper's field, as the target of annotations.

        >>> Iris().target("arxiv:2407.08608", "abstract", 11, 27)
        'https://w3id.org/paper-kg/t/arxiv:2407.08608_abstract_11-27'
        """
        return self.of_paper("t", paper, short(field), f"{start}-{end}")

    def words(self, paper: str, field: str, start: int, end: int) -> str:
        """Return the IRI of the selector that says where a span lies and how it reads."""
        return self.of_paper("w", paper, short(field), f"{start}-{end}")

    def sentence(self, paper: str, field: str, text: str) -> str:
        """Return the IRI of a sentence of a paper's field: where one stands twice, it is one."""
        return self.of_paper("s", paper, _digest(f"{encode(field)}\n{text}"))

    def graph(self) -> str:
        """Return the IRI of the graph itself."""
        return f"{self.base}graph"

    def software(self, version: str) -> str:
        """Return the IRI of a version of this software."""
        return self._make("software", version)

    def run(self, version: str) -> str:
        """Return the IRI of the activity that made the graph: a function of the version, for bytes must not change."""
        return self._make("run", version)

    def key(self, kind: str, iri: str) -> str | None:
        """Return the key in an IRI of `kind` (``paper`` or ``entity``), or None if it is not one.

        >>> Iris().key("paper", "https://w3id.org/paper-kg/paper/doi:10.1%2Fx")
        'doi:10.1/x'
        """
        prefix = f"{self.base}{kind}/"
        segment = iri.removeprefix(prefix)
        return decode(segment) if iri.startswith(prefix) and "/" not in segment else None
