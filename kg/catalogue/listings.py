"""Public listings of known things, as they are published: rows of JSON, JSON Lines or CSV, gzipped or not.

What is understood: Papers with Code's dumps (datasets, methods, evaluation tables) and MLSO's records of them, Epoch
AI's table of machine-learning hardware, and what the Hugging Face hub lists of datasets and models. A row is told by
its own keys, so files of other origin work where they use these.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from kg.catalogue.model import KnownThing
from kg.errors import CatalogueError
from kg.model import EntityType
from kg.names import normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Row", "rows", "thing_of"]

_MAX_LENGTH = 200
_KINDS = {type_.value.casefold(): type_ for type_ in EntityType} | {"model": EntityType.METHOD}
_NAME = ("name", "hardware_name", "task", "id", "modelid", "dataset", "title")
_LONG_FORMS = ("full_name", "long_name", "long_form")
_ALIASES = (*_LONG_FORMS, "aliases", "variants", "synonyms")
_PAPERS = ("introduced_by", "source_paper", "arxiv", "arxiv_id", "source_url", "paper_url", "paper", "doi")
_PLACES = ("homepage", "link", "link_to_datasheet", "see_also", "url")
_ARXIV = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf|html)/|\barxiv:)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})|^(\d{4}\.\d{4,5})(?:v\d+)?$",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:doi\.org/|\bdoi:)(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_WEB = re.compile(r"https?://[^\s<>\"{}|\\^`]+")
_GONE = re.compile(r"https?://(?:www\.)?paperswithcode\.com/")
_QID = re.compile(r"Q[1-9]\d*")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a listing: its number from 1, and its values by keys in lower case with underscores."""

    number: int
    values: Mapping[str, Any]


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a listing.

    Raises:
        CatalogueError: the file cannot be read, or is neither JSON nor a table with a heading.
    """
    text = _text(path)
    start = text.lstrip()[:1]
    if start == "[":
        found = _json(path, text)
    elif start == "{":
        found = _json_lines(path, text)
    else:
        found = list(csv.DictReader(StringIO(text, newline="")))
    if not found or not all(isinstance(one, dict) for one in found):
        raise CatalogueError(f"{path.as_posix()}: holds no rows: neither objects in JSON nor a table with a heading")
    for number, one in enumerate(found, start=1):
        yield Row(number, {_key(key): value for key, value in one.items() if key is not None})


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CatalogueError(f"{path.as_posix()}: cannot be read: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise CatalogueError(f"{path.as_posix()}: is damaged: {error}") from error
    except UnicodeDecodeError as error:
        raise CatalogueError(f"{path.as_posix()}: is not UTF-8 text") from error


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CatalogueError(f"{path.as_posix()}: is not JSON: {error}") from error


def _json_lines(path: Path, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise CatalogueError(f"{path.as_posix()}: line {number} is not JSON: {error}") from error
    return found


def _key(key: object) -> str:
    return re.sub(r"[\s-]+", "_", str(key).strip().casefold())


def thing_of(row: Row, type_: EntityType | None = None) -> KnownThing:
    """Return the thing that a row tells of; `type_` says what it is where the row does not have to.

    The papers among the tags of the Hugging Face hub are those that a model's card speaks of (the one on its training
    data, the one by which its emissions are counted): they are not taken for the one that introduced it.

    Raises:
        ValueError: the row has no name that can be one, or does not say what it is; the message says which.
    """
    values = row.values
    hub = _hub(values)
    named = next((text for key in _NAME for text in _texts(values.get(key))), "")
    name = _one_line(named.rpartition("/")[2] if hub else named)
    if not _is_name(name):
        raise ValueError(f"{named[:60]!r} is no name" if named else "has no name")
    told = type_ or _type(values, hub)
    if told is None:
        raise ValueError(f"{name!r}: does not say whether it is a method, dataset, hardware, task or metric")
    aliases = [_one_line(text) for key in _ALIASES for text in _texts(values.get(key))]
    aliases = [alias for alias in dict.fromkeys(aliases) if _is_name(alias) and alias != name]
    long_forms = {_one_line(text) for key in _LONG_FORMS for text in _texts(values.get(key))}
    return KnownThing(
        key=normal(name),
        type=told,
        name=name,
        aliases=tuple(aliases),
        introduced_by=_paper(values),
        homepage=_homepage(values, hub, named),
        wikidata=next((text for text in _texts(values.get("wikidata")) if _QID.fullmatch(text)), None),
        long_form=next((alias for alias in aliases if alias in long_forms), None),
    )


def _hub(values: Mapping[str, Any]) -> EntityType | None:
    """Return what a row of the Hugging Face hub lists, None for a row of another origin."""
    if not isinstance(values.get("id", values.get("modelid")), str) or "name" in values:
        return None
    tags = [tag for tag in _texts(values.get("tags")) if isinstance(tag, str)]
    if any(tag.startswith(("task_categories:", "size_categories:", "task_ids:")) for tag in tags):
        return EntityType.DATASET
    if {"modelid", "pipeline_tag", "library_name"} & set(values):
        return EntityType.METHOD
    return EntityType.DATASET if tags or "downloads" in values else None


def _type(values: Mapping[str, Any], hub: EntityType | None) -> EntityType | None:
    for key in ("kind", "entity_type"):
        for text in _texts(values.get(key)):
            if text.casefold().removesuffix("s") in _KINDS:
                return _KINDS[text.casefold().removesuffix("s")]
    if hub is not None:
        return hub
    if {"manufacturer", "hardware_name", "tdp_w", "tdp_(w)"} & set(values):
        return EntityType.HARDWARE
    if "task" in values:
        return EntityType.TASK
    if "collections" in values or "introduced_year" in values:
        return EntityType.METHOD
    return EntityType.DATASET if {"modalities", "num_papers", "data_loaders"} & set(values) else None


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a value: itself, those of a list, or the address of a nested record."""
    if isinstance(value, str):
        yield from (part.strip() for part in value.split("\n") if part.strip())
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key in ("url", "name"):
            yield from _texts(value.get(key))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_name(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return 0 < len(text) <= _MAX_LENGTH and text.isprintable() and letters > 0 and len(normal(text)) > 1


def _paper(values: Mapping[str, Any]) -> str | None:
    texts = [text for key in _PAPERS for text in _texts(values.get(key))]
    for text in texts:
        found = _ARXIV.search(text)
        if found:
            return f"arxiv:{found[1] or found[2]}"
    return next((f"doi:{found[1]}" for text in texts for found in (_DOI.search(text),) if found), None)


def _homepage(values: Mapping[str, Any], hub: EntityType | None, identifier: str) -> str | None:
    if hub is not None and re.fullmatch(r"[\w.-]+(?:/[\w.-]+)?", identifier):
        return f"https://huggingface.co/{'datasets/' if hub == EntityType.DATASET else ''}{identifier}"
    texts = (text for key in _PLACES for text in _texts(values.get(key)))
    return next((text for text in texts if _WEB.fullmatch(text) and not _GONE.match(text)), None)
