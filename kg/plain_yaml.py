"""YAML that users write: untrusted, so only plain data is read from it, by the fast loader where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_yaml"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> object:
    """Return the plain data of a file.

    Raises:
        ValueError: the file cannot be read, is not UTF-8 text or not YAML; the message says which, without the path.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 text") from error
    try:
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - a safe loader, the fast one where there is one
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"is not YAML: {' '.join(str(error).split())}") from error
