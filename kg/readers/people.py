"""Names of people as records of named values hold them: one string of all, a list of strings, a list of parts."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from kg.readers.fields import direct
from kg.text.markup import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["names"]

_AUTHORS = frozenset({"author", "authors", "aut", "contributor", "presenter", "inventor", ""})
_ET_AL = re.compile(r"\s*(?:,\s*)?(?:et\.? al\.?|and others)\s*$", re.IGNORECASE)


def names(value: Any) -> tuple[str, ...]:
    """Return the names in reading order.

    >>> names("Lovelace, Ada; Turing, Alan"), names("A. Lovelace, B. Turing and C. Shannon")
    (('Ada Lovelace', 'Alan Turing'), ('A. Lovelace', 'B. Turing', 'C. Shannon'))
    >>> names([{"given": "Ada", "family": "Lovelace"}, {"author": {"display_name": "A. Turing"}}])
    ('Ada Lovelace', 'A. Turing')
    """
    found = _split(value) if isinstance(value, str) else list(map(_name, value)) if isinstance(value, list) else []
    return tuple(name for one in found if (name := _without_tex(" ".join(one.split()))))


def _split(text: str) -> list[str]:
    text = _ET_AL.sub("", html.unescape(text))
    if ";" in text:
        return list(map(direct, text.split(";")))
    first, comma, _ = text.partition(",")
    turned = comma and text.count(",") == len(re.findall(r"\band\b", text)) + 1
    if turned and (text.count(",") > 1 or " " not in first.strip()):
        return list(map(direct, re.split(r"\s+and\s+", text)))
    return re.split(r"\s*,\s*and\s+|\s+and\s+|\s+&\s+|\s*,\s*|\s*、\s*|\s*，\s*", text)


def _name(item: Any) -> str:
    if isinstance(item, str):
        return direct(item)
    if isinstance(item, list):
        return _of_parts({"last": item[0], "first": item[1]}) if len(item) > 1 else ""
    if not isinstance(item, dict) or str(item.get("creatorType") or "").lower() not in _AUTHORS:
        return ""
    inner = item.get("author")
    return _of_parts(inner if isinstance(inner, dict) else item)


def _of_parts(item: Mapping[str, Any]) -> str:
    for key in ("name", "fullname", "fullName", "literal", "display_name", "raw_author_name", "text"):
        if isinstance(item.get(key), str) and item[key].strip():
            return str(item[key])
    given = item.get("given") or item.get("firstName") or item.get("first") or item.get("first_name") or ""
    middle = item.get("middle") or ""
    family = item.get("family") or item.get("lastName") or item.get("last") or item.get("last_name") or ""
    particle = item.get("non-dropping-particle") or item.get("dropping-particle") or ""
    parts = [given, *(middle if isinstance(middle, list) else [middle]), particle, family, item.get("suffix") or ""]
    return " ".join(part for part in parts if isinstance(part, str) and part)


def _without_tex(name: str) -> str:
    return plain(name).text.strip() if "\\" in name else name
