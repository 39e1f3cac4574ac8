"""Precision, recall and F1 of annotations against gold ones, at three levels.

* mentions: exact span and type
* entities: one thing in one paper, found once, under one id, with the right type
* roles: (paper, role, entity)

``core`` is Method, Dataset and Hardware; ``all`` adds Task and Metric. What careful readers could differ on
(`optional` entities, `alt` roles) counts neither as found nor as missed. Scores are micro-averaged.
"""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "LEVELS",
    "Row",
    "Scores",
    "Tally",
    "evaluate",
    "gold_mentions",
    "gold_papers",
    "occurrences",
    "score",
]

CORE = ("Method", "Dataset", "Hardware")
TYPES = (*CORE, "Task", "Metric")
LEVELS = ("mentions", "entities", "roles")

Json = dict[str, Any]
_GOLD = {
    "id": str,
    "abstract": str,
    "entities": [{"type": frozenset(TYPES), "name": str, "mentions": [str], "roles": [str]}],
}
_PREDICTED = {
    "id": str,
    "mentions": [{"field": str, "start": int, "end": int, "type": str, "entity": str}],
    "entities": [{"id": str, "type": str, "name": str}],
    "roles": [{"role": str, "entity": str}],
}
_ONE_OF = {"mentions": "mention", "entities": "entity", "roles": "role"}
Span = tuple[str, int, int]

_JOINED = re.compile(r"\w\s?[/&,]\s?\w|\band\b")
_URL = re.compile(r"(?:https?://|www\.)\S+|\b[\w.-]+\.(?:com|org|io|edu|ai|net)/\S*")
_MULTIPLIER = re.compile(r"(?<!\w)\d+[x×]$")


