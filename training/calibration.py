"""Making probabilities mean what they say (Platt 1999)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kg.linking.tagger import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

Outcome = tuple[float, bool]
"""A probability that was said, and whether it came true."""


def fit(outcomes: Sequence[Outcome], given: Sequence[float] | None = None) -> Line:
    """Return the calibration with the highest likelihood of the outcomes, with a weak pull towards none at all.

    With `given`, what comes true is the calibrated probability times that of what it is conditional on.
    """
    return fit_beside(outcomes, [0.0] * len(outcomes), given)[0]


def fit_beside(
    outcomes: Sequence[Outcome], gains: Sequence[float], given: Sequence[float] | None = None
) -> tuple[Line, float]:
    """Return a calibration as `fit` does, together with the weight of gains in nats that are known beside it."""
    p = np.clip(np.array([said for said, _ in outcomes]), 1e-6, 1 - 1e-6)
    x = np.stack([np.log(p / (1 - p)), np.ones(len(p)), np.array(gains)], axis=1)
    y, prior = np.array([right for _, right in outcomes], dtype=float), np.array([1.0, 0.0, 0.0])
    factor = np.ones(len(p)) if given is None else np.array(given)

    def likely(line: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        alone = np.clip(0.5 + 0.5 * np.tanh(x @ line / 2), 1e-12, 1 - 1e-12)
        return alone, alone * factor

    def loss(line: np.ndarray) -> float:
        _, both = likely(line)
        return float(-(y @ np.log(both) + (1 - y) @ np.log1p(-both)) + 0.5 * ((line - prior) ** 2).sum())

    line = prior
    for _ in range(50):
        alone, both = likely(line)
        rest = (1 - alone) / (1 - both)
        slope = x.T @ ((y - both) * rest) - (line - prior)
        step = np.linalg.solve((x * (both * (1 - alone) * rest)[:, None]).T @ x + np.eye(3), slope)
        while loss(line + step) > loss(line) and np.abs(step).max() > 1e-9:
            step = step / 2
        line = line + step
    return Line(float(line[0]), float(line[1])), float(line[2])


def bins(outcomes: Sequence[Outcome], count: int = 10) -> list[tuple[float, float, int]]:
    """Return (mean of what was said, share that came true, number) of bins with equally many outcomes.

    >>> bins([(0.1, False), (0.3, True), (0.8, True), (1.0, True)], 2)
    [(0.2, 0.5, 2), (0.9, 1.0, 2)]
    """
    parts = np.array_split(np.array(sorted(outcomes), dtype=float), count)
    return [(float(part[:, 0].mean()), float(part[:, 1].mean()), len(part)) for part in parts if len(part)]


def error(outcomes: Sequence[Outcome], count: int = 10) -> float:
    """Return the expected calibration error: how far what was said is from what came true, on average over bins.

    >>> round(error([(0.5, True), (0.5, False)], 1), 6)
    0.0
    """
    return sum(n * abs(said - true) for said, true, n in bins(outcomes, count)) / len(outcomes)
