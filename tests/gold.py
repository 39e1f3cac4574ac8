"""Gold annotations as PaperRecords: what resolution makes of mentions that are all right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kg.model import Entity, EntityType, Mention, Paper, PaperRecord, Role, RoleClaim

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.catalogue import Catalogue

__all__ = ["gold_records"]


def gold_records(path: Path, catalogue: Catalogue) -> Iterator[PaperRecord]:
    """Yield a record for each paper of a gold file; its entities are linked where their names leave no doubt."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield _record(json.loads(line), catalogue)


def _record(gold: dict, catalogue: Catalogue) -> PaperRecord:  # type: ignore[type-arg]
    paper = Paper(key=gold["id"], id=gold["id"], title=gold.get("title") or "", abstract=gold.get("abstract") or "")
    entities: list[Entity] = []
    mentions: list[Mention] = []
    roles: list[RoleClaim] = []
    for number, one in enumerate(gold["entities"]):
        type_ = EntityType(one["type"])
        names = dict.fromkeys((one["name"], *one["mentions"]))
        known = {thing.key for name in names for thing in catalogue.find(name) if thing.type == type_}
        id_ = f"e{number}"
        entities.append(Entity(id_, type_, one["name"], tuple(names)[1:], known.pop() if len(known) == 1 else None))
        places = []
        for field, text in paper.fields():
            for name in names:
                start = text.find(name)
                if start >= 0:
                    places.append(len(mentions))
                    mentions.append(Mention(field, start, start + len(name), type_, id_, 1.0))
        roles += [RoleClaim(Role(role), id_, 1.0, tuple(places)) for role in one["roles"]]
    return PaperRecord(paper, tuple(mentions), tuple(entities), tuple(roles))