@dataclass(frozen=True)
class Row:
    """A line of the table. Precision is 1 where nothing was found and nothing missed; recall, where nothing was due."""

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else float(not self.fn)

    @property
    def recall(self) -> float:
        """Share of what is there that was found."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass
class Tally:
    """Counts of right, wrong and missed, by name."""

    tp: Counter[Any] = field(default_factory=Counter)
    fp: Counter[Any] = field(default_factory=Counter)
    fn: Counter[Any] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.tp.update(other.tp)
        self.fp.update(other.fp)
        self.fn.update(other.fn)

    def row(self, names: Iterable[Any]) -> Row:
        """Return the sums over some names."""
        names = list(names)
        return Row(*(sum(counts[name] for name in names) for counts in (self.tp, self.fp, self.fn)))


@dataclass
class Scores:
    """The three tallies, and each error by its kind."""

    mentions: Tally = field(default_factory=Tally)
    entities: Tally = field(default_factory=Tally)
    roles: Tally = field(default_factory=Tally)
    errors: dict[str, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, other: Scores) -> None:
        """Add the tallies of other papers; their errors stay with them."""
        self.mentions.add(other.mentions)
        self.entities.add(other.entities)
        self.roles.add(other.roles)

    def rows(self) -> dict[tuple[str, str], Row]:
        """Return the lines of the table by (level, name)."""
        rows = {}
        for level, tally in (("mentions", self.mentions), ("entities", self.entities)):
            rows[level, "core"] = tally.row(CORE)
            rows[level, "all"] = tally.row(TYPES)
            rows |= {(level, name): tally.row([name]) for name in TYPES}
        pairs = {*self.roles.tp, *self.roles.fp, *self.roles.fn}
        rows["roles", "core"] = self.roles.row(pair for pair in pairs if pair[0] in CORE)
        rows["roles", "all"] = self.roles.row(pairs)
        for role in sorted({role for _, role in pairs}):
            rows["roles", role] = self.roles.row(pair for pair in pairs if pair[1] == role)
        return rows

    def to_json(self, *, levels: Sequence[str] = LEVELS) -> str:
        """Return the table of some levels as JSON: an object by "level name"."""
        return json.dumps(
            {
                " ".join(name): {"p": r.precision, "r": r.recall, "f1": r.f1, "tp": r.tp, "fp": r.fp, "fn": r.fn}
                for name, r in self.rows().items()
                if name[0] in levels
            }
        )

    def to_text(self, *, errors: int = 0, levels: Sequence[str] = LEVELS) -> str:
        """Return the table of some levels to read, and up to `errors` errors of each of their kinds."""
        lines = [f"{'':24}{'P':>8}{'R':>8}{'F1':>8}{'tp':>7}{'fp':>7}{'fn':>7}"]
        lines += [
            f"{' '.join(name):24}{r.precision:8.3f}{r.recall:8.3f}{r.f1:8.3f}{r.tp:7}{r.fp:7}{r.fn:7}"
            for name, r in self.rows().items()
            if name[0] in levels
        ]
        kinds = {f"{_ONE_OF[level]}-{sign}" for level in levels for sign in ("fp", "fn")}
        for kind, found in self.errors.items():
            if kind in kinds:
                lines += ["\t".join((kind, *error)) for error in found[:errors]]
        return "\n".join(lines)


def evaluate(gold: Path, predicted: Path) -> Scores:
    """Score a file of annotations against a file of gold papers.

    Raises:
        InputError: a file cannot be read, a line is not JSON, or a paper is not in the gold.
    """
    return score(gold_papers(gold), _lines(predicted, _PREDICTED, "an annotated paper, as `kg annotate` writes it,"))


def gold_papers(path: Path) -> list[Json]:
    """Read a file of gold papers.

    Raises:
        InputError: the file cannot be read, or a line is not a gold paper.
    """
    return _lines(path, _GOLD, "a gold paper")


def _lines(path: Path, wanted: Mapping[str, Any], kind: str) -> list[Json]:
    """Return the values of a file of JSON Lines, in UTF-8 with a mark or without."""
    values = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    values.append(_value(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line))
                    if not _has_form(values[-1], wanted):
                        raise ValueError("not of that form")
    except OSError as error:
        raise InputError(f"{path.as_posix()}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        expected = f"{kind} with {', '.join(wanted)} was expected, as one line of JSON"
        raise InputError(f"{path.as_posix()}: line {number}: {expected}: {error}") from None
    return values


def _value(line: bytes) -> Json:
    try:
        value: Json = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError("not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value


def _has_form(value: Any, form: Any) -> bool:
    """Tell whether a value of JSON is of a form: a type, a set of values, a list of one form, or keys with theirs."""
    if isinstance(form, dict):
        return isinstance(value, dict) and all(_has_form(value.get(key), inner) for key, inner in form.items())
    if isinstance(form, list):
        return isinstance(value, list) and all(_has_form(one, form[0]) for one in value)
    if isinstance(form, frozenset):
        return isinstance(value, str) and value in form
    return isinstance(value, form)


def score(gold: list[Json], predicted: list[Json]) -> Scores:
    """Score annotations, one dict a paper, against gold papers as `gold/GUIDELINES` describes them.

    Raises:
        InputError: a prediction is for a paper that the gold does not have.
    """
    guesses = {paper["id"]: paper for paper in predicted}
    unknown = sorted(set(guesses) - {paper["id"] for paper in gold})
    if unknown:
        raise InputError(f"predictions for papers that the gold does not have: {', '.join(unknown[:5])}")
    scores = Scores()
    nothing: Json = {"mentions": [], "entities": [], "roles": []}
    for paper in gold:
        guess = guesses.get(paper["id"], nothing)
        spans = list(gold_mentions(paper))
        _score_mentions(scores, paper, guess, spans)
        matched = _score_entities(scores, paper, guess, spans)
        _score_roles(scores, paper, guess, matched)
    return scores


def _key(name: str) -> str:
    """A key that no case, punctuation or plural s changes."""
    text = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name).casefold())
    return text[:-1] if len(text) > 4 and text.endswith("s") else text


def _urls(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _URL.finditer(text)]


def occurrences(text: str, surfaces: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return the spans of the surfaces in the text, longest first: whole words, never overlapping, not in URLs."""
    taken, found = _urls(text), []
    for surface in sorted(set(surfaces) - {""}, key=lambda s: (-len(s), s)):
        for match in re.finditer(re.escape(surface), text):
            start, end = match.span()
            glued = start and text[start - 1].isalnum() and surface[0].isalnum()
            if glued and not _MULTIPLIER.search(text[:start]):
                continue
            if end < len(text) and text[end].isalnum() and surface[-1].isalnum():
                continue
            if any(start < b and a < end for a, b in taken):
                continue
            taken.append((start, end))
            found.append((start, end, surface))
    return found


def gold_mentions(paper: Json) -> Iterator[tuple[str, int, int, Json]]:
    """Yield where the title and the abstract of a gold paper mention its entities: (field, start, end, entity)."""
    owner: dict[str, Json] = {}
    for entity in paper["entities"]:
        for surface in entity["mentions"]:
            owner.setdefault(surface, entity)
    for name in ("title", "abstract"):
        for start, end, surface in occurrences(paper.get(name) or "", owner):
            yield name, start, end, owner[surface]


def _surface(paper: Json, mention: Json) -> str:
    return str((paper.get(mention["field"]) or "")[mention["start"] : mention["end"]])


