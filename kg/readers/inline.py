"""Markup inside a string, made plain: JATS and MathML as Crossref has them, and the inline tags of HTML.

Only tags of a closed list are touched, so ``p < 0.05``, ``<EOS>`` and ``List<int>`` stay as they are.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

__all__ = ["has_tags", "without_tags"]

_INLINE = (
    "i b em strong sub sup tt sc scp span a small big font italic bold monospace underline overline roman "
    "sans-serif inline-formula ext-link xref named-content styled-content inf"
)
_BLOCKS = "p br div title sec section abstract li ul ol list list-item label disp-formula disp-quote h1 h2 h3 h4 h5 h6"
_MATH = (
    "math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd "
    "mfenced mstyle mpadded mphantom menclose semantics annotation annotation-xml tex-math alternatives inline-graphic "
    "mprescripts mmultiscripts none"
)
_KNOWN = frozenset((_INLINE + " " + _BLOCKS + " " + _MATH).split())
_BREAKS = frozenset(_BLOCKS.split())
_SKIPPED = frozenset(("annotation", "annotation-xml", "inline-graphic"))
_TAG = re.compile(r"<(/?)(?:\w+:)?([a-zA-Z][\w-]*)(?:\s[^<>]*?)?(/?)>")
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()aeoxhklmnpst", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ")
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_DOLLARS = re.compile(r"^\$\$(.*)\$\$$", re.DOTALL)


def has_tags(text: str) -> bool:
    """Whether the text holds a tag of the list that is closed, so that it is markup and not a word in brackets.

    >>> has_tags("CO<sub>2</sub>"), has_tags("from <s> or </p> tokens"), has_tags("if a<b and c>d")
    (True, False, False)
    """
    if "<" not in text:
        return False
    found: dict[str, set[str]] = {"open": set(), "closed": set()}
    for closing, name, empty in _TAG.findall(text):
        found["closed" if closing else "open"].add(name.lower())
        if empty or name.lower() == "br":
            found["closed"].add(name.lower())
    return bool(found["open"] & found["closed"] & _KNOWN)


def without_tags(text: str) -> str:
    """Return the text without the tags of the list: a line for each block, ``²`` or ``^{…}`` for what is raised.

    >>> without_tags("<jats:title>Abstract</jats:title><jats:p>10<sup>6</sup> runs of CO<sub>2</sub>.</jats:p>")
    'Abstract\\n10⁶ runs of CO₂.'
    >>> without_tags("<tex-math>$x_{ab}$</tex-math> and <mml:math><mml:mi>y</mml:mi></mml:math>")
    '$x_{ab}$ and y'
    """
    parser = _Flat()
    parser.feed(_TAG.sub(lambda m: m.group() if m.group(2).lower() in _KNOWN else _escaped(m.group()), text))
    parser.close()
    return parser.text()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


class _Flat(HTMLParser):
    """Collects the text; of alternatives of one formula the first that has text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._stack: list[tuple[str, list[str]]] = [("", [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        name = tag.rpartition(":")[2]
        if name in _BREAKS:
            self._add("\n")
        if name != "br":
            self._stack.append((name, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an empty element for what it shows: a line end, or nothing."""
        if tag.rpartition(":")[2] in _BREAKS:
            self._add("\n")

    def handle_endtag(self, tag: str) -> None:
        """Close the element, and those inside it that nothing closed."""
        name = tag.rpartition(":")[2]
        if all(name != opened for opened, _ in self._stack):
            return
        while len(self._stack) > 1:
            opened, parts = self._stack.pop()
            self._add(_shown(opened, parts))
            if opened == name:
                break
        if name in _BREAKS:
            self._add("\n")

    def handle_data(self, data: str) -> None:
        """Keep text; inside formulas white space shows nothing."""
        in_math = any(name == "math" for name, _ in self._stack)
        self._add("".join(data.split()) if in_math else data)

    def text(self) -> str:
        """What was collected, each line without white space around it and no line empty."""
        while len(self._stack) > 1:
            opened, parts = self._stack.pop()
            self._add(_shown(opened, parts))
        lines = "".join(self._stack[0][1]).split("\n")
        return "\n".join(line.strip() for line in lines if line.strip())

    def _add(self, text: str) -> None:
        if text:
            self._stack[-1][1].append(text)


def _shown(name: str, parts: list[str]) -> str:  # noqa: PLR0911 - one line a tag
    text = "".join(parts)
    if name in _SKIPPED:
        return ""
    if name == "alternatives":
        return next((part for part in parts if part.strip()), "")
    if name == "tex-math":
        body = (_TEX_BODY.search(text) or [text, text])[1].strip()
        return _DOLLARS.sub(r"$\1$", body)
    if name in {"sup", "msup"} and parts:
        return _placed(parts if name == "msup" else ["", text], "^", _RAISED)
    if name in {"sub", "inf", "msub"} and parts:
        return _placed(parts if name == "msub" else ["", text], "_", _LOWERED)
    if name == "mfrac" and len(parts) == 2:
        return f"{parts[0]}/{parts[1]}"
    return text


def _placed(parts: list[str], sign: str, small: dict[int, int]) -> str:
    base, text = parts[0], "".join(parts[1:]).strip()
    if not text:
        return base
    return base + (text.translate(small) if all(ord(one) in small for one in text) else f"{sign}{{{unescape(text)}}}")
