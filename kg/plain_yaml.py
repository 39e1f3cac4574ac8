"""YAML that users write: untrusted, so only plain data is read from it, by the fast loader where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_yaml"]

_SAFE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _TwiceError(ValueError):
    """A key is given twice."""


class _Loader(_SAFE):  # type: ignore[misc]  # the base is chosen when the module is loaded
    """A safe loader, the fast one where there is one, that refuses a key given twice: YAML lets the last one win."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise _TwiceError(f"line {key.start_mark.line + 1}: the key {key.value!r} is given twice")
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> object:
    """Return the plain data of a file.

    Raises:
        ValueError: the file cannot be read, is not UTF-8 text or not YAML, or a key is given twice in a mapping; the
            message says which, without the path.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 text") from error
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    except _TwiceError:
        raise
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"is not YAML: {' '.join(str(error).split())}") from error
