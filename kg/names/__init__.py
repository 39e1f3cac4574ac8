"""The algebra of names: normal form, parts, family, comparison, abbreviations.

>>> compare("FlashAttention-3", "Flash Attention 3"), compare("SAM", "SAM 2"), compare("A100", "H100")
('same', 'version', 'different')
"""

from __future__ import annotations

from kg.names.compare import Relation, compare, family
from kg.names.joined import continuation, joined
from kg.names.normal import bare, normal
from kg.names.parse import Name, parse

__all__ = ["Name", "Relation", "bare", "compare", "continuation", "family", "joined", "normal", "parse"]
