"""Writing outputs so that nothing half-written ever stands under a final name.

What is unfinished stands in a folder of its own, beside a file that the process holds locked. The system takes the lock
away when the process ends, however it ends, so the next one that writes to the same place knows what it may remove.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from kg.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["PRIVATE", "staged_file", "staged_folder"]

PRIVATE = 0o777 if os.name == "nt" else 0o700
"""The mode of a folder whose content is moved out of it at the end.

Windows gives what is in a folder of mode 0o700 access rights that keep everybody else out, also after it was moved.
"""

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_STAGE = ".kg-unfinished-"
_LOCK = ".lock"


@contextmanager
def staged_folder(directory: Path) -> Iterator[Path]:
    """Yield a folder to write into; when the block ends well, all that is in it moves to `directory`.

    The folder lies inside `directory`, so the move is a rename. A file or folder of the same name is
    replaced, others stay. When the block fails, nothing of it is left, nor `directory` if it was new. What processes
    that were killed have left unfinished in `directory` is removed.

    Raises:
        OutputError: `directory` cannot be made or written to, or the disk is full.
    """
    made: list[Path] = []
    try:
        made = _make(directory)
        _remove_leftovers(directory)
        with _stage_in(directory) as stage:
            yield stage
            _move(stage, directory)
    except BaseException as error:
        for path in reversed(made):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        if isinstance(error, OSError):
            raise OutputError(f"{directory}: cannot be written: {error.strerror or error}") from error
        raise


@contextmanager
def staged_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; when the block ends well, that file becomes `path`. A link is followed.

    Raises:
        OutputError: `path` is a folder or a device, cannot be written, or the disk is full.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise OutputError(f"{path}: is not a file")
    with staged_folder(path.parent) as stage:
        yield stage / path.name


@contextmanager
def _stage_in(directory: Path) -> Iterator[Path]:
    """Make a folder to write into, locked; it is gone when the block ends."""
    stage = _new_name(directory)
    lock = stage.with_name(stage.name + _LOCK)
    try:
        with _held(lock) as held:
            if not held:  # Whoever tidies up was quicker, or there are no locks: what has no such file is left alone.
                stage = _new_name(directory)
            stage.mkdir(mode=PRIVATE)
            try:
                yield stage
            finally:
                shutil.rmtree(stage, ignore_errors=True)
                _unlink(lock)
    finally:
        _unlink(lock)


def _new_name(directory: Path) -> Path:
    return directory / f"{_STAGE}{secrets.token_hex(8)}"


def _remove_leftovers(directory: Path) -> None:
    """Remove what is unfinished and whose lock nobody holds: whoever wrote it has ended."""
    for lock in directory.glob(f"{_STAGE}*{_LOCK}"):
        # Another user's may not be ours to remove, and that is no reason not to write.
        with suppress(OSError):
            with _held(lock) as held:
                if held:
                    shutil.rmtree(lock.with_name(lock.name.removesuffix(_LOCK)), ignore_errors=True)
                    _unlink(lock)
            if held:
                _unlink(lock)


@contextmanager
def _held(lock: Path) -> Iterator[bool]:
    """Hold a file locked while the block runs; the value says whether it could be locked."""
    with lock.open("ab") as file:
        try:
            if sys.platform == "win32":
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield os.fstat(file.fileno()).st_nlink > 0


def _unlink(lock: Path) -> None:
    """Remove a lock; Windows does so only where nobody has it open."""
    with suppress(PermissionError):
        lock.unlink(missing_ok=True)


def _make(directory: Path) -> list[Path]:
    """Make a folder and its parents; return those that were not there, outermost first."""
    missing = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _move(stage: Path, directory: Path) -> None:
    """Move all of a folder into another one, folders first.

    A folder that is replaced is moved away whole, not emptied: Windows refuses that where anything in it is open, and
    then all is still as it was.
    """
    paths = sorted(stage.iterdir(), key=lambda path: (not path.is_dir(), path.name))
    replaced = stage / f"{_STAGE}replaced"
    replaced.mkdir()
    for path in paths:
        target = directory / path.name
        if target.is_dir() and path.is_dir():
            target.rename(replaced / path.name)
        path.replace(target)
