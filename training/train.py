"""Train the tagger. Started again with the same options, it goes on from its last checkpoint, to the same end.

    python training/train.py GOLD.jsonl OUT_DIR
    python training/train.py GOLD.jsonl OUT_DIR --pseudo PSEUDO.jsonl
    python training/train.py GOLD.jsonl OUT_DIR --pseudo PSEUDO.jsonl --teacher RUN_DIR

With --pseudo, papers that `pseudo.py` labelled are learnt from as well, each once, in equal shares in all epochs but
the last. With --teacher, the new model begins with parts of an earlier one and learns what that reads.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from data import FIELDS, Example, batches, example, fields_of, held_out, papers
from model import Model, Shape, collate, load_model, load_tokenizer, losses, shortened, start, unpack_encoder

from kg.evaluate import score
from kg.linking.tagger import Settings, Tagger

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Plan:
    """The options that the result depends on."""

    epochs: float
    holdout: float
    pieces: int
    lr: float
    head_lr: float
    warmup: float
    weight_decay: float
    untitled: float
    role_weight: float
    optional_weight: float
    bf16: bool
    seed: int
    pseudo: int = 0
    layers: tuple[int, ...] = ()
    heads: int = 12
    inner: int = 1536


def groups(model: Model, plan: Plan) -> list[dict[str, Any]]:
    """Return the parameters of the optimiser: new ones learn faster, norms and biases do not decay."""
    new = ("tags.", "role_", "case_")
    found: dict[tuple[bool, bool], list[torch.nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        fresh = name.startswith(new)
        decays = parameter.dim() > 1 and not fresh and "norm" not in name
        found.setdefault((fresh, decays), []).append(parameter)
    return [
        {"params": p, "lr": plan.head_lr if fresh else plan.lr, "weight_decay": plan.weight_decay if decays else 0.0}
        for (fresh, decays), p in sorted(found.items(), key=lambda pair: pair[0])
    ]


def factor(step: int, steps: int, warmup: float) -> float:
    """Return the learning rate's factor: up over the first share of the steps, then down to zero."""
    rise = max(1, int(steps * warmup))
    return (step + 1) / rise if step < rise else max(0.0, (steps - step) / max(1, steps - rise))


def save(path: Path, value: dict[str, Any]) -> None:
    """Write a checkpoint such that a stop in between leaves the old one."""
    part = path.with_suffix(".part")
    torch.save(value, part)
    part.replace(path)


def autocast(on: bool) -> Any:
    """Return the context in which matrices are multiplied in bfloat16, or none."""
    return torch.autocast("cpu", dtype=torch.bfloat16) if on else nullcontext()


