"""The learned tagger: one pass of a small encoder over a paper finds its names, types them and tells their roles.

It runs on ONNX Runtime; how it was made stands in ``training/`` and in ``docs/model.md``.
"""

from __future__ import annotations

from kg.linking.tagger.decoding import Hint, Span
from kg.linking.tagger.reading import SHIPPED, Reading, Tagger, shipped_tagger
from kg.linking.tagger.settings import Line, Settings, load_settings, save_settings

__all__ = [
    "SHIPPED",
    "Hint",
    "Line",
    "Reading",
    "Settings",
    "Span",
    "Tagger",
    "load_settings",
    "save_settings",
    "shipped_tagger",
]
