"""Count how often each cue of roles is right where the names are given.

    python training/cues.py GOLD.jsonl

Prints for each cue what its table says, then the share of things that play its role among those whose most telling cue
it is, and how many these are.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import spacy
from data import papers

from kg.evaluate_given import given_names
from kg.linking.contexts import contexts
from kg.linking.cues import CUES, votes
from kg.linking.draft import draft_of, make_doc
from kg.linking.given import give

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.language import Language

    from kg.model import Role

Told = tuple["Role", float, bool]


def told(paper: dict[str, Any], nlp: Language) -> Iterator[Told]:
    """Yield what the most telling cue says of each thing that counts: the role, how surely, and whether it is right."""
    record = given_names(paper)
    doc = make_doc(record.paper, nlp)
    draft = draft_of(doc)
    given = give(draft, record)
    around = dict(zip(draft.found, contexts(draft, draft.found), strict=True))
    gold = {f"e{number}": entity for number, entity in enumerate(paper["entities"], start=1)}
    for (one, _), thing in zip(given, draft.things, strict=True):
        entity = gold[one.id]
        for role, heard in votes(thing.type, [around[found] for found in thing.spans]).items():
            right = role.value in entity["roles"]
            if not entity.get("optional") and (right or role.value not in entity.get("alt", ())):
                yield role, max(heard.values()), right


def main() -> None:
    """Read the options, count, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    nlp = spacy.blank("en")
    counts = Counter(said for paper in papers(parser.parse_args().gold) for said in told(paper, nlp))
    said = dict.fromkeys((cue.role, cue.confidence) for cues in CUES.values() for cue in cues)
    for role, confidence in sorted({*said, *((role, sure) for role, sure, _ in counts)}, reverse=True):
        right, wrong = counts[role, confidence, True], counts[role, confidence, False]
        print(f"{role.value:12} {confidence:.2f} {right / max(1, right + wrong):6.2f} {right:6} of {right + wrong}")


if __name__ == "__main__":
    main()
