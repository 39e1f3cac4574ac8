"""Formulas as text: MathML, TeX inside XML, and raised digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.xml import local

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["math", "raised", "tex"]

_DEPTH = 60
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_RAISABLE = re.compile(r"[-−+]?[0-9]{1,6}")
_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)\\end\s*\{document\}", re.DOTALL)
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_RELATION_SIGNS = "= < > ≤ ≥ ≈ ∼ ≃ ≅ ≡ ≠ → ← ∈ ∉ ⊂ ⊆ ± × ≪ ≫ ∝"
_RELATIONS = frozenset(_RELATION_SIGNS.split())
_DROPPED = frozenset({"annotation", "annotation-xml", "mphantom", "none", "mprescripts"})


def raised(text: str) -> str:
    """Return a superscript: a number in raised digits, anything else as it is.

    >>> raised("-19"), raised("st")
    ('⁻¹⁹', 'st')
    """
    return text.strip().translate(_RAISED) if _RAISABLE.fullmatch(text.strip()) else text


def tex(node: etree._Element) -> str:
    """Return TeX that stands in XML as inline TeX, without the preamble of a document around it.

    >>> from lxml import etree
    >>> tex(etree.fromstring(r"<t>\\documentclass{x} \\begin{document}$$ \\sqrt{s} $$\\end{document}</t>"))
    '$\\\\sqrt{s}$'
    """
    source = "".join(node.itertext())
    document = _DOCUMENT.search(source)
    formula = " ".join((document.group(1) if document else source).split()).strip("$ ")
    return f"${formula}$" if formula else ""


def math(node: etree._Element, depth: int = 0) -> str:
    """Return a formula in presentation MathML (https://www.w3.org/TR/MathML3/chapter3.html) on one line.

    >>> from lxml import etree
    >>> formula = "<math><msup><mi>R</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math>"
    >>> math(etree.fromstring(formula))
    'R² = 1/n'
    """
    name = local(node)
    if not name or name in _DROPPED:
        return ""
    if depth > _DEPTH:
        return " ".join("".join(node.itertext()).split())
    if not len(node):
        return _token(name, node.text or "")
    parts = [math(child, depth + 1) for child in node if local(child)]
    if name in _SCRIPTS:
        return _scripted(name, parts)
    if name == "mfenced":
        separator = ", " if node.get("separators", ",").strip() else ""
        return node.get("open", "(") + separator.join(parts) + node.get("close", ")")
    return _JOINED.get(name, "").join(parts[:1] if name == "semantics" else parts)


_JOINED = {"mtable": "; ", "mtr": ", ", "mlabeledtr": ", "}
_SCRIPTS = {"msup": "^", "msub": "_", "msubsup": "_^", "munder": "_", "munderover": "_^", "mover": "", "mfrac": "/",
            "msqrt": "√", "mroot": "√"}  # fmt: skip


def _token(name: str, text: str) -> str:
    token = " ".join(text.translate(_INVISIBLE).split())
    if name == "mspace" or (name == "mtext" and text and not token):
        return " "
    return f" {token} " if name == "mo" and token in _RELATIONS else token


def _scripted(name: str, parts: list[str]) -> str:
    base, *scripts = parts or [""]
    match name:
        case "msqrt":
            return "√" + _grouped("".join(parts))
        case "mroot":
            return "√" + _grouped(base)
        case "mfrac":
            return "/".join(map(_grouped, parts))
        case "mover":
            return base
        case _:
            signs = _SCRIPTS[name]
            return base + "".join(_script(sign, text) for sign, text in zip(signs, scripts, strict=False) if text)


def _script(sign: str, text: str) -> str:
    if sign == "^" and raised(text) != text:
        return raised(text)
    return sign + _grouped(text)


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) < 2 or re.fullmatch(r"\w+|\(.*\)", text) else f"({text})"
