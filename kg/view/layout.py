"""Where the nodes of a drawing stand: computed here, so that the page opens at once and always looks the same.

Forces as in ForceAtlas2 (Jacomy et al., 2014), on arrays: linear attraction along edges, repulsion by degree,
gravity that keeps separate parts near; then nodes that overlap are pushed apart. Only elementwise operations
and sums are used, so one platform always gives the same numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy
import numpy.typing

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["positions"]

Array: TypeAlias = numpy.typing.NDArray[numpy.float64]
Pairs: TypeAlias = numpy.typing.NDArray[numpy.int64]

_ROUNDS = 260
_SEPARATIONS = 150
_SPACING = 30.0
_ROOM = 20.0
_WIDE = 1.4
"""Labels are wider than high: nodes are kept this much farther apart sideways."""
_EVEN = 0.6
_GRAVITY = 0.04
_FLAT = 1.2
"""Screens are wider than high: gravity is this much stronger from above and below."""


def positions(sizes: Sequence[float], edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a place (x, y) for each node, in the units of its size.

    `sizes` are the nodes' radii; `edges` hold indices into them. The result depends on these values and their
    order only.

    >>> positions([], [])
    []
    >>> positions([10.0], [])
    [(0, 0)]
    """
    count = len(sizes)
    if count < 2:
        return [(0, 0)] * count
    pairs = numpy.array(sorted({(min(a, b), max(a, b)) for a, b in edges if a != b}), dtype=numpy.int64).reshape(-1, 2)
    degree = numpy.bincount(pairs.ravel(), minlength=count).astype(numpy.float64)
    places = _spring(_spiral(count, degree), pairs, degree)
    places = _even(places) * (math.sqrt(count) + 4.0) * _SPACING
    places = _separate(places, numpy.array(sizes, dtype=numpy.float64))
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    return [(round(float(x)), round(float(y))) for x, y in places]


def _spiral(count: int, degree: Array) -> Array:
    """Start with the best connected in the middle; a sunflower's angles keep any two apart."""
    rank = numpy.empty(count)
    rank[numpy.argsort(-degree, kind="stable")] = numpy.arange(count)
    radius, angle = numpy.sqrt(rank + 0.5) * 10.0, rank * 2.399963229728653
    return numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle)], axis=1)


def _spring(places: Array, pairs: Pairs, degree: Array) -> Array:
    count = len(places)
    mass = degree + 1.0
    # A hub (a board, a benchmark that all use) pulls each neighbour less, else everything lies on top of it.
    weight = 1.0 / numpy.sqrt(numpy.maximum(numpy.minimum(mass[pairs[:, 0]], mass[pairs[:, 1]]), 1.0))
    repulsion = 28.0 * numpy.sqrt(mass[:, None] * mass[None, :])
    limit = 12.0 * count**0.5
    for step in range(_ROUNDS):
        x, y = places[:, 0], places[:, 1]
        dx, dy = x[:, None] - x[None, :], y[:, None] - y[None, :]
        push = repulsion / (dx * dx + dy * dy + 0.01)
        pull = (places[pairs[:, 1]] - places[pairs[:, 0]]) * weight[:, None]
        force_x = (push * dx).sum(axis=1) + _along(pairs, pull[:, 0], count) - _GRAVITY * mass * x
        force_y = (push * dy).sum(axis=1) + _along(pairs, pull[:, 1], count) - _GRAVITY * _FLAT * mass * y
        force_x /= mass**0.5
        force_y /= mass**0.5
        strength = numpy.sqrt(force_x * force_x + force_y * force_y) + 1e-9
        heat = limit * (1.0 - step / _ROUNDS) ** 2 + 0.05
        move = numpy.minimum(strength * 0.35, heat) / strength
        places = places + numpy.stack([force_x * move, force_y * move], axis=1)
    return places


def _even(places: Array) -> Array:
    """Fill the disc: halfway between each node's distance from the middle and that at which density is even.

    Nodes that little holds fly far out, and hubs crowd the middle; both would cost the whole its size on screen.
    """
    count = len(places)
    places = places - places.mean(axis=0)
    radius = numpy.sqrt((places * places).sum(axis=1)) + 1e-9
    rank = numpy.empty(count)
    rank[numpy.argsort(radius, kind="stable")] = numpy.arange(count)
    wanted = _EVEN * numpy.sqrt((rank + 0.5) / count) * math.sqrt(2) + (1 - _EVEN) * numpy.minimum(
        radius / math.sqrt((radius * radius).mean()), 2.0
    )
    even: Array = places / radius[:, None] * wanted[:, None]
    return even


def _along(pairs: Pairs, pull: Array, count: int) -> Array:
    """Sum what the edges pull at each node: forward at one end, back at the other."""
    forward: Array = numpy.bincount(pairs[:, 0], weights=pull, minlength=count).astype(numpy.float64)
    back: Array = numpy.bincount(pairs[:, 1], weights=pull, minlength=count).astype(numpy.float64)
    return forward - back


def _separate(places: Array, sizes: Array) -> Array:
    apart = sizes[:, None] + sizes[None, :] + _ROOM
    for _ in range(_SEPARATIONS):
        dx = (places[:, 0][:, None] - places[:, 0][None, :]) / _WIDE
        dy = places[:, 1][:, None] - places[:, 1][None, :]
        distance = numpy.sqrt(dx * dx + dy * dy)
        numpy.fill_diagonal(distance, numpy.inf)
        overlap = numpy.maximum(apart - distance, 0.0)
        if not overlap.any():
            break
        share = overlap / (distance + 0.01) * 0.25
        places = places + numpy.stack([(share * dx).sum(axis=1) * _WIDE, (share * dy).sum(axis=1)], axis=1)
    return places
