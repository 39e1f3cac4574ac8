"""The normal form of a name: equal for the spellings of one name, apart for names that differ.

The form keeps letters, digits and the few symbols that tell names apart (``C++``, ``A*``, ``C#``, ``B&C``,
``pass@1``). It drops case, markup, marks on Latin letters, and separators between letters; a separator
between digits stays as a hyphen, so that ``GPT-4-32k`` and ``GPT-432k`` differ. It holds no white space and
nothing that markup is made of.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

__all__ = ["bare", "normal"]

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_TEX_STYLE = re.compile(r"\\(?:text|math|em|bf|it|sc|tt|rm|sf)[a-z]*(?![A-Za-z])\s*")
_TEX_COMMAND = re.compile(r"\\([A-Za-z]+)")
_TEX_PUNCTUATION = re.compile(r"\\([^A-Za-z])")
_TEX_SCRIPT = re.compile(r"(?<=\w)[_^]\{?(?=[\w.]+)")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?!\*)")
_TRADEMARK = re.compile(r"[™®©℠]|\((?:TM|R|tm|r)\)|(?<=[a-z])TM\b")
_AND = re.compile(r"(?<=\s)&(?=\s)")
_LONE_GREEK = re.compile(f"(?<![\u0370-\u03ff])[{''.join(_GREEK)}](?![\u0370-\u03ff])")
_SHORT_PLURAL = re.compile(r"(?<=[^\W\d_a-z])s\s*$")
_LONE_S = re.compile(r"(?<=[^\W_])[\s_\-‐‑–]+s$")
_DECIMAL_ZERO = re.compile(r"(?:\.0+)+$")
_TOKEN = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|[+#*@&]|\S|\s+")
_SYMBOLS = frozenset("+#*@&")
_LONG_ENOUGH = 7


@lru_cache(maxsize=65536)
def bare(name: str) -> str:
    r"""Return a name without markup and trademark signs, its case and separators kept.

    >>> bare(r"$\pi_{0.5}$"), bare("**Flash**Attention"), bare("AMD Instinct™ MI300X")
    ('π0.5', 'FlashAttention', 'AMD Instinct MI300X')
    """
    text = _TRADEMARK.sub("", name)
    text = _ENTITY.sub(lambda found: html.unescape(found.group()), text)
    text = unicodedata.normalize("NFKC", text)
    text = _TAG.sub("", text)
    if "\\" in text:
        text = _TEX_STYLE.sub("", text)
        text = _TEX_COMMAND.sub(_tex_letter, text)
        text = _TEX_PUNCTUATION.sub(r"\1", text)
    if "$" in name or "{" in name:
        text = _TEX_SCRIPT.sub("", text)
        text = re.sub(r"[${}]", "", text)
    text = text.replace("~", " ")
    text = _EMPHASIS.sub(r"\2", text)
    return " ".join(text.split())


@lru_cache(maxsize=131072)
def normal(name: str) -> str:
    r"""Return the normal form of a name: a fixed point of this function, empty only for a blank name.

    A plural ``s`` goes where it is one beyond doubt: after an upper-case letter (``GPUs``) and at the end
    of seven letters or more (``graph attention networks``); ``CAMS`` is not ``CAMs``, and ``MixFormerV2-S`` is
    not ``MixFormerV2``.

    >>> normal("FlashAttention-3") == normal("Flash Attention 3") == "flashattention3"
    True
    >>> normal("GPT-4-32k"), normal("C++"), normal("A*"), normal("π0"), normal(r"$\pi_0$"), normal("AlpacaEval 2.0")
    ('gpt4-32k', 'c++', 'a*', 'pi0', 'pi0', 'alpacaeval2')
    """
    form = _once(name)
    while (again := _once(form)) != form:
        form = again
    return form


def _once(name: str) -> str:
    text = _SHORT_PLURAL.sub("", bare(name))
    text = _AND.sub("and", text)
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKC", "".join(_plain_letters(text)))
    text = _LONE_GREEK.sub(lambda found: _GREEK[found.group()], text)
    form = "".join(_joined(text))
    singular = _singular(form)
    # A letter that stands alone is a size, never a plural: A2Mamba-S is not A2Mamba.
    apart = singular != form and _LONE_S.search(text) is not None
    return (f"{form[:-1]}-s" if apart else singular) or _spelled_out(name)


def _joined(text: str) -> list[str]:
    kept: list[str] = []
    attached = False
    for piece in _TOKEN.findall(text):
        if piece[0].isdecimal():
            number = _DECIMAL_ZERO.sub("", _ascii_digits(piece))
            kept.append(f"-{number}" if kept and kept[-1][-1].isdecimal() else number)
            attached = True
        elif piece[0].isalnum() or unicodedata.category(piece[0]).startswith("M"):
            kept.append(piece)
            attached = True
        elif piece in _SYMBOLS and attached:
            kept.append(piece)
        elif piece != "/":
            attached = False
    while kept and kept[-1] in {"@", "&"}:
        kept.pop()
    return kept


def _plain_letters(text: str) -> list[str]:
    """Drop the marks of Latin letters; marks of other scripts carry meaning."""
    plain: list[str] = []
    latin = False
    for char in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(char):
            if not latin:
                plain.append(char)
            continue
        latin = char < "\u0250"
        plain.append(char)
    return plain


def _singular(form: str) -> str:
    letters = sum(char.isalpha() for char in form)
    if letters < _LONG_ENOUGH or not form.endswith("s") or form.endswith(("ss", "us", "is")) or form[-2].isdecimal():
        return form
    if form.endswith("ies"):
        return form[:-3] + "y"
    if form.endswith(("sses", "xes", "shes")) or (form.endswith("ches") and not form.endswith("caches")):
        return form[:-2]
    return form[:-1]


def _tex_letter(command: re.Match[str]) -> str:
    name = command.group(1)
    for letter, spelled in _GREEK.items():
        if spelled == name.lower():
            return letter
    return name


def _ascii_digits(number: str) -> str:
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in number)


def _spelled_out(name: str) -> str:
    """Name the characters of a name that has neither letter nor digit, such as an emoji."""
    return "".join(f"u{ord(char):x}" for char in name.strip() if not char.isspace())
