"""How long work says how far it is, without knowing whether anybody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Progress", "Silent"]

T = TypeVar("T")


class Progress(Protocol):
    """What a job reports to: the command line shows bars, the Python API shows nothing."""

    def track(self, items: Iterable[T], description: str, total: int) -> Iterable[T]:
        """Pass the items through, counting them towards `total`."""
        ...

    def step(self, description: str) -> None:
        """Say that a step begins whose length is not known."""
        ...


class Silent:
    """Shows nothing."""

    def track(self, items: Iterable[T], description: str, total: int) -> Iterable[T]:
        """Return the items."""
        return items

    def step(self, description: str) -> None:
        """Do nothing."""
