"""Knowledge graphs of research papers: who proposes what, builds on what and compares with what.

No language model and no network: papers in, a graph out, and every edge carries the words that say so.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> import kg
>>> with TemporaryDirectory() as folder:
...     path = Path(folder, "papers.txt")
...     _ = path.write_text("We propose FlashAttention-3. It outperforms FlashAttention-2 on H100 GPUs.", "utf-8")
...     graph = kg.build([path])
>>> sorted((a.role.value, a.node) for a in graph.assertions if a.role is not kg.Role.MENTIONS)
[('comparesTo', 'flashattention2'), ('proposes', 'flashattention3'), ('runsOn', 'h100')]
"""

from __future__ import annotations

from kg.jobs import graph_of as build
from kg.model import (
    Assertion,
    Entity,
    EntityType,
    Evidence,
    KnowledgeGraph,
    Link,
    Mention,
    Node,
    Paper,
    PaperRecord,
    Role,
    RoleClaim,
)
from kg.version import __version__

__all__ = [
    "Assertion",
    "Entity",
    "EntityType",
    "Evidence",
    "KnowledgeGraph",
    "Link",
    "Mention",
    "Node",
    "Paper",
    "PaperRecord",
    "Role",
    "RoleClaim",
    "__version__",
    "build",
]