def as_tagger(model: Model, tokenizer: Tokenizer, bf16: bool = False) -> Tagger:
    """Return a tagger around a model in training."""
    model.eval()

    def forward(batch: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        with torch.inference_mode(), autocast(bf16):
            tags, roles = model(**{name: torch.from_numpy(value) for name, value in batch.items()})
        return tags.float().numpy(), roles.float().numpy()

    return Tagger(tokenizer, forward, model.role_head(), Settings())


def annotation(paper: dict[str, Any], tagger: Tagger) -> dict[str, Any]:
    """Return what the model alone says of a paper, each spelling a thing of its own, as `kg evaluate` reads it."""
    fields = fields_of(paper)
    reading = tagger.read(fields)
    mentions, things, roles = [], [], []
    places: dict[int, list[tuple[int, int, int]]] = {}
    for span in reading.spans():
        if span.group not in places:
            name = fields[span.field][span.start : span.end]
            things.append({"id": str(span.group), "type": span.type, "name": name})
        places.setdefault(span.group, []).append((span.field, span.start, span.end))
        where = {"field": FIELDS[span.field], "start": span.start, "end": span.end}
        mentions.append({**where, "type": span.type, "entity": str(span.group)})
    for thing in things:
        for role, likely in reading.roles(places[int(thing["id"])], thing["type"]).items():
            if likely >= reading.settings.threshold(role):
                roles.append({"role": role, "entity": thing["id"]})
    return {"id": paper["id"], "mentions": mentions, "entities": things, "roles": roles}


def totals(gold: list[dict[str, Any]], tagger: Tagger) -> dict[str, float]:
    """Return the F1 of the model alone on some papers, for the log."""
    counted = score(gold, [annotation(paper, tagger) for paper in gold]).rows()
    return {
        f"{level}_{of}": round(counted[level, of].f1, 4) for level in ("mentions", "roles") for of in ("core", "all")
    }


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is learnt from, with and without titles, what a model labelled, and the papers that are held out."""

    titled: tuple[Example, ...]
    bare: tuple[Example, ...]
    pseudo: tuple[Example, ...]
    kept: tuple[dict[str, Any], ...]

    def epoch(self, plan: Plan, number: int) -> list[list[Example]]:
        """Return the batches of an epoch."""
        rng = np.random.default_rng([plan.seed, number])
        bared = rng.random(len(self.titled)) < plan.untitled
        pairs = zip(self.titled, self.bare, bared, strict=True)
        pool = [bare if cut else titled for titled, bare, cut in pairs]
        pool += self.pseudo[number :: max(1, math.ceil(plan.epochs) - 1)] if number < plan.epochs - 1 else ()
        return [[pool[i] for i in members] for members in batches([len(e) for e in pool], plan.pieces, rng)]

    def schedule(self, plan: Plan) -> list[list[Example]]:
        """Return all batches, in their order."""
        epochs = [self.epoch(plan, number) for number in range(math.ceil(plan.epochs))]
        whole = math.ceil(plan.epochs)
        epochs[-1] = epochs[-1][: max(1, round(len(epochs[-1]) * (1 + plan.epochs - whole)))]
        return [batch for epoch in epochs for batch in epoch]


def load(gold: Path, pseudo: Path | None, plan: Plan, tokenizer: Tokenizer, limit: int) -> Corpus:
    """Return the first papers of a gold file, all of them if the limit is 0, and those that a model labelled."""
    known = papers(gold)[: limit or None]
    learnt = [p for p in known if not held_out(p["id"], plan.holdout)]
    read = [tuple(example(p, tokenizer, t, plan.optional_weight) for p in learnt) for t in (True, False)]
    more = papers(pseudo)[: plan.pseudo] if pseudo else []
    titled = np.random.default_rng(plan.seed).random(len(more)) >= plan.untitled
    taught = tuple(example(p, tokenizer, bool(t), plan.optional_weight) for p, t in zip(more, titled, strict=True))
    return Corpus(read[0], read[1], taught, tuple(p for p in known if held_out(p["id"], plan.holdout)))


def first(encoder: Path, teacher: Model | None, earlier: Path | None, plan: Plan) -> Model:
    """Return the model to begin with: that of an earlier run, parts of the teacher, or the encoder."""
    if earlier:
        return load_model(earlier / "model.pt")
    return shortened(teacher, plan.layers, plan.heads, plan.inner) if teacher else start(encoder)


class Run:
    """A model in training with its optimiser, its place in the schedule and its folder."""

    def __init__(self, plan: Plan, out: Path, model: Model, steps: int, teacher: Model | None = None) -> None:
        self.plan, self.out, self.model, self.steps, self.teacher = plan, out, model, steps, teacher
        self.optimiser = torch.optim.AdamW(groups(model, plan), betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.rates = [g["lr"] for g in self.optimiser.param_groups]
        self.step = 0
        self.checkpoint = out / "checkpoint.pt"

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one. Raises ValueError if it was made with other options."""
        if not self.checkpoint.exists():
            return
        state = torch.load(self.checkpoint)
        if state["plan"] != asdict(self.plan):
            raise ValueError(f"{self.checkpoint} was made with other options: {state['plan']}")
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["rng"])
        self.step = state["step"]

    def keep(self) -> None:
        """Write a checkpoint."""
        weights = {"plan": asdict(self.plan), "model": self.model.state_dict()}
        rest = {"optimiser": self.optimiser.state_dict(), "rng": torch.get_rng_state(), "step": self.step}
        save(self.checkpoint, weights | rest)

    def learn(self, examples: list[Example]) -> tuple[float, float, float]:
        """Take one step and return the losses. Raises FloatingPointError if they are not finite."""
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor(self.step, self.steps, self.plan.warmup)
        self.model.train()
        with autocast(self.plan.bf16):
            found = losses(self.model, collate(examples), self.plan.role_weight, self.teacher)
        values = found.values()
        self.optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(found.total() / 32)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        return values

    def note(self, **values: Any) -> None:
        """Add a line to the log."""
        line = json.dumps({"time": time.strftime("%H:%M:%S"), "step": self.step, **values})
        with (self.out / "log.jsonl").open("a", encoding="utf-8", newline="\n") as log:
            log.write(line + "\n")
        print(line, flush=True)


