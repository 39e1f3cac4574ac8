"""The HTML file: pyvis fills our template, with everything inside and nothing loaded.

Text of papers enters in two ways only: as JSON with ``<``, ``>``, ``&`` and ``'`` escaped, which the page's
script puts into text nodes; and through the template's autoescaping. A content security policy that names our
scripts by their hashes forbids any other script, and every request.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from kg.outputs import staged_file
from kg.view.details import details
from kg.view.drawing import SHAPES, best_connected, draw, number

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph
    from kg.view.drawing import Numbering

__all__ = ["SHOWN", "render", "write_html"]

SHOWN = 500
"""How many nodes are drawn at first; the others are reached by search."""

_FOLDER = Path(__file__).resolve().parent


def render(graph: KnowledgeGraph, *, title: str | None = None, shown: int = SHOWN) -> str:
    """Return the page as text. It is a function of the graph alone, whatever the order of its parts.

    `title` stands for the page's title (default: how many papers it covers); `shown` is how many nodes are
    drawn at first.
    """
    import jinja2
    import pyvis  # type: ignore[import-untyped]

    numbering = number(graph)
    labels = [graph.title_of.get(p.key) or p.title or p.id for p in numbering.papers]
    labels += [node.name for node in numbering.nodes]
    chosen = best_connected(numbering, shown)
    network = draw(numbering, chosen, labels)
    vis = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    own = [_FOLDER / f"{name}.js" for name in ("palette", "labels", "search", "page")]
    scripts = [_source(path) for path in (vis, *own)]
    count = len(numbering.papers)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(_FOLDER, encoding="utf-8"), autoescape=True)
    environment.globals.update(
        title=_encodable(title or f"Knowledge graph of {count:,} paper{'' if count == 1 else 's'}"),
        details=details(numbering, labels),
        shapes=SHAPES,
        style=_source(_FOLDER / "page.css"),
        scripts=scripts,
        hashes=" ".join(f"'sha256-{_digest(script)}'" for script in scripts),
        top=_best_known(numbering, labels),
    )
    network.templateEnv = environment
    network.path = "template.html"
    return str(network.generate_html()) + "\n"


def write_html(graph: KnowledgeGraph, path: str | Path, *, title: str | None = None, shown: int = SHOWN) -> None:
    """Write the page of a graph, in UTF-8 with LF, whatever the platform.

    Raises:
        OutputError: the file cannot be written.
    """
    text = render(graph, title=title, shown=shown)
    with staged_file(Path(path)) as staged:
        staged.write_text(text, encoding="utf-8", newline="\n")


def _best_known(numbering: Numbering, labels: list[str]) -> list[tuple[str, str, int]]:
    """The things that most nodes are joined to, for readers without JavaScript: name, type, neighbours."""
    things = range(len(numbering.papers), len(labels))
    ranked = sorted(things, key=lambda i: (-numbering.degree[i], i))[:25]
    return [(_encodable(labels[i]), numbering.type_of(i), numbering.degree[i]) for i in ranked]


def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _encodable(text: str) -> str:
    """Lone surrogates, which JSON can say and UTF-8 cannot, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
