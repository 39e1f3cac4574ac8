"""What was chosen on held-out papers of the training set, and lies beside the weights."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Line", "Settings", "load_settings", "save_settings"]


@dataclass(frozen=True, slots=True)
class Line:
    """A calibration (Platt 1999): the log-odds of what the model says, scaled and shifted to those of being right."""

    scale: float = 1.0
    shift: float = 0.0

    def __call__(self, probability: float) -> float:
        """Return the calibrated probability.

        >>> round(Line()(0.25), 6), round(Line(shift=math.log(3))(0.25), 6)
        (0.25, 0.5)
        """
        p = min(max(probability, 1e-6), 1 - 1e-6)
        return 1.0 / (1.0 + math.exp(-self.scale * math.log(p / (1 - p)) - self.shift))


@dataclass(frozen=True, slots=True)
class Settings:
    """What was chosen.

    In nats: what a word gains outside of names (`o_bias`), what a name costs (`name_cost`), and what a hint of each
    finder gains a span (`hints`). Further the weight of what a cue in the text says of a role, beside what the model
    says (`cues`), the calibrations of spans and roles, and the calibrated probability from which each role is said to
    hold.
    """

    o_bias: float = 0.0
    name_cost: float = 2.0
    hints: Mapping[str, float] = field(default_factory=dict)
    cues: Mapping[str, float] = field(default_factory=dict)
    spans: Line = Line()
    roles: Mapping[str, Line] = field(default_factory=dict)
    role_thresholds: Mapping[str, float] = field(default_factory=dict)

    def threshold(self, role: str) -> float:
        """Return the calibrated probability from which a role is said to hold."""
        return self.role_thresholds.get(role, 0.5)


def load_settings(path: Path) -> Settings:
    """Read what `save_settings` wrote."""
    values = json.loads(path.read_text(encoding="utf-8"))
    roles = {role: Line(**line) for role, line in values.pop("roles").items()}
    return Settings(**{**values, "spans": Line(**values["spans"]), "roles": roles})


def save_settings(settings: Settings, path: Path) -> None:
    """Write the settings that a tagger reads."""
    path.write_text(json.dumps(asdict(settings), indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
