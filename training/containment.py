"""Fit the weights of `kg/linking/containment.py`: how likely a name within a longer one names the same thing.

    python training/containment.py GOLD.jsonl [--without IDS.json] [--out FILE]

Names are taken from the annotations, so nothing here needs the tagger. Prints, for each type, how many pairs there are,
how many of them are one thing, and how many are judged rightly by weights that were fitted to other papers.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from data import papers
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from kg.evaluate_given import given_names
from kg.linking.apart import are_versions
from kg.linking.containment import Contained, contained
from kg.linking.coreference import find_coreferent, spellings
from kg.linking.draft import draft_of, make_doc
from kg.linking.given import give
from kg.linking.pipeline import PIPELINES, make_pipeline
from kg.model import EntityType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.language import Language

OUT = Path(__file__).parents[1] / "kg" / "linking" / "containment.json"
FINDERS = PIPELINES["accurate"][: PIPELINES["accurate"].index("kg_tagger")]
OPTIONAL = 0.1
"""What a pair counts of which a name is optional: whether it is joined is no fault either way, but tells a little."""
FEW = 500
"""Types of fewer pairs learn from those of methods, too, each of their own counting for several."""
SEVERAL = 5.0


class Judged(NamedTuple):
    """A pair of names, the paper that it stands in, whether it is one thing, and what that counts."""

    paper: str
    pair: Contained
    same: bool
    weight: float


def pairs(paper: dict[str, Any], nlp: Language) -> Iterator[Judged]:
    """Yield the pairs of names of a paper of which one stands in the other, versions left out, and how they count."""
    record = given_names(paper)
    doc = make_doc(record.paper, nlp)
    for name in FINDERS:
        doc = nlp.get_pipe(name)(doc)
    draft = draft_of(doc)
    give(draft, record)
    find_coreferent(doc)
    optional = {f"e{number}" for number, one in enumerate(paper["entities"], start=1) if one.get("optional")}
    owners: dict[str, set[str]] = {}
    for mention in record.mentions:
        surface = dict(record.paper.fields())[mention.field][mention.start : mention.end]
        owners.setdefault(surface, set()).add(mention.entity)
    for pair in contained(draft, spellings(draft)):
        one, other = owners.get(pair.short, set()), owners.get(pair.long, set())
        if one and other and not are_versions(pair.short, pair.long, pair.type):
            yield Judged(paper["id"], pair, not one.isdisjoint(other), OPTIONAL if (one | other) & optional else 1.0)


def of_type(judged: list[Judged], kind: EntityType) -> list[Judged]:
    """Return the pairs to learn a type from."""
    mine = [one for one in judged if one.pair.type is kind]
    if len(mine) >= FEW:
        return mine
    others = [one for one in judged if one.pair.type is EntityType.METHOD is not kind]
    return [one._replace(weight=SEVERAL * one.weight) for one in mine] + others


def fit(judged: list[Judged], kind: EntityType) -> tuple[dict[str, float], float]:
    """Return the weights that fit the pairs, and the share of a type that weights fitted to other papers get right."""
    vectors = DictVectorizer(sparse=False)
    values = vectors.fit_transform([dict(one.pair.features) for one in judged])
    scale = values.std(axis=0)
    scale[scale == 0] = 1
    same, weight = np.array([one.same for one in judged]), np.array([one.weight for one in judged])
    mine, papers_of = np.array([one.pair.type is kind for one in judged]), [one.paper for one in judged]
    model = LogisticRegression(C=0.3, max_iter=5000)
    told = cross_val_predict(
        model, values / scale, same, cv=GroupKFold(5), groups=papers_of, params={"sample_weight": weight}
    )
    model.fit(values / scale, same, sample_weight=weight)
    weights = dict(zip(vectors.get_feature_names_out(), model.coef_[0] / scale, strict=True))
    rounded = {name: round(float(weight), 3) for name, weight in sorted(weights.items())}
    right = float(weight[mine & (told == same)].sum() / weight[mine].sum()) if mine.any() else math.nan
    return {"bias": round(float(model.intercept_[0]), 3), **rounded}, right


def main() -> None:
    """Read the options, fit, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--without", type=Path, help="a JSON list of the ids of papers to leave out")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    left_out = set(json.loads(options.without.read_text(encoding="utf-8"))) if options.without else set()
    nlp = make_pipeline(name="rules")
    judged = [one for paper in papers(options.gold) if paper["id"] not in left_out for one in pairs(paper, nlp)]
    weights = {}
    for kind in EntityType:
        weights[kind.value], right = fit(of_type(judged, kind), kind)
        mine = [one.same for one in judged if one.pair.type is kind]
        print(f"{kind.value:9} {len(mine):5} pairs, {sum(mine):5} of them one thing, {right:.3f} judged rightly")
    text = json.dumps(weights, indent=1, sort_keys=True)
    options.out.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
