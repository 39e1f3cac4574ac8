"""Cypher without a server: ArcadeDB in this process, behind its Bolt listener on loopback.

The database, in DIR/cypher, is opened for reading only, so several processes may have it open at once. Port
and password are random and live as long as the process; ArcadeDB's own settings lie in a temporary folder.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from kg.errors import CypherNotInstalled, StoreError
from kg.rdf import read_graph
from kg.stores import derived
from kg.stores.cypher import CypherStore
from kg.stores.loading import write_new
from kg.stores.propertygraph import property_graph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["embedded_store"]

_LAYOUT: Final = 1
_DATABASE: Final = "graph"
_LOOPBACK: Final = "127.0.0.1"
_PLUGIN: Final = "Bolt:com.arcadedb.bolt.BoltProtocolPlugin"
_ATTEMPTS: Final = 5


@contextmanager
def embedded_store(directory: Path | str) -> Iterator[CypherStore]:
    """Open the store of DIR/graph.nt, in DIR/cypher; it is made first if it is not there.

    Raises:
        CypherNotInstalled: the extra is not installed.
        StoreError: there is no graph, or the store cannot be made or opened.
    """
    directory = Path(directory)
    source = derived.graph_file(directory)
    engine = _engine()

    def make(folder: Path) -> None:
        graph, base_iri = read_graph(source)
        folder.mkdir()
        with _serve(engine, folder, create=True) as store:
            write_new(store, property_graph(graph, base_iri))

    folder = derived.ensure(directory / "cypher", source, _LAYOUT, make)
    with _serve(engine, folder, create=False) as store:
        yield store


def _engine() -> ModuleType:
    # ArcadeDB reads this when it is imported; its console log would mix with our output.
    os.environ.setdefault("ARCADEDB_LOG_CONSOLE", "0")
    try:
        return import_module("arcadedb")
    except ImportError as error:
        raise CypherNotInstalled(
            'Cypher without a server needs an extra: pip install "paper-kg[cypher]" (SPARQL works without it)'
        ) from error


@contextmanager
def _serve(engine: ModuleType, folder: Path, *, create: bool) -> Iterator[CypherStore]:
    with ExitStack() as stack:
        settings = stack.enter_context(TemporaryDirectory(prefix="kg-cypher-", ignore_cleanup_errors=True))
        password = secrets.token_urlsafe(32)
        server, port = _start(engine, folder, settings, password, create=create)
        stack.callback(_stop, engine, server)
        try:
            database = server.create_database(_DATABASE) if create else server.get_database(_DATABASE)
        except engine.ArcadeDBError as error:
            raise StoreError(f"the store {folder} cannot be opened: {_line(error)}") from error
        store = CypherStore(
            f"bolt://{_LOOPBACK}:{port}",
            "root",
            password,
            database=_DATABASE,
            name=f"the store {folder}",
            refusal=partial(_refusal, engine, database),
        )
        yield stack.enter_context(store)


def _start(engine: ModuleType, folder: Path, settings: str, password: str, *, create: bool) -> tuple[Any, int]:
    # A free port may be taken between our asking for it and the engine's binding it: ask again.
    for attempt in range(1, _ATTEMPTS + 1):
        http, port = _free_port(), _free_port()
        config = {
            "host": _LOOPBACK,
            "http_port": http,
            "server_plugins": _PLUGIN,
            "bolt_host": _LOOPBACK,
            "bolt_port": port,
            "opencypher_loadCsv_allowFileUrls": False,
            "server_databaseDirectory": str(folder.resolve()),
            "server_defaultDatabaseMode": "READ_WRITE" if create else "READ_ONLY",
        }
        server = engine.create_server(settings, password, config)
        try:
            server.start()
        except engine.ArcadeDBError as error:
            if "in use" in str(error).lower() and attempt < _ATTEMPTS:
                continue
            raise StoreError(f"the store {folder} cannot be opened: {_line(error)}") from error
        return server, port
    raise StoreError(f"the store {folder} cannot be opened: no free port")


def _refusal(engine: ModuleType, database: Any, query: str) -> str | None:
    # A database opened for reading answers over Bolt as if every query it cannot parse were a write.
    try:
        database.query("opencypher", query)
    except engine.ArcadeDBError as error:
        reason = re.sub(r"^Query failed: |[\w.]+Exception: | \(caused by .*\)$", "", _line(error))
        return None if "QueryNotIdempotentException" in str(error) else reason
    return None


def _stop(engine: ModuleType, server: Any) -> None:
    with suppress(engine.ArcadeDBError):  # nothing is left to be written, and the process may go on
        server.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def _line(error: object) -> str:
    return " ".join(str(error).split())