@dataclass(frozen=True, slots=True)
class Sources:
    """The files to learn from."""

    gold: Path
    pseudo: Path | None = None
    teacher: Path | None = None
    earlier: Path | None = None


def train(sources: Sources, out: Path, plan: Plan, limit: int, checks: int, stop_after: int) -> None:
    """Train, with a checkpoint and a line in OUT/log.jsonl at every of so many checks."""
    out.mkdir(parents=True, exist_ok=True)
    folder = unpack_encoder(out / "encoder")
    tokenizer = load_tokenizer(folder)
    corpus = load(sources.gold, sources.pseudo, plan, tokenizer, limit)
    steps = corpus.schedule(plan)
    torch.manual_seed(plan.seed)
    teacher = load_model(sources.teacher / "model.pt") if sources.teacher else None
    run = Run(plan, out, first(folder, teacher, sources.earlier, plan), len(steps), teacher)
    run.resume()
    counts = {"learnt": len(corpus.titled), "pseudo": len(corpus.pseudo), "held_out": len(corpus.kept)}
    run.note(**counts, steps=run.steps, plan=str(plan))
    every = max(1, run.steps // checks)
    clock, seen = time.monotonic(), []
    for examples in steps[run.step :]:
        seen.append(run.learn(examples))
        last = run.step in (run.steps, stop_after)
        if run.step % every == 0 or last:
            run.keep()
            tags, roles, soft = np.mean(seen, axis=0).round(3).tolist()
            pace = round((time.monotonic() - clock) / len(seen), 3)
            run.note(done=round(run.step / run.steps, 3), tags=tags, roles=roles, soft=soft, s_per_step=pace)
            if corpus.kept and (run.step // every % 5 == 0 or last):
                run.note(**totals(list(corpus.kept), as_tagger(run.model, tokenizer, plan.bf16)))
            clock, seen = time.monotonic(), []
        if run.step == stop_after:
            return
    save(out / "model.pt", {"plan": asdict(plan), "model": run.model.state_dict()})


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--holdout", type=float, default=0.08, help="share of the papers that is not learnt from")
    parser.add_argument("--pieces", type=int, default=4096, help="padded pieces a batch")
    parser.add_argument("--lr", type=float, default=1.5e-4)
    parser.add_argument("--head-lr", type=float, default=1e-3)
    parser.add_argument("--warmup", type=float, default=0.09)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--untitled", type=float, default=0.1, help="share of the papers whose title is left out")
    parser.add_argument("--role-weight", type=float, default=1.0)
    parser.add_argument("--optional-weight", type=float, default=0.5, help="of the roles of optional entities")
    parser.add_argument("--fp32", action="store_true", help="no bfloat16, which is slow on processors without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="learn from the first N papers only, to try things out")
    parser.add_argument("--stop-after", type=int, default=0, help="stop at this step, to go on another time")
    parser.add_argument("--checks", type=int, default=20, help="checkpoints; the scores are told at every fifth")
    parser.add_argument("--pseudo", type=Path, help="file that pseudo.py wrote")
    parser.add_argument("--pseudo-count", type=int, default=16000, help="how many of its papers are learnt from")
    parser.add_argument("--teacher", type=Path, help="folder that an earlier run wrote")
    parser.add_argument("--earlier", type=Path, help="folder of an earlier run, whose model is to learn more")
    parser.add_argument("--layers", type=int, nargs="+", default=(0, 2, 5), help="of the teacher, to begin with")
    parser.add_argument("--heads", type=int, default=6, help="of each of these layers")
    parser.add_argument("--inner", type=int, default=768, help="features in the feed-forward part of each of them")
    a = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    plan = Plan(
        epochs=a.epochs,
        holdout=a.holdout,
        pieces=a.pieces,
        lr=a.lr,
        head_lr=a.head_lr,
        warmup=a.warmup,
        weight_decay=a.weight_decay,
        untitled=a.untitled,
        role_weight=a.role_weight,
        optional_weight=a.optional_weight,
        bf16=not a.fp32,
        seed=a.seed,
        pseudo=a.pseudo_count if a.pseudo else 0,
        layers=tuple(a.layers) if a.teacher else (),
        heads=a.heads if a.teacher else Shape().heads,
        inner=a.inner if a.teacher else Shape().inner,
    )
    train(Sources(a.gold, a.pseudo, a.teacher, a.earlier), a.out, plan, a.limit, a.checks, a.stop_after)


if __name__ == "__main__":
    main()
