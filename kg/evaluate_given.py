"""How well roles are told, apart from how well names are found: given the names of the gold, the roles are scored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kg.evaluate import Scores, gold_mentions, gold_papers, score
from kg.linking import DEFAULT
from kg.linking.given import tell_roles_of
from kg.model import Entity, EntityType, Mention, Paper, PaperRecord
from kg.records import dumps

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["evaluate_given", "given_names"]

Json = dict[str, Any]


def evaluate_given(gold: Path, *, pipeline: str = DEFAULT) -> Scores:
    """Score the roles that a pipeline tells of the names that a file of gold papers gives, in the texts that it holds.

    An entity that neither title nor abstract mentions cannot be given, and counts as missed.

    Raises:
        InputError: the file cannot be read, or a line is not a gold paper.
        UsageError: no pipeline has that name.
    """
    papers = gold_papers(gold)
    told = tell_roles_of(map(given_names, papers), pipeline=pipeline)
    return score(papers, [json.loads(dumps(record)) for record in told])


def given_names(paper: Json) -> PaperRecord:
    """Return the record of a gold paper's names, without roles: as of a pipeline that finds these and no others.

    What is optional is named as well; its roles count neither way.
    """
    source = Paper(
        key=paper["id"], id=paper["id"], title=paper.get("title") or "", abstract=paper.get("abstract") or ""
    )
    ids = {id(entity): f"e{number}" for number, entity in enumerate(paper["entities"], start=1)}
    entities = [
        Entity(ids[id(one)], EntityType(one["type"]), one["name"], tuple(one["mentions"])) for one in paper["entities"]
    ]
    mentions = [
        Mention(name, start, end, EntityType(one["type"]), ids[id(one)], 1.0)
        for name, start, end, one in gold_mentions(paper)
    ]
    mentions.sort(key=lambda one: (one.field != "title", one.start, one.end))
    return PaperRecord(source, tuple(mentions), tuple(entities))
