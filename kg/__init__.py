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
[('comparesTo', 'flashattention2'), ('proposes', 'flashattention3'), ('runsOn', 'nvidiah100')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg import names
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

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
    "names",
]


def build(
    inputs: Sequence[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    catalogue_files: Sequence[Path] = (),
    corrections_files: Sequence[Path] = (),
    jobs: int = 1,
    pipeline: str = "accurate",
    min_confidence: float = 0.0,
) -> KnowledgeGraph:
    """Return the graph of files or folders of papers, as `kg build` makes it, without writing anything.

    `format` is the name of a format (told by content where not given), `catalogue_files` are known things of
    your own, `corrections_files` your decisions (docs/corrections.md), `jobs` is the number of processes (the
    result does not depend on it), `pipeline` is ``accurate``, ``fast`` (a smaller model) or ``rules`` (none),
    `min_confidence` in [0, 1] leaves out mentions and roles that are less sure.

    Raises:
        kg.errors.KgError: nothing could be read, and why; `UsageError`, which is a `ValueError` as well, where an
            option is none that there is: a format, a pipeline, a number of processes, a confidence out of [0, 1].
    """
    from kg.jobs import graph_of

    return graph_of(
        inputs,
        format=format,
        catalogue_files=catalogue_files,
        corrections_files=corrections_files,
        jobs=jobs,
        pipeline=pipeline,
        min_confidence=min_confidence,
    )
