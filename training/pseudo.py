"""Let a trained model label papers that nobody has annotated, for a next one to learn from.

    python training/pseudo.py MODEL_DIR PAPERS... --count 16000 --hardware 1000 --without GOLD.jsonl --out PSEUDO.jsonl

The whole pipeline labels them, rules included, so that the next model learns what rules know too. What it is unsure
of teaches nothing: such an entity is `optional`, such a role `alt`, which training leaves out. This is self-training
as in Xie et al., "Self-training with Noisy Student improves ImageNet classification" (2020).

PAPERS is anything that `kg build` reads. Papers whose title or abstract is that of a paper of a GOLD file are left
out. Few papers name hardware, so those that seem to are taken first. Which papers are taken, and in what order,
depends on their texts alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import re
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from data import papers
from publish import digest

from kg.linking.pipeline import make_pipeline, records_of
from kg.linking.tagger import Tagger
from kg.linking.tagger.labels import ROLES
from kg.readers import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.language import Language

    from kg.linking.learned import LearnedFinder
    from kg.model import Paper, PaperRecord

COST = 0.5
"""Nats that a name costs here: less than is best, so that names which are nearly found are seen, and left out."""
SURE = 0.65
"""Confidence from which a name or a role is taught."""
DOUBTED = 0.3
"""Confidence up to which a role is taught not to hold."""
BATCH = 64
HARDWARE = re.compile(
    r"\b(?:RTX|Jetson|NVIDIA|TPU|FPGA|Ascend|Snapdragon|Raspberry Pi|Xeon|Gaudi|[AHV]100|MI300)\w*"
    r"|\b(?:[A-Z]*\d{2,4}[A-Z]*|AMD|Intel|Apple M\d)\b[^.]{0,40}\b(?:GPU|CPU|NPU|chip|board|accelerator|processor)s?\b"
)
"""What texts that name hardware have."""


def labels(record: PaperRecord) -> dict[str, Any]:
    """Return a record as a paper of a gold file."""
    paper = record.paper
    texts = dict(paper.fields())
    surest: dict[str, float] = {}
    mentions: dict[str, dict[str, None]] = {}
    for mention in record.mentions:
        surest[mention.entity] = max(surest.get(mention.entity, 0.0), mention.confidence)
        mentions.setdefault(mention.entity, {})[texts[mention.field][mention.start : mention.end]] = None
    told: dict[str, list[tuple[str, float]]] = {}
    for claim in record.roles:
        # Confidences of roles include that of the name; what a role teaches is given that there is such a thing.
        told.setdefault(claim.entity, []).append((claim.role.value, claim.confidence / surest[claim.entity]))
    entities = []
    for entity in record.entities:
        mine = told.get(entity.id, [])
        values: dict[str, Any] = {"type": entity.type.value, "name": entity.name, "mentions": list(mentions[entity.id])}
        values["roles"] = [role for role, likely in mine if likely >= SURE]
        if doubtful := [role for role, likely in mine if DOUBTED <= likely < SURE]:
            values["alt"] = doubtful
        if surest[entity.id] < SURE:
            values["optional"] = True
        entities.append(values)
    key = digest(paper.title, paper.abstract)
    return {"id": f"pseudo-{key}", "title": paper.title or "", "abstract": paper.abstract or "", "entities": entities}


@cache
def pipeline(model: Path) -> Language:
    """Return the accurate pipeline with another model, which tells more names and all roles; made once a process."""
    nlp = make_pipeline(name="accurate")
    tagger = Tagger.load(model)
    tagger.settings = replace(tagger.settings, name_cost=COST, role_thresholds=dict.fromkeys(ROLES, 0.05))
    cast("LearnedFinder", nlp.get_pipe("kg_tagger")).tagger = tagger
    return nlp


def label(some: list[Paper], model: Path) -> list[dict[str, Any]]:
    """Label some papers."""
    return [labels(record) for record in records_of(some, pipeline(model))]


def plain(text: str | None) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(c for c in (text or "").casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many papers to take, how many to pass over before, and how many of all these shall name hardware."""

    count: int
    skip: int
    hardware: int


def chosen(known: Iterable[Paper], wanted: Wanted, without: Iterable[dict[str, Any]]) -> list[Paper]:
    """Return papers with a title and an abstract, none of them known, in the order of a hash of their texts.

    Those that seem to name hardware stand among the others as by chance.
    """
    seen = {plain(paper.get(name)) for paper in without for name in ("title", "abstract")} | {""}
    found: dict[bytes, Paper] = {}
    for paper in known:
        title, abstract = plain(paper.title), plain(paper.abstract)
        if title not in seen and abstract not in seen:
            found[hashlib.sha256(f"{title} {abstract}".encode()).digest()] = paper
    order = sorted(found)
    first = list(islice((key for key in order if HARDWARE.search(found[key].abstract or "")), wanted.hardware))
    taken = list(islice(dict.fromkeys([*first, *order]), wanted.skip, wanted.skip + wanted.count))
    return [found[key] for key in sorted(taken, key=lambda key: hashlib.sha256(key).digest())]


def main() -> None:
    """Read the options, label and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("papers", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=16000)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many that an earlier model labelled")
    parser.add_argument("--hardware", type=int, default=1000, help="how many of them shall name hardware")
    parser.add_argument("--without", type=Path, action="append", default=[], help="gold file whose papers to leave out")
    parser.add_argument("--jobs", type=int, default=1)
    a = parser.parse_args()
    without = [p for path in a.without for p in papers(path)]
    some = chosen(read(a.papers).papers, Wanted(a.count, a.skip, a.hardware), without)
    print(f"{len(some)} papers", flush=True)
    batches = [some[i : i + BATCH] for i in range(0, len(some), BATCH)]
    with (
        multiprocessing.get_context("spawn").Pool(a.jobs) as pool,
        a.out.open("w", encoding="utf-8", newline="\n") as out,
    ):
        for lines in pool.imap(partial(label, model=a.model), batches):
            out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


if __name__ == "__main__":
    main()
