"""What the model tells apart, in the order of its outputs; it does not change without training anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BEGIN", "INSIDE", "LABELS", "ROLES", "ROLES_OF", "TYPES"]

TYPES = ("Method", "Dataset", "Hardware", "Task", "Metric")
ROLES = (
    "proposes",
    "buildsOn",
    "usesMethod",
    "comparesTo",
    "evaluatesOn",
    "trainsOn",
    "runsOn",
    "addresses",
    "measures",
)
ROLES_OF: Mapping[str, tuple[str, ...]] = {
    "Method": ("proposes", "buildsOn", "usesMethod", "comparesTo"),
    "Dataset": ("proposes", "evaluatesOn", "trainsOn"),
    "Hardware": ("proposes", "runsOn"),
    "Task": ("addresses",),
    "Metric": ("proposes", "measures"),
}
LABELS = ("O", *(f"{prefix}-{t}" for t in TYPES for prefix in "BI"))
BEGIN = np.array([1 + 2 * i for i in range(len(TYPES))])
INSIDE = BEGIN + 1
