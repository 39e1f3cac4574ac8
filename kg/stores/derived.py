"""Stores that are made from DIR/graph.nt: where the one of today's file lies, and how it gets there.

A store lies in a folder named after the content of the file that it was made from, such as
``DIR/store/1-5f0c…/``. It is made under another name and renamed at the end, so nobody ever sees half a
store; and because another content has another name, no store changes under a process that has it open.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from kg.errors import StoreError
from kg.outputs import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ensure", "graph_file"]


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
    """Return the path of the store of `source` in `folder`; make it, and clear older ones away, if it is not there.

    `make` gets the path of a folder that does not exist yet. `layout` counts the changes of what it makes.

    Raises:
        StoreError: the file cannot be read, or the folder cannot be written.
    """
    store = folder / f"{layout}-{_digest(source)[:32]}"
    if store.is_dir():
        _check_readable(store)
        return store
    with _writable(folder):
        folder.mkdir(exist_ok=True)
        with _scratch(folder) as scratch:
            new = scratch / "new"
            make(new)
            _share(new, source.stat().st_mode)
            _put(new, store)
            _clear(folder, store, scratch)
    return store


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    scratch = folder / f".{secrets.token_hex(8)}"
    scratch.mkdir(mode=PRIVATE)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _share(store: Path, mode: int) -> None:
    """Let those read the store who may read the file that it was made from: engines keep their files to themselves."""
    readers = mode & 0o444
    for path in (store, *store.rglob("*")):
        path.chmod(path.stat().st_mode | readers | ((readers >> 2) if path.is_dir() else 0))


def _check_readable(store: Path) -> None:
    """An engine that cannot open a file of its store may answer as if it were empty."""
    for path in (store, *store.rglob("*")):
        if not os.access(path, os.R_OK):
            raise StoreError(f"the store {store} cannot be read: no permission for {path.name}")


def _put(new: Path, store: Path) -> None:
    try:
        new.rename(store)
    except OSError:
        if not store.is_dir():  # else another process was first, with the same content
            raise


def _clear(folder: Path, store: Path, scratch: Path) -> None:
    for path in folder.iterdir():
        if path != store and not path.name.startswith("."):  # a dot: another process is making it
            with suppress(OSError):  # it is open where the system forbids to move it; the next to come clears it
                path.rename(scratch / path.name)


def _digest(source: Path) -> str:
    try:
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StoreError(f"{source} cannot be read: {error.strerror or error}") from error


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"the store {folder} cannot be written: {error.strerror or error}") from error
