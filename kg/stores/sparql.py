"""SPARQL on the embedded store in DIR/store: pyoxigraph on disk, opened for reading only.

Updates cannot be written here: a query is all that is ever passed on, and the store has no write lock.
``SERVICE`` would reach a network, so a query that has it is refused before it runs.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import pyoxigraph as ox

from kg.errors import QueryError, StoreError
from kg.stores import derived
from kg.stores.table import Params, Table, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.stores.table import Language

__all__ = ["SparqlStore", "build_sparql_store", "uses_service"]

_Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_LAYOUT: Final = 1
_LINES: Final = 100_000
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_INTEGERS: Final = frozenset(
    _XSD + name
    for name in (
        *("integer", "long", "int", "short", "byte", "gYear", "nonNegativeInteger", "positiveInteger"),
        *("nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    )
)
_FLOATS: Final = frozenset(_XSD + name for name in ("decimal", "double", "float"))
_NOT_KEYWORDS: Final = re.compile(
    r"""
      '''(?:[^'\\]|\\.|'(?!''))*'''  | \"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"   # long strings
    | '(?:[^'\\\n\r]|\\.)*'          | "(?:[^"\\\n\r]|\\.)*"                 # strings
    | <[^<>"{}|^`\\\x00-\x20]*>                                              # IRIs
    | [?$]\w+ | @[a-zA-Z-]+                                                  # variables, languages
    | :(?:[\w:.%-]|\\.)*                                                     # local names
    | \#[^\n\r]*                                                             # comments
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")


def build_sparql_store(directory: Path | str, *, part: int = _LINES) -> Path:
    """Make the store of DIR/graph.nt, in DIR/store, unless it is there already, and return its path.

    `part` is how many lines are loaded at a time: loading takes memory, much of it, for each line that it is given.

    Raises:
        StoreError: there is no graph, it is not N-Triples, or the store cannot be written.
    """
    directory = Path(directory)
    source = derived.graph_file(directory)

    def make(folder: Path) -> None:
        store = ox.Store(str(folder))
        try:
            _fill(store, source, part)
            store.flush()
        finally:
            del store  # closes it: an open one cannot be renamed, or removed, on every system

    return derived.ensure(directory / "store", source, _LAYOUT, make)


def _fill(store: ox.Store, source: Path, part: int) -> None:
    first = 1
    with source.open("rb") as file:
        while lines := list(islice(file, part)):
            try:
                store.bulk_load(b"".join(lines), ox.RdfFormat.N_TRIPLES)
            except SyntaxError as error:
                place = f"line {first + (error.lineno or 1) - 1}"
                raise StoreError(f"{source} is not N-Triples: {place}: {error.msg.partition(': ')[2]}") from error
            first += len(lines)
    if first > part:
        store.optimize()  # many parts leave many files, which are slow to read


class SparqlStore:
    """The triples of a graph, asked in SPARQL 1.1.

    Several processes may have one open at the same time.

    Raises:
        StoreError: the folder holds no store.
    """

    language: Language = "sparql"

    def __init__(self, folder: Path | str) -> None:
        try:
            self._store: ox.Store | None = ox.Store.read_only(str(folder))
        except OSError as error:
            raise StoreError(f"the store {folder} cannot be opened: {error}") from error

    def __enter__(self) -> SparqlStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the store back."""
        self._store = None

    def query(self, text: str, params: Params | None = None) -> Table:
        """Answer a SELECT, ASK, CONSTRUCT or DESCRIBE query.

        A parameter takes the place of the variable of its name, which the query has to select; that column
        is left out of the answer. Text becomes a plain literal.

        Raises:
            QueryError: a syntax error, SERVICE, or a parameter that the query does not select.
            StoreError: the store cannot be read, or is closed.
        """
        if self._store is None:
            raise StoreError("the store is closed")
        if uses_service(text):
            raise QueryError("SERVICE is not available: queries never reach a network")
        params = params or {}
        substitutions: dict[ox.Variable, _Term] = {ox.Variable(name): _literal(value) for name, value in params.items()}
        with _translated(params):
            answer = self._store.query(text, substitutions=substitutions or None)
            return _table(answer, params)


def uses_service(text: str) -> bool:
    """Tell whether a query may have the keyword SERVICE: outside of strings, IRIs, variables, local names, comments.

    In doubt the answer is yes, for parsers differ in where a keyword ends.

    >>> uses_service("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }")
    True
    >>> uses_service("SELECT ?service { ?service a <http://a.example/Service> } # SERVICE")
    False
    """
    decoded = _ESCAPE.sub(lambda match: _character(match[1] or match[2]), text)
    return any("service" in _NOT_KEYWORDS.sub(" ", form).lower() for form in (text, decoded))


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number <= 0x10FFFF else ""


@contextmanager
def _translated(params: Mapping[str, object]) -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise QueryError(f"the query is not valid SPARQL: {' '.join(str(error).split())}") from error
    except (RuntimeError, ValueError) as error:
        unselected = next((name for name in params if f"?{name} " in str(error)), None)
        if unselected is not None:
            raise QueryError(
                f"the query cannot take {unselected}: it has to select ?{unselected} (SELECT … ?{unselected} …)"
            ) from error
        raise QueryError(f"the query cannot be answered: {' '.join(str(error).split())}") from error
    except OSError as error:
        raise StoreError(f"the store cannot be read: {error}") from error


def _literal(value: object) -> ox.Literal:
    if isinstance(value, str | int | float):
        return ox.Literal(value)
    raise QueryError(f"a parameter is text, a number or a truth value, not {type(value).__name__}")


def _table(answer: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, params: Mapping[str, object]) -> Table:
    if isinstance(answer, ox.QueryBoolean):
        return Table(("answer",), ((bool(answer),),))
    if isinstance(answer, ox.QueryTriples):
        rows = tuple((_value(t.subject), _value(t.predicate), _value(t.object)) for t in answer)
        return Table(("subject", "predicate", "object"), rows)
    kept = [variable for variable in answer.variables if variable.value not in params]
    return Table(
        tuple(variable.value for variable in kept),
        tuple(tuple(_value(solution[variable]) for variable in kept) for solution in answer),
    )


def _value(term: object) -> Value:
    if isinstance(term, ox.Literal):
        return _typed(term.value, term.datatype.value)
    return term.value if isinstance(term, ox.NamedNode) else None if term is None else str(term)


def _typed(text: str, datatype: str) -> Value:
    try:
        if datatype in _INTEGERS:
            return int(text)
        if datatype in _FLOATS:
            return float(text)
    except ValueError:  # RDF allows a literal that is not of its datatype; its text is all there is to show
        return text
    return text in {"true", "1"} if datatype == f"{_XSD}boolean" else text
