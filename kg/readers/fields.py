"""Values that many formats spell alike: identifiers, years, names of people, addresses, titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.readers.identity import identifier, identifiers_in

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["address", "direct", "first_year", "full_names", "known", "spelled", "without_added_stop"]

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_RESOLVERS = re.compile(r"^https?://(?:dx\.)?doi\.[\w.]+/(?=10\.)")
_SUFFIX = re.compile(r"(?:jr|sr|[ivx]{2,4})\.?", re.IGNORECASE)


def known(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return those (scheme, value) that are identifiers, in normal form, one a scheme: the first.

    >>> known(("doi", "https://doi.org/10.1/x"), ("doi", "10.1234/B"), ("arxiv", ""))
    (('doi', '10.1234/b'),)
    """
    found: dict[str, str] = {}
    for scheme, value in pairs:
        pair = identifier(scheme, value)
        if pair is not None:
            found.setdefault(*pair)
    return tuple(sorted(found.items()))


def spelled(*texts: str) -> list[tuple[str, str]]:
    """Return the identifiers that addresses and prefixed strings spell out, for `known`.

    >>> spelled("https://arxiv.org/abs/2407.08608v1", "see below", "http://doi.acm.org/10.1145/1.2")
    [('arxiv', '2407.08608'), ('doi', '10.1145/1.2')]
    """
    return [pair for text in texts for pair in identifiers_in(_RESOLVERS.sub("https://doi.org/", text.strip()))]


def first_year(*texts: str) -> int | None:
    """Return the first year that stands in one of the texts, the first text first.

    >>> first_year("", "1948/07//"), first_year("in press")
    (1948, None)
    """
    match = next(filter(None, map(_YEAR.search, texts)), None)
    return int(match.group()) if match else None


def address(*texts: str) -> str | None:
    """Return the first text that is a web address.

    >>> address("db/journals/x.html", " https://a.org/b ")
    'https://a.org/b'
    """
    stripped = (text.strip() for text in texts)
    return next((text for text in stripped if re.match(r"https?://[^\s]+\Z", text)), None)


def direct(name: str) -> str:
    """Return the name of a person in reading order.

    >>> direct("Lovelace, Ada"), direct("King, Jr., Martin Luther"), direct("The Fermi-LAT Collaboration")
    ('Ada Lovelace', 'Martin Luther King Jr.', 'The Fermi-LAT Collaboration')
    """
    parts = [part for part in (" ".join(one.split()) for one in name.split(",")) if part]
    if len(parts) == 2 and _SUFFIX.fullmatch(parts[1]):
        return " ".join(parts)
    if len(parts) == 2:
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3:
        last, *others = parts
        suffix, given = others if _SUFFIX.fullmatch(others[0]) else reversed(others)
        return f"{given} {last} {suffix}" if _SUFFIX.fullmatch(suffix) else ", ".join(parts)
    return ", ".join(parts)


def full_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are not empty, each in reading order."""
    return tuple(name for name in map(direct, names) if name)


def without_added_stop(title: str) -> str:
    """Return a title without the full stop that its format puts behind every title.

    >>> without_added_stop("On X."), without_added_stop("On X ..."), without_added_stop("On X?")
    ('On X', 'On X ...', 'On X?')
    """
    return title[:-1].rstrip() if title.endswith(".") and not title.endswith("..") else title
