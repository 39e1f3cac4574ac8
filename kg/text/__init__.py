"""Reading the text of a paper: markup to plain text with a way back to the source, and sentences."""

from __future__ import annotations

from kg.text.markup import PlainText, plain
from kg.text.sentences import sentences

__all__ = ["PlainText", "plain", "sentences"]