def _score_mentions(scores: Scores, paper: Json, guess: Json, spans: list[tuple[str, int, int, Json]]) -> None:
    exact = {(f, s, e, g["type"]): g for f, s, e, g in spans}
    optional = [(f, s, e) for f, s, e, g in spans if g.get("optional")]
    ignored = {name: _urls(paper.get(name) or "") for name in ("title", "abstract")}
    hit, seen = set(), set()
    for m in guess["mentions"]:
        where = (m["field"], m["start"], m["end"], m["type"])
        if where in seen:
            continue
        seen.add(where)
        if any(m["start"] < b and a < m["end"] for a, b in ignored.get(m["field"], ())):
            continue
        if where in exact:
            hit.add(where)
            if not exact[where].get("optional"):
                scores.mentions.tp[m["type"]] += 1
        elif not any(f == m["field"] and m["start"] < e and s < m["end"] for f, s, e in optional):
            scores.mentions.fp[m["type"]] += 1
            scores.errors["mention-fp"].append((paper["id"], m["type"], _surface(paper, m)))
    for where, g in exact.items():
        if where not in hit and not g.get("optional"):
            scores.mentions.fn[g["type"]] += 1
            scores.errors["mention-fn"].append((paper["id"], g["type"], g["name"]))


def _joined_parts(spans: list[tuple[str, int, int, Json]], mentions: list[Json]) -> dict[str, Json]:
    """Predicted entities all of whose mentions lie in one gold joined name: {entity id: gold entity}."""
    joined = [(f, s, e, g) for f, s, e, g in spans if any(_JOINED.search(name) for name in g["mentions"])]
    owners: dict[str, list[Json | None]] = defaultdict(list)
    for m in mentions:
        inside = (g for f, s, e, g in joined if f == m["field"] and s <= m["start"] and m["end"] <= e)
        owners[m["entity"]].append(next(inside, None))
    return {
        entity: owned[0]
        for entity, owned in owners.items()
        if owned[0] is not None and all(g is owned[0] for g in owned)
    }


def _score_entities(
    scores: Scores, paper: Json, guess: Json, spans: list[tuple[str, int, int, Json]]
) -> dict[str, Json]:
    """Score the entities; return the gold entity of each predicted one that has one."""
    golds = paper["entities"]
    keys = [{_key(name) for name in (g["name"], *g["mentions"])} for g in golds]
    names: dict[str, set[str]] = defaultdict(set)
    for e in guess["entities"]:
        names[e["id"]].update(_key(name) for name in (e["name"], *e.get("aliases", [])))
    for m in guess["mentions"]:
        names[m["entity"]].add(_key(_surface(paper, m)))
    parts = _joined_parts(spans, guess["mentions"])
    in_paper = {m["entity"] for m in guess["mentions"]} | {r["entity"] for r in guess["roles"]}
    matched: dict[str, Json] = {}
    used: set[int] = set()

    def match(entity: str, index: int) -> None:
        matched[entity] = golds[index]
        if index not in used and not golds[index].get("optional"):
            scores.entities.tp[golds[index]["type"]] += 1
        used.add(index)

    for e in sorted(guess["entities"], key=lambda e: str(e["id"])):
        if e["id"] not in in_paper:
            continue
        found = [i for i, key in enumerate(keys) if names[e["id"]] & key]
        same = [i for i in found if golds[i]["type"] == e["type"] and i not in used]
        doubtful = [i for i in found if golds[i].get("optional")]
        if same:
            match(e["id"], same[0])
        elif e["id"] in parts and parts[e["id"]]["type"] == e["type"]:
            match(e["id"], next(i for i, g in enumerate(golds) if g is parts[e["id"]]))
        elif doubtful:
            matched[e["id"]] = golds[doubtful[0]]
        else:
            scores.entities.fp[e["type"]] += 1
            scores.errors["entity-fp"].append((paper["id"], e["type"], e["name"]))
    for i, g in enumerate(golds):
        if i not in used and not g.get("optional"):
            scores.entities.fn[g["type"]] += 1
            scores.errors["entity-fn"].append((paper["id"], g["type"], g["name"]))
    return matched


def _score_roles(scores: Scores, paper: Json, guess: Json, matched: dict[str, Json]) -> None:
    types = {e["id"]: e["type"] for e in guess["entities"]}
    told: dict[int, set[str]] = defaultdict(set)
    for r in guess["roles"]:
        if r["role"] == "mentions":
            continue
        g = matched.get(r["entity"])
        if g is None:
            scores.roles.fp[types.get(r["entity"], "Method"), r["role"]] += 1
            scores.errors["role-fp"].append((paper["id"], r["role"], f"unmatched {r['entity']}"))
            continue
        if r["role"] in told[id(g)]:
            continue
        told[id(g)].add(r["role"])
        if g.get("optional") or r["role"] in g.get("alt", ()):
            continue
        if r["role"] in g["roles"]:
            scores.roles.tp[g["type"], r["role"]] += 1
        else:
            scores.roles.fp[g["type"], r["role"]] += 1
            scores.errors["role-fp"].append((paper["id"], r["role"], g["name"]))
    for g in paper["entities"]:
        if g.get("optional") or told[id(g)] & set(g.get("alt", ())):
            continue
        for role in g["roles"]:
            if role not in told[id(g)]:
                scores.roles.fn[g["type"], role] += 1
                scores.errors["role-fn"].append((paper["id"], role, g["name"]))
