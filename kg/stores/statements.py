"""The Cypher that writes: made of closed lists alone, so nothing that was read becomes part of a statement."""

from __future__ import annotations

import re
from typing import Final

from kg.resources import resource
from kg.stores.propertygraph import ENTITY_LABELS, RELATIONSHIP_TYPES, VERSION_OF

__all__ = [
    "DELETE_ENTITIES",
    "DELETE_PAPERS",
    "MERGE_PAPERS",
    "constraints",
    "create_edges",
    "create_vertices",
    "delete_edges",
    "loads_csv",
    "merge_edges",
    "merge_entities",
    "split",
]

_TOKEN: Final = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<quoted>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*`)
    | (?P<end>;)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)

MERGE_PAPERS: Final = "UNWIND $rows AS row MERGE (n:Paper {uri: row.uri}) SET n += row.properties"
DELETE_PAPERS: Final = "UNWIND $rows AS row MATCH (n:Paper {uri: row.uri, graph: row.graph}) DETACH DELETE n"
DELETE_ENTITIES: Final = "UNWIND $rows AS row MATCH (n:Entity {uri: row.uri, graph: row.graph}) DETACH DELETE n"


def split(script: str) -> tuple[str, ...]:
    """Split a script at its semicolons, but not at those in strings, quoted names or comments.

    >>> split("RETURN ';' AS a; // ;\\nRETURN `x;y`;")
    ("RETURN ';' AS a", 'RETURN `x;y`')
    """
    statements = [""]
    for match in _TOKEN.finditer(script):
        if match["end"]:
            statements.append("")
        elif not match["comment"]:
            statements[-1] += match[0]
    return tuple(text.strip() for text in statements if text.strip())


def constraints() -> tuple[str, ...]:
    """Return the statements of schemas/constraints.cypher."""
    return split(resource("schemas", "constraints.cypher").read_text(encoding="utf-8"))


def loads_csv(query: str) -> bool:
    """Tell whether a query has LOAD CSV, which fetches what an address names.

    >>> loads_csv("load /* */ csv FROM 'http://a.example/' AS row RETURN row"), loads_csv("RETURN 'LOAD CSV'")
    (True, False)
    """
    decoded = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), query)
    return any(
        re.search(r"\bload\s+csv\b", "".join(match["other"] or " " for match in _TOKEN.finditer(text)), re.IGNORECASE)
        for text in (query, decoded)
    )


def merge_entities(label: str) -> str:
    """Return the statement that writes entities of one type and takes the label of any other type from them."""
    others = ":".join(other for other in ENTITY_LABELS if other != _known(label, ENTITY_LABELS))
    return (
        f"UNWIND $rows AS row MERGE (n:Entity {{uri: row.uri}}) SET n:{label} SET n += row.properties REMOVE n:{others}"
    )


def create_vertices(label: str) -> str:
    """Return the statement that writes nodes of one label into an empty database."""
    labels = label if label == "Paper" else f"Entity:{_known(label, ENTITY_LABELS)}"
    return f"UNWIND $rows AS row CREATE (n:{labels} {{uri: row.uri}}) SET n += row.properties"


def merge_edges(type_: str) -> str:
    """Return the statement that writes relationships of one type. It never takes one that is not ours."""
    return f"{_endpoints(type_)} MERGE (a)-[r:{type_} {{graph: row.graph}}]->(b) SET r += row.properties"


def create_edges(type_: str) -> str:
    """Return the statement that writes relationships of one type into a database that has none."""
    return f"{_endpoints(type_)} CREATE (a)-[r:{type_}]->(b) SET r += row.properties"


def delete_edges(type_: str) -> str:
    """Return the statement that deletes our relationships of one type."""
    return f"{_endpoints(type_)} MATCH (a)-[r:{type_} {{graph: row.graph}}]->(b) DELETE r"


def _endpoints(type_: str) -> str:
    source = "Entity" if _known(type_, RELATIONSHIP_TYPES) == VERSION_OF else "Paper"
    return f"UNWIND $rows AS row MATCH (a:{source} {{uri: row.source}}) MATCH (b:Entity {{uri: row.target}})"


def _known(word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return word
