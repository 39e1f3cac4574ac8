"""Find named things and their roles in the text of a paper with the exported tagger.

Needs numpy, onnxruntime and tokenizers, nothing else. Offsets are Unicode code points of the given texts.

    tagger = Tagger(model_dir)
    for span in tagger.tag([title, abstract]):
        print(span.field, span.start, span.end, span.type, span.probability, span.roles)

`Tagger.read` returns a `Reading`, which also tells the roles of any group of spans, for callers that know better
than spelling which spans name one thing.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

TYPES = ("Method", "Dataset", "Hardware", "Task", "Metric")
ROLES = (
    "proposes",
    "buildsOn",
    "usesMethod",
    "comparesTo",
    "evaluatesOn",
    "trainsOn",
    "runsOn",
    "addresses",
    "measures",
)
ROLES_OF: Mapping[str, tuple[str, ...]] = {
    "Method": ("proposes", "buildsOn", "usesMethod", "comparesTo"),
    "Dataset": ("proposes", "evaluatesOn", "trainsOn"),
    "Hardware": ("proposes", "runsOn"),
    "Task": ("addresses",),
    "Metric": ("proposes", "measures"),
}
LABELS = ("O", *(f"{prefix}-{t}" for t in TYPES for prefix in "BI"))
BEGIN = np.array([1 + 2 * i for i in range(len(TYPES))])
INSIDE = BEGIN + 1

MAX_PIECES = 512
OVERLAP = 128
SHAPES = 12
GLUES = 3
FIELDS = 3

# A multiplier is a word of its own, so that the H100 in 8xH100 can be one.
WORD = re.compile(r"\d+[x×](?=[A-Z])|[^\W_]+|\S")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one field: its place, its shape and whether space stands before it."""

    field: int
    start: int
    end: int
    shape: int
    glue: int


@dataclass(frozen=True, slots=True)
class Encoded:
    """A paper as the encoder reads it: pieces without the special ones, and words with their first pieces.

    `ids`, `shapes`, `glues` and `fields` have one number a piece; `firsts` has one a word and the number of pieces
    at its end, so that word w has the pieces firsts[w] to firsts[w + 1].
    """

    words: tuple[Word, ...]
    ids: np.ndarray
    shapes: np.ndarray
    glues: np.ndarray
    fields: np.ndarray
    firsts: np.ndarray


@dataclass(frozen=True, slots=True)
class Line:
    """A calibration: the log-odds of what the model says, scaled and shifted to those of being right."""

    scale: float = 1.0
    shift: float = 0.0

    def __call__(self, probability: float) -> float:
        """Return the calibrated probability.

        >>> round(Line()(0.25), 6), round(Line(shift=math.log(3))(0.25), 6)
        (0.25, 0.5)
        """
        p = min(max(probability, 1e-6), 1 - 1e-6)
        return 1.0 / (1.0 + math.exp(-self.scale * math.log(p / (1 - p)) - self.shift))


@dataclass(frozen=True, slots=True)
class Settings:
    """What was chosen on held-out papers of the training set.

    In nats, what a word gains outside of names (`o_bias`) and what a name costs (`name_cost`); the calibrations; and
    the thresholds of the roles.
    """

    o_bias: float = 0.0
    name_cost: float = 2.0
    spans: Line = Line()
    roles: Mapping[str, Line] = field(default_factory=dict)
    role_thresholds: Mapping[str, float] = field(default_factory=dict)

    def threshold(self, role: str) -> float:
        """Return the calibrated probability from which a role is said to hold."""
        return self.role_thresholds.get(role, 0.5)


def load_settings(path: Path) -> Settings:
    """Read what `save_settings` wrote."""
    values = json.loads(path.read_text(encoding="utf-8"))
    roles = {role: Line(**line) for role, line in values.pop("roles").items()}
    return Settings(**{**values, "spans": Line(**values["spans"]), "roles": roles})


