"""Looking a built graph over: why things are linked as they are, and what may be one thing and is not."""

from __future__ import annotations

from kg.review.built import Built, Thing, read_built
from kg.review.duplicates import Duplicate, duplicates
from kg.review.explaining import Explanation, explain, known_in

__all__ = ["Built", "Duplicate", "Explanation", "Thing", "duplicates", "explain", "known_in", "read_built"]
