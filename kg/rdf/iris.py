"""From keys to IRIs and back.

A key is any text. Each one becomes one path segment, percent-encoded but for ``A-Z a-z 0-9 - . _ ~ :``,
so that every IRI is valid under a strict parser, needs no escape in any format, and is not changed by
resolving it against a base. Two keys never share an IRI, for the encoding can be undone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from pyoxigraph import NamedNode

from kg.errors import InputError
from kg.rdf.vocabulary import DEFAULT_BASE_IRI, WIKIDATA

if TYPE_CHECKING:
    from kg.model import Role

__all__ = ["Iris", "decode", "encode", "web_iri", "wikidata_iri"]

_DOT_SEGMENT = re.compile(r"/\.{1,2}(?:[/?#]|$)")
_WEB = re.compile(r"https?://[^/?#]")
_QID = re.compile(r"Q[1-9][0-9]*")


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
        InputError: the base is not an absolute IRI.
    """

    __slots__ = ("base",)

    def __init__(self, base: str | None = None) -> None:
        base = DEFAULT_BASE_IRI if base is None else base
        if not _is_stable(base):
            raise InputError(f"the base IRI {base!r} is not a valid absolute IRI")
        self.base = base if base.endswith(("/", "#")) else f"{base}/"
        if not _is_stable(self.base):
            raise InputError(f"the base IRI {base!r} cannot be extended to a valid IRI")

    def _make(self, kind: str, *segments: str) -> str:
        return f"{self.base}{kind}/{'/'.join(map(encode, segments))}"

    def paper(self, key: str) -> str:
        """Return the IRI of a paper."""
        return self._make("paper", key)

    def node(self, key: str) -> str:
        """Return the IRI of a thing."""
        return self._make("entity", key)

    def author(self, paper: str, position: int) -> str:
        """Return the IRI of the author at `position`, from 1, of a paper. It says nothing of other papers."""
        return self._make("author", paper, str(position))

    def section(self, paper: str, position: int) -> str:
        """Return the IRI of the section at `position`, from 1, of a paper's body."""
        return self._make("section", paper, str(position))

    def assertion(self, paper: str, role: Role, node: str) -> str:
        """Return the IRI of the assertion that `node` plays `role` in `paper`."""
        return self._make("assertion", paper, role.value, node)

    def evidence(self, paper: str, field: str, start: int, end: int, node: str) -> str:
        """Return the IRI of the annotation that a span of a paper's field mentions `node`."""
        return self._make("evidence", paper, field, f"{start}-{end}", node)

    def span(self, paper: str, field: str, start: int, end: int) -> str:
        """Return the IRI of a span of a paper's field."""
        return self._make("span", paper, field, f"{start}-{end}")

    def position(self, paper: str, field: str, start: int, end: int) -> str:
        """Return the IRI of the selector that says where a span lies."""
        return self._make("position", paper, field, f"{start}-{end}")

    def quote(self, paper: str, field: str, start: int, end: int) -> str:
        """Return the IRI of the selector that says what a span reads."""
        return self._make("quote", paper, field, f"{start}-{end}")

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
