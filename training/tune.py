"""Choose the settings of an exported model on the papers that were held out of its training.

    python training/tune.py MODEL_DIR GOLD.jsonl

Runs finders and model once over each held-out paper of GOLD. Then it climbs on what `kg evaluate` counts, one setting
at a time: what a name costs and the bonus of each finder's hints, until nothing helps. Before and after it fits the
calibrations and, with them, the weights of the cues in the text. Writes MODEL_DIR/settings.json.

Names that the gazetteer has from held-out papers alone are no hints here: on papers never seen there are none such.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from calibration import Outcome, fit, fit_beside
from data import held_out, papers
from make_gazetteer import learned as shared_names

from kg.catalogue.gazetteer import learned_names
from kg.evaluate import Scores, gold_mentions, score
from kg.linking import learned
from kg.linking.coreference import find_coreferent
from kg.linking.cues import nats
from kg.linking.draft import draft_of, make_doc
from kg.linking.pipeline import PIPELINES, make_pipeline, record_of
from kg.linking.selection import find_other_forms
from kg.linking.tagger import Line, Settings, Tagger, load_settings, save_settings
from kg.linking.tagger.labels import ROLES, TYPES
from kg.model import Paper
from kg.records import dumps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spacy.tokens import Doc

    from kg.catalogue import Catalogue
    from kg.linking.draft import Draft, Found, Thing
    from kg.linking.gazetteer import GazetteerFinder
    from kg.linking.tagger import Reading

Move = tuple[Callable[[Settings, float], Settings], tuple[float, ...]]
Component = Callable[["Doc"], "Doc"]

LEAST = 5e-4
"""What a change must gain, about one thing in a thousand: less is chance."""
COSTS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
BONUSES = (0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0)
FINDERS = (
    *(f"gazetteer:{kind}" for kind in TYPES),
    *(f"pattern:{kind}" for kind in TYPES if kind != "Method"),
    "introduction",
    "abbreviation",
    "shape",
    "run",
)
THRESHOLD = 0.45
"""Of all roles. One of its own for each fits the held-out papers and loses on others, and from 0.4 to 0.5 the sum is
the same but for chance; between them the plainest of sentences ("Evaluated on ImageNet") are told right."""
ALL_ROLES = dict.fromkeys(ROLES, 0.0)


@dataclass
class Held:
    """A held-out paper: its gold, its Doc, what finders and model read in it, and what was made of that so far."""

    gold: dict[str, Any]
    paper: Paper
    doc: Doc
    found: tuple[Found, ...]
    same: tuple[tuple[str, str], ...]
    reading: Reading
    spans: dict[Any, tuple[Found, ...]] = field(default_factory=dict)
    things: dict[Any, tuple[Thing, ...]] = field(default_factory=dict)
    scores: dict[Any, Scores] = field(default_factory=dict)

    @property
    def draft(self) -> Draft:
        """The draft of the Doc."""
        return draft_of(self.doc)


def read_all(gold: Iterable[dict[str, Any]], tagger: Tagger, unseen: Mapping[str, str]) -> list[Held]:
    """Run the finders and the model over papers; `unseen` names are no hints."""
    nlp = make_pipeline(name="rules")
    finders = [nlp.get_pipe(name) for name in PIPELINES["accurate"][: PIPELINES["accurate"].index("kg_tagger")]]
    held = []
    for values in gold:
        paper = Paper(key=values["id"], id=values["id"], title=values["title"], abstract=values["abstract"])
        doc = make_doc(paper, nlp)
        for finder in finders:
            doc = finder(doc)
        draft = draft_of(doc)
        found = tuple(f for f in draft.found if f.finder != "gazetteer" or draft.surface(f) not in unseen)
        held.append(Held(values, paper, doc, found, tuple(draft.same), learned.read(draft, tagger)))
    return held


def unseen_names(known: list[dict[str, Any]], share: float, catalogue: Catalogue) -> dict[str, str]:
    """Return the learned names, with their types, that the gazetteer would not have without the held-out papers."""
    without = {(name, kind) for name, kind, _ in shared_names([p for p in known if not held_out(p["id"], share)])}
    names = ((name, kind.value) for name, kind in learned_names())
    return {name: kind for name, kind in names if (name, kind) not in without and not catalogue.find(name)}


class Judge:
    """Says what settings are worth on held-out papers; what a change leaves as it was is not worked out again."""

    def __init__(self, held: list[Held], link: Component) -> None:
        self.held, self.link = held, link

    def __call__(self, settings: Settings) -> float:
        """Return the sum of the F1 that matter."""
        rows = self.scores(settings).rows()
        return sum(rows[level, scope].f1 for level in ("mentions", "entities", "roles") for scope in ("core", "all"))

    def scores(self, settings: Settings) -> Scores:
        """Return what `kg evaluate` counts."""
        total = Scores()
        for one in self.held:
            total.add(self._scores(one, settings))
        return total

    def _scores(self, one: Held, settings: Settings) -> Scores:
        spans = self._spans(one, settings)
        key = (spans, repr(settings.roles), repr(settings.cues), tuple(sorted(settings.role_thresholds.items())))
        if key not in one.scores:
            things = [
                replace(thing, roles=[claim for claim in thing.roles if claim[1] >= settings.threshold(claim[0].value)])
                for thing in self.things(one, settings)
            ]
            line = json.loads(dumps(record_of(one.paper, replace(one.draft, things=things))))
            one.scores[key] = score([one.gold], [line])
        return one.scores[key]

    def _spans(self, one: Held, settings: Settings) -> tuple[Found, ...]:
        names = sorted({name for f in one.found for name in (f"{f.finder}:{f.type and f.type.value}", f.finder)})
        bonuses = tuple(settings.hints.get(name) for name in names)
        key = (settings.o_bias, settings.name_cost, bonuses, settings.spans)
        if key not in one.spans:
            one.draft.found, one.draft.same = list(one.found), list(one.same)
            learned.settle(one.doc, replace(one.reading, settings=settings))
            find_other_forms(one.doc)
            one.spans[key] = tuple(one.draft.found)
        return one.spans[key]

    def things(self, one: Held, settings: Settings) -> tuple[Thing, ...]:
        """Return the things of a paper, with every role that their types can have."""
        spans = self._spans(one, settings)
        key = (spans, repr(settings.roles), repr(settings.cues))
        if key not in one.things:
            draft = one.draft
            draft.found, draft.same = list(spans), list(one.same)
            learned.keep(one.doc, replace(one.reading, settings=replace(settings, role_thresholds=ALL_ROLES)))
            learned.tell_learned_roles(self.link(find_coreferent(one.doc)))
            one.things[key] = tuple(draft.things)
        return one.things[key]


def climb(settings: Settings, moves: Iterable[Move], value: Callable[[Settings], float]) -> Settings:
    """Take each move in turn, with every amount, and keep what is best, until a round changes nothing."""
    moves, best, before = list(moves), value(settings), -1.0
    print(f"{best:.4f} at first", flush=True)
    while best > before:
        before = best
        for move, amounts in moves:
            for candidate in [move(settings, amount) for amount in amounts]:
                figure = value(candidate)
                if figure > best + LEAST:
                    best, settings = figure, candidate
        print(f"{best:.4f} {settings.name_cost} {dict(settings.hints)} {dict(settings.role_thresholds)}", flush=True)
    return settings


def calibrated(settings: Settings, judge: Judge, *, cues: bool = True) -> Settings:
    """Return the settings with calibrations of spans, and of roles given that their things are rightly found.

    With those of roles go the weights of cues beside what the model says; without `cues`, none has any.
    """
    bare = replace(settings, spans=Line(), roles={}, cues={})
    spans = fit([(found.weight, right) for _, found, right, _ in _outcomes(bare, judge)])
    told: dict[str, list[tuple[Outcome, float, float]]] = {role: [] for role in ROLES}
    for thing, members in groupby(_outcomes(bare, judge), key=lambda outcome: outcome[0]):
        rightly = [entity for _, _, right, entity in members if right]
        entity = rightly[0] if rightly else None
        named = max(found.weight for found in thing.spans)
        for role, likely, _ in thing.roles:
            if entity is None or role.value not in entity.get("alt", ()):
                holds = entity is not None and role.value in entity["roles"]
                gain = nats(role, thing.cues[role]) if cues and role in thing.cues else 0.0
                told[role.value].append(((likely / named, holds), gain, spans(named)))
    fits = {
        role: fit_beside([o for o, _, _ in heard], [gain for _, gain, _ in heard], [given for _, _, given in heard])
        for role, heard in told.items()
        if heard
    }
    weights = {role: weight for role, (_, weight) in fits.items() if weight > 0}
    return replace(settings, spans=spans, roles={role: line for role, (line, _) in fits.items()}, cues=weights)


def _outcomes(bare: Settings, judge: Judge) -> Iterator[tuple[Thing, Found, bool, dict[str, Any] | None]]:
    """Yield each span of each thing, whether it is right, and the entity that it mentions; doubtful ones not."""
    for one in judge.held:
        places = {(name, start, end): entity for name, start, end, entity in gold_mentions(one.gold)}
        doubtful = [place for place, entity in places.items() if entity.get("optional")]
        for thing in judge.things(one, bare):
            for found in thing.spans:
                name, start, end = one.draft.source_span(found.start, found.end)
                if not any(name == n and start < b and a < end for n, a, b in doubtful):
                    entity = places.get((name, start, end))
                    yield thing, found, entity is not None and entity["type"] == thing.type.value, entity


def cost(settings: Settings, amount: float) -> Settings:
    """Set what a name costs."""
    return replace(settings, name_cost=amount)


def bonus(name: str) -> Callable[[Settings, float], Settings]:
    """Return a move that sets the bonus of a finder's hints."""
    return lambda settings, amount: replace(settings, hints={**settings.hints, name: amount})


