"""Stores that answer queries: SPARQL and Cypher embedded in DIR, and Neo4j.

The RDF is the truth: the stores in DIR/store and DIR/cypher are made from DIR/graph.nt, and anew when it changes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.stores import derived
from kg.stores.cypher import CypherStore, check_address
from kg.stores.loading import Loaded, load_graph
from kg.stores.named import NamedQuery, Parameter, is_name, named_queries, resolve
from kg.stores.propertygraph import property_graph
from kg.stores.sparql import SparqlStore, build_sparql_store
from kg.stores.table import Language, Params, Store, Table, Value

if TYPE_CHECKING:
    from kg.stores.loading import Progress

__all__ = [
    "CypherStore",
    "Language",
    "Loaded",
    "NamedQuery",
    "Parameter",
    "Params",
    "SparqlStore",
    "Store",
    "Table",
    "Value",
    "ask",
    "build_sparql_store",
    "check_address",
    "check_graph",
    "is_name",
    "load",
    "named_queries",
    "query",
    "resolve",
    "sparql",
]


def ask(store: Store, text_or_name: str, params: Params | None = None) -> Table:
    """Ask a store a query of its language, or the named one.

    Raises:
        QueryError: no query has that name, the query is wrong or would write, or lacks a parameter.
        StoreError: the store cannot be read or reached.
    """
    return _answer(store, resolve(text_or_name, params or {}, store.language), params)


def _answer(store: Store, query: NamedQuery, params: Params | None) -> Table:
    table = store.query(query.text, params)
    # The embedded store does not say the columns of an answer without rows.
    return Table(query.columns, ()) if query.columns and not table.rows else table


def check_graph(directory: Path | str) -> None:
    """Demand that a folder holds a graph.

    Raises:
        StoreError: it does not.
    """
    derived.graph_file(Path(directory))


def query(directory: Path | str, text_or_name: str, params: Params | None = None) -> Table:
    """Ask the graph in a folder in Cypher, without a server.

    Raises:
        CypherNotInstalled: the extra that runs Cypher is not installed.
        QueryError, StoreError: as for `ask`.
    """
    from kg.stores.embedded import embedded_store

    check_graph(directory)
    found = resolve(text_or_name, params or {}, "cypher")
    with embedded_store(directory) as store:
        return _answer(store, found, params)


def sparql(directory: Path | str, text_or_name: str, params: Params | None = None) -> Table:
    """Ask the graph in a folder in SPARQL.

    Raises:
        QueryError, StoreError: as for `ask`.
    """
    check_graph(directory)
    found = resolve(text_or_name, params or {}, "sparql")
    with SparqlStore(build_sparql_store(directory)) as store:
        return _answer(store, found, params)


def load(
    directory: Path | str,
    uri: str,
    user: str,
    password: str,
    progress: Progress | None = None,
    *,
    database: str | None = None,
) -> Loaded:
    """Make what is ours in a Neo4j database equal to the graph in a folder; see `kg.stores.loading`.

    `progress` gets the number of rows written and the number to write. `database` is the user's home
    database where it is not given.

    Raises:
        UsageError: `uri` is not the address of a Neo4j server.
        StoreError: there is no graph, the server cannot be reached or refuses, or the data cannot be written.
    """
    from kg.rdf import read_graph

    graph, base_iri = read_graph(derived.graph_file(Path(directory)))
    with CypherStore(uri, user, password, database=database) as store:
        return load_graph(store, property_graph(graph, base_iri), progress)