def save_settings(settings: Settings, path: Path) -> None:
    """Write the settings that `Tagger` reads."""
    path.write_text(json.dumps(asdict(settings), indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Span:
    """A name found: fields[field][start:end]. Spans of one `group` are spelled alike and share type and roles."""

    field: int
    start: int
    end: int
    type: str
    probability: float
    group: int
    roles: Mapping[str, float]


def shape(word: str) -> int:
    """Return the class of a word's letters, 1 to 11; 0 stands for what is no word.

    >>> [shape(w) for w in ["the", "The", "GPU", "GPUs", "mAP", "A", "12", "v2", "H100", "(", "π", "ResNet"]]
    [1, 2, 3, 9, 4, 8, 5, 6, 7, 10, 11, 4]
    """
    tests = (
        (10, not word[0].isalnum()),
        (11, not word.isascii()),
        (5, word.isdigit()),
        (6, not word.isalpha() and word.islower()),
        (7, not word.isalpha()),
        (1, word.islower()),
        (8, word.isupper() and len(word) == 1),
        (3, word.isupper()),
        (9, len(word) > 2 and word[-1] == "s" and word[:-1].isupper()),
        (2, word.istitle()),
        (4, True),
    )
    return next(number for number, holds in tests if holds)


def words(fields: Sequence[str]) -> tuple[Word, ...]:
    """Cut texts into words: runs of letters and digits, and every other visible character by itself."""
    found = []
    for number, text in enumerate(fields):
        end = -1
        for match in WORD.finditer(text):
            glue = 2 if match.start() == end else 1
            end = match.end()
            found.append(Word(number, match.start(), end, shape(match.group()), glue))
    return tuple(found)


def encode(fields: Sequence[str], tokenizer: Tokenizer, titled: bool = True) -> Encoded:
    """Cut the fields of a paper into words and pieces; the first field is marked as a title if `titled`."""
    cut = words(fields)
    texts = [fields[w.field][w.start : w.end] for w in cut]
    encoding = tokenizer.encode(texts, is_pretokenized=True, add_special_tokens=False)
    owners = np.array(encoding.word_ids, dtype=np.int64)
    # The tokenizer's normaliser drops words such as a lone accent: they get no piece and the place of the next word.
    firsts = np.searchsorted(owners, np.arange(len(cut) + 1))
    per_word = np.array(
        [(w.shape, w.glue, 1 if titled and w.field == 0 else 2) for w in cut] or [(0, 0, 0)], dtype=np.int64
    )
    per_piece = per_word[owners] if len(owners) else per_word[:0]
    return Encoded(
        words=cut,
        ids=np.array(encoding.ids, dtype=np.int64),
        shapes=per_piece[:, 0],
        glues=per_piece[:, 1],
        fields=per_piece[:, 2],
        firsts=firsts,
    )


def windows(encoded: Encoded) -> list[tuple[int, int]]:
    """Return ranges of words of at most 510 pieces each that together cover the paper, overlapping by 128 pieces."""
    room, firsts, count = MAX_PIECES - 2, encoded.firsts, len(encoded.words)
    found, start = [], 0
    while True:
        end = int(np.searchsorted(firsts, firsts[start] + room, side="right")) - 1
        end = min(max(end, start + 1), count)
        found.append((start, end))
        if end >= count:
            return found
        start = max(start + 1, int(np.searchsorted(firsts, firsts[end] - OVERLAP)))


def between(left: int, values: np.ndarray, right: int) -> np.ndarray:
    """Return the values with one more on either side."""
    return np.concatenate(([left], values, [right])).astype(np.int64)


def inputs(encoded: Encoded, start: int, end: int, cls: int, sep: int) -> dict[str, np.ndarray]:
    """Return the model's inputs, of shape (1, pieces), for a range of words."""
    a, b = int(encoded.firsts[start]), int(encoded.firsts[end])
    b = min(b, a + MAX_PIECES - 2)
    return {
        "ids": between(cls, encoded.ids[a:b], sep)[None],
        "shapes": between(0, encoded.shapes[a:b], 0)[None],
        "glues": between(0, encoded.glues[a:b], 0)[None],
        "fields": between(0, encoded.fields[a:b], 0)[None],
    }


Forward = Callable[[dict[str, np.ndarray]], tuple[np.ndarray, np.ndarray]]
"""From inputs to (tag logits, role features), both of shape (1, pieces, …)."""


def run(encoded: Encoded, forward: Forward, cls: int, sep: int) -> tuple[np.ndarray, np.ndarray]:
    """Return log-probabilities of the labels a word and role features a piece, taking each from its best window."""
    count, pieces = len(encoded.words), len(encoded.ids)
    logits = np.zeros((count, len(LABELS)), dtype=np.float32)
    logits[:, 0] = 30.0
    features: np.ndarray | None = None
    depth_w, depth_p = np.full(count, -1), np.full(pieces, -1)
    for start, end in windows(encoded) if pieces else []:
        tags, roles = forward(inputs(encoded, start, end, cls, sep))
        a = int(encoded.firsts[start])
        seen = tags.shape[1] - 2
        if features is None:
            features = np.zeros((pieces, roles.shape[2]), dtype=np.float32)
        place = np.arange(seen)
        depth = np.minimum(place + (10**6 if a == 0 else 0), seen - 1 - place + (10**6 if a + seen == pieces else 0))
        better = depth > depth_p[a : a + seen]
        features[a : a + seen][better] = roles[0, 1:-1][better]
        depth_p[a : a + seen][better] = depth[better]
        for w in range(start, end):
            first = int(encoded.firsts[w]) - a
            if int(encoded.firsts[w + 1]) - a > first and first < seen and depth[first] > depth_w[w]:
                depth_w[w] = depth[first]
                logits[w] = tags[0, 1 + first]
    if features is None:
        features = np.zeros((0, 1), dtype=np.float32)
    shifted = logits - logits.max(axis=1, keepdims=True) if count else logits
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), features


def viterbi(scores: np.ndarray, breaks: Iterable[int] = ()) -> list[int]:
    """Return the best labels such that no I stands without its B; none goes on across the words in `breaks`."""
    count = len(scores)
    if not count:
        return []
    stops = set(breaks) | {0}
    back = np.zeros(scores.shape, dtype=np.int64)
    best = np.zeros(len(LABELS))
    for w in range(count):
        top = int(best.argmax())
        new = best[top] + scores[w]
        back[w] = top
        if w in stops:
            new[INSIDE] = -np.inf
        else:
            from_begin = best[BEGIN] >= best[INSIDE]
            back[w, INSIDE] = np.where(from_begin, BEGIN, INSIDE)
            new[INSIDE] = np.where(from_begin, best[BEGIN], best[INSIDE]) + scores[w, INSIDE]
        best = new
    label = int(best.argmax())
    path = [label]
    for w in range(count - 1, 0, -1):
        label = int(back[w, label])
        path.append(label)
    return path[::-1]


def key(name: str) -> str:
    """Return what two spellings of one name share: letters and digits, without case or a plural s.

    >>> key("Diffusion Transformers") == key("diffusion-transformer")
    True
    """
    text = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name).casefold())
    return text[:-1] if len(text) > 4 and text.endswith("s") else text


