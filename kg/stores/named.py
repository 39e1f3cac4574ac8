"""The named queries: files with a header of comments that says what they answer and what they need.

The header is every line of comment before the first line that is none (``//`` in Cypher, ``#`` in SPARQL)::

    // Papers that compare with a method, …
    //
    // @columns id, title, sentence
    // @param name: the method's name or an alias of it. Example: FlashAttention-2

Lines without ``@`` are the description. The same names, parameters and columns stand in both languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from kg.errors import QueryError
from kg.resources import resource

if TYPE_CHECKING:
    from kg.stores.table import Language, Params

__all__ = ["NamedQuery", "Parameter", "is_name", "named_queries", "parse", "resolve"]

_NAME: Final = re.compile(r"[a-z][a-z-]*")
_PARAMETER: Final = re.compile(r"@param (?P<name>[a-z_]+): (?P<description>.+?)\.? Example: (?P<example>.+)")
_SUFFIX: Final[dict[Language, str]] = {"cypher": ".cypher", "sparql": ".rq"}
_COMMENT: Final[dict[Language, str]] = {"cypher": "//", "sparql": "#"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a named query needs, always text."""

    name: str
    description: str
    example: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query with a name, as its file has it."""

    name: str
    language: Language
    description: str
    parameters: tuple[Parameter, ...]
    columns: tuple[str, ...]
    text: str


def parse(name: str, language: Language, text: str) -> NamedQuery:
    """Read the header of a named query.

    Raises:
        ValueError: a line of the header that begins with ``@`` is not as described above.

    >>> query = parse("x", "cypher", "// Says so.\\n// @columns b\\n// @param a: an id. Example: 7\\nRETURN $a AS b")
    >>> query.description, query.columns, query.parameters
    ('Says so.', ('b',), (Parameter(name='a', description='an id', example='7'),))
    """
    description: list[str] = []
    parameters: list[Parameter] = []
    columns: tuple[str, ...] = ()
    for line in text.splitlines():
        if not line.startswith(_COMMENT[language]):
            break
        content = line.removeprefix(_COMMENT[language]).strip()
        if not content.startswith("@"):
            description.append(content)
            continue
        if content.startswith("@columns "):
            columns = tuple(content.removeprefix("@columns ").split(", "))
            continue
        match = _PARAMETER.fullmatch(content)
        if match is None:
            raise ValueError(f"the named query {name!r} has a header line that says nothing known: {content!r}")
        parameters.append(Parameter(match["name"], match["description"], match["example"]))
    return NamedQuery(name, language, " ".join(filter(None, description)), tuple(parameters), columns, text)


@cache
def named_queries(language: Language) -> dict[str, NamedQuery]:
    """Return the shipped queries of a language by name, sorted."""
    files = sorted(resource("queries", language).glob(f"*{_SUFFIX[language]}"))
    return {file.stem: parse(file.stem, language, file.read_text(encoding="utf-8")) for file in files}


def is_name(text: str) -> bool:
    """Tell a name from the text of a query by its form: small letters and hyphens.

    >>> is_name("baseline-users"), is_name("RETURN 1")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def resolve(text_or_name: str, params: Params, language: Language) -> NamedQuery:
    """Return the query of that name, or a query without a name of that text.

    Raises:
        QueryError: no query has that name, or the parameters are not the ones that it takes.
    """
    if not is_name(text_or_name):
        return NamedQuery("", language, "", (), (), text_or_name)
    queries = named_queries(language)
    query = queries.get(text_or_name)
    if query is None:
        raise QueryError(f"there is no query named {text_or_name!r}; there are: {', '.join(queries)}")
    missing = [p for p in query.parameters if p.name not in params]
    if missing:
        said = "; ".join(f"{p.name}: {p.description} (such as {p.example!r})" for p in missing)
        raise QueryError(f"the query {query.name} needs {said}")
    unknown = sorted(set(params) - {p.name for p in query.parameters})
    if unknown:
        takes = ", ".join(p.name for p in query.parameters) or "none"
        raise QueryError(f"the query {query.name} knows no parameter {', '.join(unknown)}; it takes: {takes}")
    return query
