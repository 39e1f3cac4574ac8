"""Corrections files: YAML as `schema.json` tells it, untrusted, so only plain data is read from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kg.corrections.contradictions import refuse_contradictions
from kg.corrections.model import Action, Correction
from kg.errors import CorrectionsError
from kg.model import EntityType, Role
from kg.plain_yaml import read_yaml

__all__ = ["is_text", "read"]

_NEEDED = {
    Action.RENAME: "to",
    Action.RETYPE: "type",
    Action.WRONG_ROLE: "role",
    Action.ADD_ROLE: "role",
}
_SEVERAL = frozenset({Action.MERGE, Action.KEEP_APART})
_MAX_LENGTH = 500


def read(*files: Path) -> tuple[Correction, ...]:
    """Return the corrections of the files, in their order.

    Raises:
        CorrectionsError: a file cannot be read, does not hold corrections, or two corrections contradict each other.
    """
    found = tuple(correction for file in files for correction in _read(Path(file)))
    refuse_contradictions(found)
    return found


def _read(path: Path) -> list[Correction]:
    shown = path.as_posix()
    try:
        data = read_yaml(path)
    except ValueError as error:
        raise CorrectionsError(f"{shown}: {error}") from error
    if isinstance(data, dict) and "corrections" in data and data["corrections"] is None:
        data = data | {"corrections": []}
    if not isinstance(data, dict) or not isinstance(data.get("corrections"), list):
        raise CorrectionsError(f"{shown}: has no list `corrections`")
    others = sorted(str(key) for key in data if key != "corrections")
    if others:
        raise CorrectionsError(f"{shown}: has an unknown key: {', '.join(others)}")
    return [_correction(shown, number, entry) for number, entry in enumerate(data["corrections"], start=1)]


def _correction(file: str, number: int, entry: object) -> Correction:
    where = f"{file}: entry {number}"
    actions = [action for action in Action if isinstance(entry, dict) and action.value in entry]
    if not isinstance(entry, dict) or len(actions) != 1:
        known = ", ".join(f"`{action}`" for action in Action)
        raise CorrectionsError(f"{where}: must be a mapping with one of {known}")
    (action,) = actions
    where = f"{where} ({action})"
    needed = _NEEDED.get(action)
    unknown = sorted(str(key) for key in entry if key not in {action.value, needed, "paper", "why"})
    if unknown:
        raise CorrectionsError(f"{where}: has an unknown key: {', '.join(unknown)}")
    if needed is not None and needed not in entry:
        raise CorrectionsError(f"{where}: lacks `{needed}`")
    paper = _text(where, "paper", entry["paper"]) if "paper" in entry else None
    return Correction(
        action=action,
        names=_names(where, action, entry[action.value], paper),
        paper=paper,
        to=_text(where, "to", entry["to"]) if needed == "to" else None,
        type=EntityType(_one_of(where, "type", entry["type"], list(EntityType))) if needed == "type" else None,
        role=Role(_one_of(where, "role", entry["role"], _ROLES)) if needed == "role" else None,
        file=file,
        entry=number,
    )


_ROLES = [role for role in Role if role != Role.MENTIONS]


def _names(where: str, action: Action, value: object, paper: str | None) -> tuple[str, ...]:
    if not isinstance(value, list):
        value = [value]
    elif action not in _SEVERAL:
        raise CorrectionsError(f"{where}: must be one name, not a list")
    names = tuple(dict.fromkeys(_text(where, str(action), name) for name in value))
    least = 1 if action not in _SEVERAL or (action == Action.KEEP_APART and paper is not None) else 2
    if len(names) < least:
        told = "" if action == Action.MERGE else ", or one name and a `paper`"
        raise CorrectionsError(f"{where}: must be a list of two names or more{told}")
    return names


def _text(where: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        shown = f"a {type(value).__name__}" if isinstance(value, (list, dict, set, tuple)) else repr(value)[:80]
        raise CorrectionsError(f"{where}: `{key}` must be a text, not {shown} (put quotes around it)")
    if not is_text(value):
        raise CorrectionsError(f"{where}: `{key}` must be one line of 1 to {_MAX_LENGTH} characters")
    return value


def is_text(value: str) -> bool:
    """Whether a text is one that a corrections file may name a thing by."""
    return bool(value.strip()) and value == value.strip() and len(value) <= _MAX_LENGTH and value.isprintable()


def _one_of(where: str, key: str, value: object, known: list[Any]) -> str:
    if value not in known:
        raise CorrectionsError(f"{where}: `{key}` must be one of {', '.join(known)}, not {str(value)[:80]!r}")
    return str(value)
