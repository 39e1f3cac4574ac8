"""PaperRecords as lines of JSON, one a paper: the form of annotations.jsonl."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kg.errors import AnnotationsError
from kg.model import Entity, EntityType, Mention, Paper, PaperRecord, Role, RoleClaim
from kg.readers.decoding import clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["dumps", "loads", "read_records"]


def dumps(record: PaperRecord) -> str:
    """Return the record as one line of JSON, without its end. `sources` are left out: they belong to a run.

    >>> print(dumps(PaperRecord(Paper(key="text:1", id="1", title="On X"))))
    {"id": "1", "key": "text:1", "title": "On X", "abstract": "", "mentions": [], "entities": [], "roles": []}
    """
    paper = record.paper
    values: dict[str, Any] = {"id": paper.id, "key": paper.key, "title": paper.title, "abstract": paper.abstract}
    known = {
        "body": list(paper.body),
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "url": paper.url,
        "identifiers": dict(paper.identifiers),
    }
    values |= {name: value for name, value in known.items() if value}
    values["mentions"] = [
        {
            "field": m.field,
            "start": m.start,
            "end": m.end,
            "type": m.type.value,
            "entity": m.entity,
            "confidence": m.confidence,
        }
        for m in record.mentions
    ]
    values["entities"] = [
        {"id": e.id, "type": e.type.value, "name": e.name, "aliases": list(e.aliases)}
        | ({"catalogue": e.catalogue} if e.catalogue else {})
        for e in record.entities
    ]
    values["roles"] = [
        {"role": r.role.value, "entity": r.entity, "confidence": r.confidence, "evidence": list(r.evidence)}
        for r in record.roles
    ]
    return json.dumps(values, ensure_ascii=False)


def loads(line: str) -> PaperRecord:
    """Return the record of one line.

    Raises:
        ValueError: the line is not a PaperRecord; the message says why.
    """
    try:
        record = _record(json.loads(line))
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON, as each line of annotations.jsonl is: {error.msg} at character {error.pos + 1}"
        ) from None
    except KeyError as error:
        raise ValueError(f"lacks {error}") from None
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not of the form of annotations.jsonl: {error}") from None
    _check(record)
    return record


def _record(values: dict[str, Any]) -> PaperRecord:
    paper = Paper(
        key=_string(values["key"]),
        id=_string(values["id"]),
        title=_string(values["title"]),
        abstract=_string(values["abstract"]),
        body=tuple(map(_string, values.get("body", ()))),
        authors=tuple(map(_string, values.get("authors", ()))),
        venue=_optional_string(values.get("venue")),
        year=_optional_int(values.get("year")),
        url=_optional_string(values.get("url")),
        identifiers=tuple(sorted((k, _string(v)) for k, v in values.get("identifiers", {}).items())),
    )
    return PaperRecord(
        paper=paper,
        mentions=tuple(
            Mention(
                _string(m["field"]),
                int(m["start"]),
                int(m["end"]),
                EntityType(m["type"]),
                _string(m["entity"]),
                float(m["confidence"]),
            )
            for m in values["mentions"]
        ),
        entities=tuple(
            Entity(
                _string(e["id"]),
                EntityType(e["type"]),
                _string(e["name"]),
                tuple(map(_string, e.get("aliases", ()))),
                _optional_string(e.get("catalogue")),
            )
            for e in values["entities"]
        ),
        roles=tuple(
            RoleClaim(Role(r["role"]), _string(r["entity"]), float(r["confidence"]), tuple(map(int, r["evidence"])))
            for r in values["roles"]
        ),
    )


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    if value != clean(value):
        raise ValueError(f"{value!r} holds control characters or halves of surrogate pairs")
    return value


def _optional_string(value: Any) -> str | None:
    return None if value is None else _string(value)


def _optional_int(value: Any) -> int | None:
    return None if value is None else int(value)


def _check(record: PaperRecord) -> None:
    fields = dict(record.paper.fields())
    ids = {entity.id for entity in record.entities}
    if not record.paper.key:
        raise ValueError("the key is empty")
    if len(ids) != len(record.entities):
        raise ValueError("two entities have one id")
    for number, mention in enumerate(record.mentions):
        if not 0 <= mention.start < mention.end <= len(fields.get(mention.field, "")):
            raise ValueError(f"mention {number} lies outside the field {mention.field!r}")
    named_things: tuple[Mention | RoleClaim, ...] = (*record.mentions, *record.roles)
    for named in named_things:
        if named.entity not in ids:
            raise ValueError(f"no entity has the id {named.entity!r}")
        if not 0 <= named.confidence <= 1:
            raise ValueError(f"a confidence of {named.confidence} is not between 0 and 1")
    for claim in record.roles:
        if not all(0 <= index < len(record.mentions) for index in claim.evidence):
            raise ValueError(f"evidence of the role {claim.role.value} points at no mention")


def read_records(path: Path) -> Iterator[PaperRecord]:
    """Yield the records of an annotations file.

    Raises:
        AnnotationsError: the file cannot be read, or a line is not a PaperRecord.
    """
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    try:
                        yield loads(line)
                    except ValueError as error:
                        raise AnnotationsError(f"{path.as_posix()}: line {number}: {error}") from None
    except OSError as error:
        raise AnnotationsError(f"{path.as_posix()}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise AnnotationsError(f"{path.as_posix()}: not a text file in UTF-8") from None
