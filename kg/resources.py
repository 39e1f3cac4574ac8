"""Where the files lie that come with the package: schemas and queries.

In an installed package they stand inside it; in a checkout, beside it, where people look for them.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["resource"]

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Return the path of a shipped file or folder, e.g. ``resource("schemas", "shapes.ttl")``.

    Raises:
        FileNotFoundError: nothing of that name is shipped.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is not part of this installation of kg")