def chosen(settings: Settings, judge: Judge) -> Settings:
    """Return the best settings: calibrations and spans, then calibrations anew."""
    spans: list[Move] = [(cost, COSTS), *((bonus(name), BONUSES) for name in FINDERS)]
    settings = climb(calibrated(settings, judge), spans, judge)
    return replace(calibrated(settings, judge), role_thresholds=dict.fromkeys(ROLES, THRESHOLD))


def judge_of(model: Path, gold: Path, share: float) -> Judge:
    """Return the judge of a model on the papers of a gold file that were held out."""
    known = papers(gold)
    nlp = make_pipeline(name="rules")
    unseen = unseen_names(known, share, cast("GazetteerFinder", nlp.get_pipe("kg_gazetteer")).catalogue)
    held = read_all([paper for paper in known if held_out(paper["id"], share)], Tagger.load(model), unseen)
    print(f"{len(held)} held-out papers; {len(unseen)} names of the gazetteer are from them", flush=True)
    return Judge(held, nlp.get_pipe("kg_linker"))


def main() -> None:
    """Read the options, climb, and write the settings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--share", type=float, default=0.08, help="of the papers that were held out (default 0.08)")
    a = parser.parse_args()
    judge = judge_of(a.model, a.gold, a.share)
    target = a.model / "settings.json"
    settings = chosen(load_settings(target), judge)
    save_settings(settings, target)
    print(judge.scores(settings).to_text())


if __name__ == "__main__":
    main()
