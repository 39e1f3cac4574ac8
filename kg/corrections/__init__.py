"""A user's decisions about a graph, as data: what is one thing, what is not, and what a paper does not say.

They are read from YAML files (`read`) and honoured when records become a graph (`kg.resolution`).
"""

from __future__ import annotations

from kg.corrections.model import Action, Correction, Effect
from kg.corrections.reading import is_text, read

__all__ = ["Action", "Correction", "Effect", "is_text", "read"]
