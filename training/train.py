"""Train the tagger. Started again with the same options, it goes on from its last checkpoint, to the same end.

python training/train.py GOLD.jsonl OUT_DIR
"""

from __future__ import annotations

import argparse
import json
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from data import FIELDS, Example, batches, example, fields_of, held_out, papers
from model import Model, collate, load_tokenizer, losses, start, unpack_encoder

from kg.evaluate import score
from kg.linking.tagger import Settings, Tagger

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """What is learnt from, with and without titles, and the papers that are held out."""

    titled: tuple[Example, ...]
    bare: tuple[Example, ...]
    kept: tuple[dict[str, Any], ...]

    def order(self, plan: Plan, epoch: int) -> tuple[list[list[int]], np.ndarray]:
        """Return the batches of an epoch, and which papers lose their title in it."""
        rng = np.random.default_rng([plan.seed, epoch])
        cut = batches([len(e) for e in self.titled], plan.pieces, rng)
        return cut, rng.random(len(self.titled)) < plan.untitled


def load(gold: Path, plan: Plan, tokenizer: Tokenizer, limit: int) -> Corpus:
    """Return the first papers of a gold file, all of them if the limit is 0."""
    known = papers(gold)[: limit or None]
    learnt = [p for p in known if not held_out(p["id"], plan.holdout)]
    read = [tuple(example(p, tokenizer, t, plan.optional_weight) for p in learnt) for t in (True, False)]
    return Corpus(read[0], read[1], tuple(p for p in known if held_out(p["id"], plan.holdout)))


def schedule(corpus: Corpus, plan: Plan, step: int, steps: int, per_epoch: int) -> Iterator[list[Example]]:
    """Yield the batches from a step on.

    The number of batches of a later epoch can differ by a few from that of the first, by which steps count: such an
    epoch loses some, or has some twice.
    """
    while step < steps:
        order, bared = corpus.order(plan, step // per_epoch)
        for members in (order * 2)[step % per_epoch : per_epoch][: steps - step]:
            yield [(corpus.bare if bared[i] else corpus.titled)[i] for i in members]
            step += 1


class Run:
    """A model in training with its optimiser, its place in the schedule and its folder."""

    def __init__(self, plan: Plan, out: Path, model: Model, steps: int) -> None:
        self.plan, self.out, self.model, self.steps = plan, out, model, steps
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

    def learn(self, examples: list[Example]) -> tuple[float, float]:
        """Take one step and return the losses. Raises FloatingPointError if they are not finite."""
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor(self.step, self.steps, self.plan.warmup)
        self.model.train()
        with autocast(self.plan.bf16):
            tag_loss, role_loss = losses(self.model, collate(examples), self.plan.role_weight)
        found = tag_loss.item(), role_loss.item()
        if not np.isfinite(found).all():
            raise FloatingPointError(f"the loss of step {self.step} is not finite")
        self.optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward((tag_loss + role_loss) / 32)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        return found

    def note(self, **values: Any) -> None:
        """Add a line to the log."""
        line = json.dumps({"time": time.strftime("%H:%M:%S"), "step": self.step, **values})
        with (self.out / "log.jsonl").open("a", encoding="utf-8", newline="\n") as log:
            log.write(line + "\n")
        print(line, flush=True)


def train(gold: Path, out: Path, plan: Plan, limit: int, checks: int, stop_after: int) -> None:
    """Train, with a checkpoint and a line in OUT/log.jsonl every 1/checks of an epoch."""
    out.mkdir(parents=True, exist_ok=True)
    folder = unpack_encoder(out / "encoder")
    tokenizer = load_tokenizer(folder)
    corpus = load(gold, plan, tokenizer, limit)
    per_epoch = len(corpus.order(plan, 0)[0])
    torch.manual_seed(plan.seed)
    run = Run(plan, out, start(folder), int(per_epoch * plan.epochs))
    run.resume()
    run.note(learnt=len(corpus.titled), held_out=len(corpus.kept), steps=run.steps, per_epoch=per_epoch, plan=str(plan))
    every = max(1, per_epoch // checks)
    clock, seen = time.monotonic(), []
    for examples in schedule(corpus, plan, run.step, run.steps, per_epoch):
        seen.append(run.learn(examples))
        last = run.step in (run.steps, stop_after)
        if run.step % every == 0 or last:
            run.keep()
            tag, role = np.mean(seen, axis=0).round(3).tolist()
            pace = round((time.monotonic() - clock) / len(seen), 3)
            run.note(epoch=round(run.step / per_epoch, 2), tag_loss=tag, role_loss=role, s_per_step=pace)
            if corpus.kept and (run.step // every % checks == 0 or last):
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
    parser.add_argument("--checks", type=int, default=4, help="checkpoints an epoch")
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
    )
    train(a.gold, a.out, plan, a.limit, a.checks, a.stop_after)


if __name__ == "__main__":
    main()
