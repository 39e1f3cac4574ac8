"""The values of BibTeX as text: its escapes, accents and protecting braces undone, all other TeX left as it is.

What is TeX in a title or an abstract (formulas, ``\\emph{…}``) is markup like that of any other format.
"""

from __future__ import annotations

import re

from kg.text.tex import ACCENTS, LETTER_ACCENTS, accented

__all__ = ["plain"]

_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
            "AA": "Å", "i": "ı", "j": "ȷ", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
            "textquotedblright": "”", "textendash": "–", "textemdash": "—"}  # fmt: skip
_NAMES = "|".join(sorted(_LETTERS, key=len, reverse=True))
_TOKEN = re.compile(
    r"\\(?P<letter>" + _NAMES + r")(?:\{\}|(?![A-Za-z])[^\S\n]*)"
    r"|\\(?:(?P<sign>[\"'`^~=.])\s*|(?P<accent>[cuvHrkdb])(?:\s+|(?=\{)))"
    r"(?:\{\s*(?P<braced>\\?[A-Za-z])\s*\}|(?P<dotless>\\[ij])(?![A-Za-z])[^\S\n]*|(?P<bare>[A-Za-z]))"
    r"|\\(?P<escaped>[%&#])"
    r"|\\(?P<command>[A-Za-z]+)|\\."
    r"|(?P<math>\$\$(?:[^$\\]|\\.)+\$\$|\$(?:[^$\\]|\\.)+\$)"
    r"|(?P<brace>[{}])"
    r"|[^\\{}$]+|.",
    re.DOTALL,
)
_SWITCH = re.compile(
    r"\\(?:em|bf|it|rm|sc|tt|sl|sf|bfseries|itshape|scshape|ttfamily|sffamily|small|large)(?![A-Za-z])"
)
_FOLDS = re.compile(r"[^\S\n]*\n[^\S\n]*(?!\s)")
_PARAGRAPHS = re.compile(r"\s*\n\s*\n\s*")


def plain(value: str) -> str:
    r"""Return a value without what BibTeX needs and TeX would not show.

    >>> plain(r"{Erd{\H o}s} meets {BERT}: 50\% \& $x_{1}$ in \emph{Z{\"u}rich}")
    'Erdős meets BERT: 50% & $x_{1}$ in \\emph{Zürich}'
    """
    if "\\" in value or "{" in value:
        value = "".join(_shown(value))
    folded = (_FOLDS.sub(" ", paragraph) for paragraph in _PARAGRAPHS.split(value.strip()))
    return "\n\n".join(folded)


def _shown(value: str) -> list[str]:
    shown: list[str] = []
    kept: list[bool] = []
    takes_argument = False
    for match in _TOKEN.finditer(value):
        found = match.group()
        if match["brace"] == "{":
            kept.append(takes_argument or bool(_SWITCH.match(value, match.end())))
            shown.append("{" if kept[-1] else "")
            takes_argument = False
        elif match["brace"] == "}":
            takes_argument = kept.pop() if kept else True
            shown.append("}" if takes_argument else "")
        else:
            shown.append(_character(match) or found)
            takes_argument = match["command"] is not None or (takes_argument and found[0] == "[") or found[-1] in "^_"
    return shown


def _character(match: re.Match[str]) -> str | None:
    """The character that a token stands for, or None where it stands for itself."""
    if match["letter"]:
        return _LETTERS[match["letter"]]
    if match["escaped"]:
        return match["escaped"]
    mark = ACCENTS[match["sign"]] if match["sign"] else LETTER_ACCENTS.get(match["accent"] or "")
    if mark is None:
        return None
    letter = (match["braced"] or match["dotless"] or match["bare"]).removeprefix("\\")
    one = accented(letter, mark)
    return one if len(one) == 1 else None
