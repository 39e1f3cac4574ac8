# ruff: noqa: D103, S101
"""What calibration finds again in outcomes that were drawn from known odds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from calibration import Outcome, fit, fit_beside


def drawn(scale: float, shift: float, weight: float) -> tuple[list[Outcome], list[float]]:
    random = np.random.default_rng(7)
    outcomes, gains = [], []
    for _ in range(20_000):
        said, gain = float(random.uniform(0.02, 0.98)), float(random.choice([0.0, 0.0, 3.0]))
        odds = scale * math.log(said / (1 - said)) + shift + weight * gain
        outcomes.append((said, bool(random.random() < 1 / (1 + math.exp(-odds)))))
        gains.append(gain)
    return outcomes, gains


def test_the_weight_of_gains_is_found_beside_the_calibration() -> None:
    line, weight = fit_beside(*drawn(0.8, -0.3, 0.6))
    assert (line.scale, line.shift, weight) == pytest.approx((0.8, -0.3, 0.6), abs=0.06)


def test_gains_that_tell_nothing_have_no_weight() -> None:
    outcomes, gains = drawn(1.0, 0.0, 0.0)
    line, weight = fit_beside(outcomes, gains)
    assert weight == pytest.approx(0.0, abs=0.05)
    assert (line.scale, line.shift) == pytest.approx((fit(outcomes).scale, fit(outcomes).shift), abs=0.05)
