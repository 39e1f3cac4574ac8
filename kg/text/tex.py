"""The TeX that occurs in titles and abstracts, as data: symbols, accents, and what commands do.

Only what people write in running text is known here; a command that is not known reads as its name.
"""

from __future__ import annotations

import unicodedata

__all__ = ["ACCENTS", "LETTER_ACCENTS", "SILENT", "SYMBOLS", "accented"]

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ",
    "upsilon": "υ", "phi": "φ", "varphi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip

SYMBOLS: dict[str, str] = _GREEK | {
    "times": "×", "cdot": "·", "cdots": "…", "ldots": "…", "dots": "…", "infty": "∞", "ell": "ℓ", "sim": "~",
    "approx": "≈", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ll": "≪", "gg": "≫", "neq": "≠",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔", "uparrow": "↑", "downarrow": "↓",
    "in": "∈", "circ": "∘", "star": "⋆", "nabla": "∇", "partial": "∂", "sum": "∑", "prod": "∏", "int": "∫",
    "sqrt": "√", "forall": "∀", "exists": "∃", "cup": "∪", "cap": "∩", "subset": "⊂", "propto": "∝",
    "mid": "|", "langle": "⟨", "rangle": "⟩", "degree": "°", "textdegree": "°", "textendash": "–",
    "textemdash": "—", "textquotesingle": "'", "textasciitilde": "~", "textbackslash": "\\", "ss": "ß", "o": "ø",
    "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı",
    "j": "ȷ", "dag": "†", "ddag": "‡", "S": "§", "quad": " ", "qquad": " ", "newline": " ", "par": " ",
}  # fmt: skip
"""What a command without an argument reads as."""

_SILENT = (
    "cite citep citet citealp citeauthor citeyear nocite ref eqref cref Cref autoref label vspace hspace "
    "footnotemark includegraphics"
)
SILENT: frozenset[str] = frozenset(_SILENT.split())
"""Commands whose argument is no part of the text."""

ACCENTS: dict[str, str] = {
    "'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
}  # fmt: skip
"""Accents written as a sign: ``\\'e`` is é."""

LETTER_ACCENTS: dict[str, str] = {
    "c": "\u0327", "u": "\u0306", "v": "\u030c", "H": "\u030b", "r": "\u030a", "k": "\u0328", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
"""Accents written as a letter: ``\\v{s}`` is š."""

_DOTLESS = {"ı": "i", "ȷ": "j"}


def accented(letter: str, mark: str) -> str:
    """Return the letter with the combining mark, as one character where Unicode has one.

    >>> accented("e", ACCENTS["'"]), accented("ı", ACCENTS['"'])
    ('é', 'ï')
    """
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + mark)
