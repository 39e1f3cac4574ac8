"""The known things: methods, datasets, hardware, tasks and metrics, as data that people can read and edit.

>>> catalogue = load()
>>> [thing.name for thing in catalogue.find("FA3")]
['FlashAttention-3']
"""

from __future__ import annotations

from kg.catalogue.model import Catalogue, KnownThing
from kg.catalogue.reading import load

__all__ = ["Catalogue", "KnownThing", "load"]
