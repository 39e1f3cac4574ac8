"""What a correction is, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.model import EntityType, Role

__all__ = ["Action", "Correction", "Effect"]

_MOST_TOLD = 5


class Action(StrEnum):
    """What a correction does, by the key that it has in a file."""

    MERGE = "merge"
    KEEP_APART = "keep apart"
    RENAME = "rename"
    RETYPE = "retype"
    NOT_AN_ENTITY = "not an entity"
    WRONG_ROLE = "wrong role"
    ADD_ROLE = "add role"


@dataclass(frozen=True, slots=True)
class Correction:
    """One decision. `names` are names as a text has them, or keys or IRIs of nodes where a name is not enough.

    `paper` is the id or the key of the one paper that it is about; None for all. `to`, `type` and `role` are
    given where the action needs them. `file` and `entry` say where it stands.
    """

    action: Action
    names: tuple[str, ...]
    paper: str | None = None
    to: str | None = None
    type: EntityType | None = None
    role: Role | None = None
    file: str = ""
    entry: int = 0

    @property
    def is_of_one_node(self) -> bool:
        """Whether each of its names must mean one node: to merge or rename all that have a name is never meant."""
        return self.paper is None and self.action in {Action.MERGE, Action.RENAME}

    def __str__(self) -> str:
        """The correction on one line.

        >>> from kg.model import Role
        >>> print(Correction(Action.WRONG_ROLE, ("BERT",), paper="a1", role=Role.COMPARES_TO))
        wrong role: BERT, role: comparesTo, paper: a1
        """
        parts = [f"{self.action}: {' = '.join(self.names) if self.action == Action.MERGE else ', '.join(self.names)}"]
        details = {"to": self.to, "type": self.type, "role": self.role, "paper": self.paper}
        return ", ".join(parts + [f"{key}: {value}" for key, value in details.items() if value])


@dataclass(frozen=True, slots=True)
class Effect:
    """What came of a correction: how many entities of papers it is about, and how many of these it changed.

    `nodes` are the keys of the nodes that these lead to in the end; `unmatched` the names that nothing has; `several`
    the nodes of each name that has more than one, as pairs.
    """

    correction: Correction
    matched: int = 0
    changed: int = 0
    nodes: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    several: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def outcome(self) -> str:
        """``took effect``, ``was so already``, ``ambiguous`` or ``matched nothing``."""
        if self.changed:
            return "took effect"
        if self.several and self.correction.is_of_one_node:
            return "ambiguous"
        return "was so already" if self.matched else "matched nothing"

    @property
    def note(self) -> str:
        """What a user should know of the names; empty where there is nothing to say."""
        told = [f"nothing is called {name!r}" for name in self.unmatched if self.matched or self.several]
        for name, nodes in self.several:
            shown = ", ".join(nodes[:_MOST_TOLD]) + (", …" if len(nodes) > _MOST_TOLD else "")
            what = "write the one that is meant" if self.outcome == "ambiguous" else "it was done for all of these"
            told.append(f"{name!r} is the name of {len(nodes)} nodes ({shown}); {what}")
        return "; ".join(told)

    def told(self) -> dict[str, str | int | list[str]]:
        """The effect as plain data, for a report."""
        one = self.correction
        told: dict[str, str | int | list[str]] = {"file": one.file, "entry": one.entry} if one.file else {}
        told |= {"correction": str(one), "outcome": self.outcome, "matched": self.matched, "changed": self.changed}
        if self.note:
            told["note"] = self.note
        return told | {"nodes": list(self.nodes)}