@dataclass(frozen=True, slots=True)
class Found:
    """A span over words [first, last) before spelling is taken into account."""

    first: int
    last: int
    type: int
    probability: float


def spans_of(logp: np.ndarray, cut: Sequence[Word], settings: Settings) -> list[Found]:
    """Decode the labels of words into spans with their probabilities under the unbiased model."""
    starts = [w for w in range(len(cut)) if w == 0 or cut[w].field != cut[w - 1].field]
    scores = logp.astype(np.float64).copy()
    scores[:, 0] += settings.o_bias
    scores[:, BEGIN] -= settings.name_cost
    path = viterbi(scores, starts)
    found, w = [], 0
    while w < len(path):
        if path[w] == 0:
            w += 1
            continue
        kind, first = (path[w] - 1) // 2, w
        w += 1
        while w < len(path) and path[w] == INSIDE[kind]:
            w += 1
        log = float(logp[first, BEGIN[kind]] + logp[first + 1 : w, INSIDE[kind]].sum())
        found.append(Found(first, w, kind, float(np.exp(log))))
    return found


def spread(found: Sequence[Found], fields: Sequence[str], cut: Sequence[Word]) -> list[tuple[Found, int]]:
    """Give all spans of one spelling one type, and find each spelling everywhere. Returns spans and their groups."""

    def surface(f: Found) -> str:
        return fields[cut[f.first].field][cut[f.first].start : cut[f.last - 1].end]

    votes: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(len(TYPES)))
    spellings: dict[str, str] = {}
    for f in found:
        text = surface(f)
        group = key(text) or text
        votes[group][f.type] += f.probability
        spellings[text] = group
    taken = np.zeros(len(cut), dtype=bool)
    result = []
    numbers = {group: n for n, group in enumerate(votes)}
    surest: dict[str, float] = defaultdict(float)
    for f in found:
        group = spellings[surface(f)]
        taken[f.first : f.last] = True
        result.append((replace(f, type=int(votes[group].argmax())), numbers[group]))
        surest[group] = max(surest[group], f.probability)
    begins = {(w.field, w.start): i for i, w in enumerate(cut)}
    ends = {(w.field, w.end): i + 1 for i, w in enumerate(cut)}
    for text in sorted(spellings, key=lambda s: (-len(s), s)):
        if len(text) < 2:
            continue
        group = spellings[text]
        for number, whole in enumerate(fields):
            for match in re.finditer(re.escape(text), whole):
                first, last = begins.get((number, match.start())), ends.get((number, match.end()))
                if first is None or last is None or taken[first:last].any():
                    continue
                taken[first:last] = True
                result.append((Found(first, last, int(votes[group].argmax()), surest[group]), numbers[group]))
    return sorted(result, key=lambda pair: pair[0].first)


