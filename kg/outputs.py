"""Writing outputs so that nothing half-written ever stands under a final name."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["staged_file", "staged_folder"]

_STAGE = ".kg-unfinished-"


@contextmanager
def staged_folder(directory: Path) -> Iterator[Path]:
    """Yield a folder to write into; when the block ends well, all that is in it moves to `directory`.

    The folder lies inside `directory`, so the move is a rename. A file or folder of the same name is
    replaced, others stay. When the block fails, nothing of it is left, nor `directory` if it was new.

    Raises:
        OutputError: `directory` cannot be made or written to, or the disk is full.
    """
    made: list[Path] = []
    stage: Path | None = None
    try:
        made = _make(directory)
        stage = Path(tempfile.mkdtemp(prefix=_STAGE, dir=directory))
        yield stage
        for path in sorted(stage.iterdir()):
            _replace(path, directory / path.name)
        stage.rmdir()
    except BaseException as error:
        if stage is not None:
            shutil.rmtree(stage, ignore_errors=True)
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


def _make(directory: Path) -> list[Path]:
    """Make a folder and its parents; return those that were not there, outermost first."""
    missing = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _replace(source: Path, target: Path) -> None:
    if target.is_dir() and source.is_dir():
        shutil.rmtree(target)
    source.replace(target)
