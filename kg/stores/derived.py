"""Stores that are made from DIR/graph.nt: whether one is still of that file, and how it is put in its place.

Each folder holds ``source.json``, which names the file it was made from by its SHA-256. A new store is made
in a folder of its own beside the old one and takes its name at the end, so nobody ever sees half a store.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from kg.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ensure", "graph_file"]

_STAMP: Final = "source.json"


def graph_file(directory: Path) -> Path:
    """Return the path of a build's graph.nt.

    Raises:
        StoreError: there is none.
    """
    path = directory / "graph.nt"
    if not path.is_file():
        raise StoreError(f"there is no graph in {directory}: {path.name} is missing; `kg build` makes it")
    return path


def ensure(folder: Path, source: Path, layout: int, make: Callable[[Path], None]) -> Path:
    """Return `folder`, made anew by `make` if it is missing or not of `source`.

    `make` gets the path of a folder that does not exist yet. `layout` counts the changes of what it makes.

    Raises:
        StoreError: the folder cannot be written, or is in use where the system forbids to replace it.
    """
    with _readable(source):
        wanted = _stamp(source, layout)
    if _is_fresh(folder, wanted):
        return folder
    with _writable(folder), TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        new = Path(scratch) / "new"
        make(new)
        (new / _STAMP).write_text(json.dumps(wanted), encoding="utf-8", newline="\n")
        _put(new, folder, wanted, Path(scratch) / "old")
    return folder


def _put(new: Path, folder: Path, wanted: dict[str, str | int], aside: Path) -> None:
    """Give `new` the name `folder`. Another process that did so first, with the same content, is no error."""
    if _is_fresh(folder, wanted):
        return
    try:
        if folder.exists():
            folder.rename(aside)
        new.rename(folder)
    except OSError:
        if not _is_fresh(folder, wanted):
            raise


def _stamp(source: Path, layout: int) -> dict[str, str | int]:
    with source.open("rb") as file:
        return {"file": source.name, "sha256": hashlib.file_digest(file, "sha256").hexdigest(), "layout": layout}


def _is_fresh(folder: Path, wanted: dict[str, str | int]) -> bool:
    try:
        found: object = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing or damaged: both mean that it has to be made
        return False
    return found == wanted


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{source} cannot be read: {error.strerror or error}") from error


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"the store {folder} cannot be written ({error.strerror or error}); "
            "another process may have it open, or the folder is not writable"
        ) from error