@dataclass(frozen=True, slots=True)
class RoleHead:
    """The second layer of the role head: from the pooled features of an entity to one probability a role."""

    types: np.ndarray
    bias: np.ndarray
    weight: np.ndarray
    out_bias: np.ndarray

    def __call__(self, pooled: np.ndarray, kind: int) -> np.ndarray:
        """Return the probabilities of all roles for one entity; `pooled` has its highest features over mentions."""
        hidden = np.maximum(pooled + self.types[kind] + self.bias, 0.0)
        probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-(self.weight @ hidden + self.out_bias)))
        return probabilities


@dataclass(frozen=True, slots=True)
class Reading:
    """What the tagger found in one paper."""

    spans: tuple[Span, ...]
    pooled: tuple[np.ndarray, ...]
    head: RoleHead
    settings: Settings

    def roles_if_named(self, spans: Iterable[int], kind: str) -> dict[str, float]:
        """Return the probability of each role for an entity with these mentions, provided that it is one."""
        together = np.max([self.pooled[i] for i in spans], axis=0)
        probabilities = self.head(together, TYPES.index(kind))
        lines = self.settings.roles
        return {r: lines.get(r, Line())(float(probabilities[ROLES.index(r)])) for r in ROLES_OF[kind]}

    def roles(self, spans: Iterable[int], kind: str) -> dict[str, float]:
        """Return the probability of each role of an entity with these mentions: as above, times the surest span's."""
        members = list(spans)
        sure = max(self.spans[i].probability for i in members)
        return {role: sure * p for role, p in self.roles_if_named(members, kind).items()}


class Tagger:
    """The exported model, loaded once; `tag` and `read` may be called from many processes, each with its own."""

    def __init__(self, model_dir: Path | str, threads: int = 1):
        import onnxruntime

        folder = Path(model_dir)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(folder / "tagger.onnx"), options, providers=["CPUExecutionProvider"])
        with np.load(folder / "roles.npz") as arrays:
            head = RoleHead(**{name: arrays[name] for name in ("types", "bias", "weight", "out_bias")})
        settings = load_settings(folder / "settings.json")
        self._set(
            Tokenizer.from_file(str(folder / "tokenizer.json")),
            lambda batch: tuple(session.run(["tags", "roles"], batch)),
            head,
            settings,
        )

    def _set(self, tokenizer: Tokenizer, forward: Forward, head: RoleHead, settings: Settings) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer, self.forward, self.head, self.settings = tokenizer, forward, head, settings
        vocabulary = tokenizer.get_vocab()
        self.cls, self.sep = vocabulary["[CLS]"], vocabulary["[SEP]"]

    @classmethod
    def of(cls, tokenizer: Tokenizer, forward: Forward, head: RoleHead, settings: Settings) -> Tagger:
        """Return a tagger around any forward pass, such as that of a model in training."""
        tagger = cls.__new__(cls)
        tagger._set(tokenizer, forward, head, settings)
        return tagger

    def tag(self, fields: Sequence[str], titled: bool = True) -> list[Span]:
        """Return the names in the fields of a paper in the order of the text. The first field is its title."""
        return list(self.read(fields, titled).spans)

    def read(self, fields: Sequence[str], titled: bool = True) -> Reading:
        """Return the names in the fields of a paper, with what it takes to tell the roles of any group of them."""
        encoded = encode(fields, self.tokenizer, titled)
        return self.decode(fields, encoded, *run(encoded, self.forward, self.cls, self.sep))

    def decode(self, fields: Sequence[str], encoded: Encoded, logp: np.ndarray, features: np.ndarray) -> Reading:
        """Return what the model's outputs for a paper say."""
        cut = encoded.words
        found = spread(spans_of(logp, cut, self.settings), fields, cut)
        pooled = []
        for f, _ in found:
            a, b = int(encoded.firsts[f.first]), int(encoded.firsts[f.last])
            pooled.append(features[a : max(b, a + 1)].mean(axis=0) if b > a else np.zeros(features.shape[1]))
        bare = tuple(
            Span(
                cut[f.first].field,
                cut[f.first].start,
                cut[f.last - 1].end,
                TYPES[f.type],
                self.settings.spans(f.probability),
                group,
                {},
            )
            for f, group in found
        )
        reading = Reading(bare, tuple(pooled), self.head, self.settings)
        members: dict[int, list[int]] = defaultdict(list)
        for i, span in enumerate(bare):
            members[span.group].append(i)
        roles = {group: reading.roles(of, bare[of[0]].type) for group, of in members.items()}
        return replace(reading, spans=tuple(replace(s, roles=roles[s.group]) for s in bare))
