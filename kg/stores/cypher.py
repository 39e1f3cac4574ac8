"""Cypher over Bolt, with the official driver: a Neo4j server, or the embedded store, by the same code."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

import neo4j
from neo4j import exceptions as bolt
from neo4j.graph import Node, Path, Relationship

from kg.errors import QueryError, StoreError, UsageError
from kg.stores.statements import loads_csv
from kg.stores.table import Params, Table, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kg.stores.table import Language

__all__ = ["CypherStore", "Refusal", "check_address"]

Refusal: TypeAlias = "Callable[[str], str | None]"

_SCHEMES: Final = tuple(f"{name}{security}://" for name in ("bolt", "neo4j") for security in ("", "+s", "+ssc"))
_WOULD_WRITE: Final = "the query would write; queries only read"
_QUERY_FAULTS: Final = {
    "Neo.ClientError.Statement.ParameterMissing": "the query lacks a parameter: {}",
    "Neo.ClientError.Statement.AccessMode": _WOULD_WRITE,
    "Neo.ClientError.Statement": "the query is not valid Cypher: {}",
    "Neo.ClientError.Procedure": "the query cannot be answered: {}",
    "Unknown function": "the query is not valid Cypher: {}",
    "Unknown procedure": "the query is not valid Cypher: {}",
}
"""What a query did wrong, by the first of these that the server's code or message holds."""
_SERVER_SETTINGS: Final[dict[str, Any]] = {"notifications_min_severity": "OFF", "telemetry_disabled": True}


def check_address(uri: str) -> None:
    """Demand that a text is the address of a Neo4j server.

    Raises:
        UsageError: it is not: no known scheme, or a port that is no number.
    """
    try:
        is_one = uri.startswith(_SCHEMES) and urlsplit(uri).port != 0
    except ValueError:
        is_one = False
    if not is_one:
        raise UsageError(f"{uri!r} is not an address of a Neo4j server such as bolt://localhost:7687")


class CypherStore:
    """A database behind a Bolt address.

    `query` only ever reads: the server itself refuses to write in a session that is opened for reading.

    Raises:
        UsageError: the address is none of a Neo4j server.
        StoreError: no server answers there, or it refuses user and password.
    """

    language: Language = "cypher"

    def __init__(
        self,
        uri: str,
        user: str,
        password: str,
        *,
        database: str | None = None,
        name: str | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        """Connect to `uri`. `name` is how messages call it.

        The embedded store gives `refusal`, which says of a query that it refused what is wrong with it, or
        None if it is right but would write. It also speaks an older Bolt that has no server settings.
        """
        check_address(uri)
        self.uri = uri
        self._name = name or f"Neo4j at {uri}"
        self._user = user
        self._database = database
        self._refusal = refusal
        with self._translated():
            self._driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=10.0,
                max_transaction_retry_time=20.0,
                **({} if refusal else _SERVER_SETTINGS),
            )
        try:
            with self._translated():
                self._driver.verify_connectivity()
        except BaseException:
            self._driver.close()
            raise

    def __enter__(self) -> CypherStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()

    def query(self, text: str, params: Params | None = None) -> Table:
        """Answer a query that reads.

        Raises:
            QueryError: a syntax error, a missing parameter, or a query that would write.
            StoreError: the server is gone or has a fault.
        """
        if self._refusal is not None and loads_csv(text):
            raise QueryError("LOAD CSV is not available without a server: queries never reach a network")
        with self._translated(text), self._session(neo4j.READ_ACCESS) as session:
            result = session.run(_text(text), dict(params or {}))
            columns = tuple(result.keys())
            return Table(columns, tuple(tuple(_value(value) for value in record.values()) for record in result))

    def read(self, text: str, params: dict[str, Any]) -> Iterator[neo4j.Record]:
        """Yield the records of one of our own statements that reads, as the driver gives them."""
        with self._translated(), self._session(neo4j.READ_ACCESS) as session:
            yield from session.run(_text(text), params)

    def write(self, text: str, rows: Sequence[dict[str, Any]]) -> None:
        """Run one of our own statements for rows, in one transaction that is tried again after a passing fault."""
        with self._translated(), self._session(neo4j.WRITE_ACCESS) as session:
            session.execute_write(_run, text, rows)

    def declare(self, statement: str) -> None:
        """Run one of our own statements that changes the schema."""
        with self._translated(), self._session(neo4j.WRITE_ACCESS) as session:
            session.run(_text(statement)).consume()

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=access)

    @contextmanager
    def _translated(self, query: str | None = None) -> Iterator[None]:
        try:
            yield
        except bolt.Neo4jError as error:
            raise self._server_error(error, query) from error
        except (bolt.ServiceUnavailable, bolt.SessionExpired) as error:
            raise StoreError(f"{self._name} does not answer: {_line(error)}") from error
        except bolt.ResultError as error:
            raise QueryError(f"the query cannot be answered: {_line(error)}") from error
        except (bolt.DriverError, ValueError, TypeError) as error:
            raise StoreError(f"{self._name} cannot be used: {_line(error)}") from error

    def _server_error(self, error: bolt.Neo4jError, query: str | None) -> QueryError | StoreError:
        code, message = error.code or "", _line(error.message or error)
        if self._refusal is not None and query is not None and "read only database" in message:
            reason = self._refusal(query)
            return QueryError(f"the query is not valid Cypher: {reason}" if reason else _WOULD_WRITE)
        for part, said in _QUERY_FAULTS.items():
            if part in code or part in message:
                return QueryError(said.format(message))
        if isinstance(error, bolt.AuthError) and "RateLimit" not in code:
            message = "wrong user name or password"
        if code.startswith("Neo.ClientError.Security"):
            return StoreError(f"{self._name} refuses the user {self._user!r}: {message}")
        return StoreError(f"{self._name} reports a fault: {message}")


def _run(transaction: neo4j.ManagedTransaction, text: str, rows: Sequence[dict[str, Any]]) -> None:
    transaction.run(_text(text), rows=rows).consume()


def _text(text: str) -> Any:  # the driver asks for a literal, which text from a file or a user cannot be
    return text


def _line(error: object) -> str:
    return " ".join(str(error).split())


def _value(value: Any) -> Value:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Path):
        steps = zip(value.nodes, (*value.relationships, None), strict=True)
        return tuple(_value(item) for step in steps for item in step)[:-1]
    if isinstance(value, list | tuple):
        return tuple(_value(item) for item in value)
    if isinstance(value, Node | Relationship | dict):
        return _map(value)
    return str(value)


def _map(value: Any) -> dict[str, Value]:
    properties: dict[str, Value] = {key: _value(value[key]) for key in sorted(value.keys())}
    if isinstance(value, Node):
        return {"labels": tuple(sorted(value.labels)), "properties": properties}
    if isinstance(value, Relationship):
        return {"type": value.type, "properties": properties}
    return properties
