"""What each node is a version of."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from kg.model import EntityType
from kg.names import Name, bare, normal, parse
from kg.resolution.known import known_thing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kg.catalogue import Catalogue, KnownThing
    from kg.model import PaperRecord

__all__ = ["Family", "family_of", "names_nothing", "without_cycles"]

Family = tuple[str, str]
"""The key and the display name of a family."""

_TYPES = frozenset({EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE})
_MAX_WORDS = 3
_OFTEN = 2
_SIZE = re.compile(r"\d+(?:\.\d+)?[bmkt]?", re.IGNORECASE)
_LOWER_WORD = re.compile(r"(?<![\w-])[a-z]{3,}(?![\w-])")
_WORD_END = re.compile(r"(?<=\w)(?=[\s\-_/]|$)")


def family_of(
    name: str, type_: EntityType, thing: KnownThing | None, catalogue: Catalogue, canonical: Callable[[str], str]
) -> Family | None:
    """Return the family of a thing: the catalogue's, else the longest known beginning of its name, else its parts.

    Tasks and metrics have no versions. `canonical` gives the form that stands for a form.
    """
    if thing is not None:
        return None if thing.family is None else _family(thing.family, type_, catalogue, canonical)
    if type_ not in _TYPES or "@" in name:
        return None
    text = bare(name)
    plain = text.rstrip("+")
    if plain != text and _named(parse(plain)):
        return _family(plain, type_, catalogue, canonical)
    parsed = parse(text)
    if not parsed.is_version or len(normal(parsed.family)) < 2:
        return None
    for end in sorted((found.end() for found in _WORD_END.finditer(text)), reverse=True):
        begins = text[:end]
        thing = known_thing(begins, type_, catalogue) if len(parsed.family) <= end < len(text) else None
        if thing is not None and thing.type == type_ and parse(f"X {text[end:]}").family == "X":
            return _family(begins, type_, catalogue, canonical)
    return _family(parsed.family, type_, catalogue, canonical) if _named(parsed) else None


def _named(parsed: Name) -> bool:
    """Whether what is left of a name without its details is a name itself, not words that describe.

    "stage 2" and "Visual Reasoning Network" are no versions of something that has a name.
    """
    words = parsed.family.split()
    if sum(map(str.isalpha, parsed.family)) < 2 or _SIZE.fullmatch(words[0]):
        return False
    if len(words) > _MAX_WORDS or "(" in parsed.family or parsed.family.islower():
        return False
    coined = any(char.isupper() or char.isdigit() for word in re.split(r"[\s\-]+", parsed.family) for char in word[1:])
    if parsed.variant and len(parsed.variant.split()) > _MAX_WORDS:
        return False
    return coined or (len(words) == 1 and bool(parsed.version or parsed.size or parsed.year))


def names_nothing(names: Mapping[str, Iterable[str]], records: Iterable[PaperRecord]) -> frozenset[str]:
    """Return the keys of families that are a number's chance beginning rather than a name.

    `names` are the display names of the versions of each family of which no paper speaks. Such a family names nothing
    where it has one version only and is two letters, or a word that papers use as one (``Text``, ``Book``).
    """
    single = {key: next(iter(versions)) for key, versions in names.items() if len(set(versions)) == 1}
    words: Counter[str] = Counter(dict.fromkeys((key for key in single if key.isalpha()), 0))
    for record in records if words else ():
        for found in {word for _, text in record.paper.fields() for word in _LOWER_WORD.findall(text)} & words.keys():
            words[found] += 1
    return frozenset(key for key in single if len(key) < 3 or words[key] >= _OFTEN)


def without_cycles(families: dict[str, str]) -> dict[str, str]:
    """Return the links from node to family without those that lead back to where they start.

    >>> without_cycles({"a": "b", "b": "a", "c": "a"})
    {'c': 'a'}
    """
    kept = {}
    for start, above in families.items():
        seen, key = {start}, above
        while key in families and key not in seen:
            seen.add(key)
            key = families[key]
        if key != start:
            kept[start] = above
    return kept


def _family(name: str, type_: EntityType, catalogue: Catalogue, canonical: Callable[[str], str]) -> Family:
    thing = known_thing(name, type_, catalogue)
    return (thing.key, thing.name) if thing is not None else (canonical(normal(name)), name)
