"""Make the folder that `kg.linking.tagger` reads from a trained model: ONNX with weights of seven bits, tokenizer.

    python training/export.py RUN_DIR OUT_DIR GOLD.jsonl

Its settings are those of no choice; `tune.py` chooses them. The graph is written node by node, so that it uses ONNX
Runtime's fused attention and does not change with the version of an exporter.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from data import fields_of, held_out, papers
from model import Layer, Model, load_model
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from kg.linking.tagger import Settings, Tagger, save_settings
from kg.linking.tagger.encoding import FIELDS, GLUES, Encoded, encode, inputs, windows

FILES = ("roles.npz", "tagger.onnx", "tokenizer.json")
IN, OUT = "case.in.x", "case.out.x"
"""The nodes that look up the embeddings of letter case; their tables are small and stay whole."""


class Graph:
    """Nodes and weights of an ONNX graph under construction."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, value: torch.Tensor | np.ndarray) -> str:
        """Add a constant and return its name."""
        array = value.detach().float().numpy() if isinstance(value, torch.Tensor) else value
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output and return the output's name."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def linear(self, x: str, name: str, layer: torch.nn.Linear) -> str:
        """Add x · Wᵀ + b."""
        x = self.node("MatMul", [x, self.weight(f"{name}.weight", layer.weight.T)], f"{name}.product")
        return x if layer.bias is None else self.node("Add", [x, self.weight(f"{name}.bias", layer.bias)], name)

    def norm(self, x: str, more: str, name: str, layer: torch.nn.LayerNorm) -> str:
        """Add the layer norm of x + more, in one node: some versions of ONNX Runtime are slow at a norm alone."""
        inputs = [x, more, self.weight(f"{name}.weight", layer.weight), self.weight(f"{name}.bias", layer.bias)]
        return self.node("SkipLayerNormalization", inputs, name, "com.microsoft", epsilon=layer.eps)


def case_table(tables: torch.nn.ModuleList) -> torch.Tensor:
    """Return the sum of the embeddings of every shape, glue and field: one row for each of their combinations."""
    shapes, glues, fields = (cast("torch.nn.Embedding", table).weight for table in tables)
    return (shapes[:, None, None] + glues[None, :, None] + fields[None, None, :]).flatten(0, 2)


def build(model: Model) -> onnx.ModelProto:
    """Return the ONNX graph of a model: ids, shapes, glues, fields → tags, roles."""
    g = Graph()
    g.node("Shape", ["ids"], "length", start=1, end=2)
    zero, axis = g.weight("zero", np.array([0])), g.weight("axis", np.array([1]))
    shapes = g.node("Mul", ["shapes", g.weight("shape.step", np.array(GLUES * FIELDS))], "case.shapes")
    glues = g.node("Mul", ["glues", g.weight("glue.step", np.array(FIELDS))], "case.glues")
    case = g.node("Add", [g.node("Add", [shapes, glues], "case.written"), "fields"], "case")
    # The segment is the same everywhere, so it goes into the table of positions.
    table = g.weight("positions", (model.positions.weight + model.segment)[None])
    x = g.node("Gather", [g.weight("words", model.words.weight), "ids"], "x.words")
    part = g.node("Gather", [g.weight("case.in", case_table(model.case_in)), case], IN)
    x = g.node("Add", [x, part], "x.cased")
    x = g.norm(x, g.node("Slice", [table, zero, "length", axis], "x.places"), "norm", model.norm)
    for n, block in enumerate(cast("list[Layer]", list(model.layers))):
        p = f"layer{n}"
        if n == model.shape.layers - 1:
            part = g.node("Gather", [g.weight("case.out", case_table(model.case_out)), case], OUT)
            x = g.node("Add", [x, part], "out")
        qkv = [g.weight(f"{p}.qkv.weight", block.qkv.weight.T), g.weight(f"{p}.qkv.bias", block.qkv.bias)]
        a = g.node("Attention", [x, *qkv], f"{p}.attention", "com.microsoft", num_heads=block.heads)
        x = g.norm(x, g.linear(a, f"{p}.attended", block.out), f"{p}.norm1", block.norm1)
        # The bias stands apart: ONNX Runtime multiplies and adds it in one, and its Gelu is faster than its BiasGelu.
        up = g.node("Gelu", [g.linear(x, f"{p}.up", block.up)], f"{p}.gelu", "com.microsoft")
        x = g.norm(x, g.linear(up, f"{p}.down", block.down), f"{p}.norm2", block.norm2)
    g.node("Identity", [g.linear(x, "tag_head", model.tags)], "tags")
    g.node("Identity", [g.linear(x, "role_head", model.role_in)], "roles")

    def info(name: str, kind: int, *shape: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, ["papers", "pieces", *shape])

    graph = helper.make_graph(
        g.nodes,
        "tagger",
        [info(name, TensorProto.INT64) for name in ("ids", "shapes", "glues", "fields")],
        [
            info("tags", TensorProto.FLOAT, model.tags.out_features),
            info("roles", TensorProto.FLOAT, model.role_in.out_features),
        ],
        g.weights,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="paper-kg")


def difference(model: Model, encoded: list[Encoded], tagger: Tagger) -> float:
    """Return the highest difference of a tag's logit between the model in PyTorch and a tagger."""
    highest = 0.0
    for e in encoded:
        batch = inputs(e, *windows(e)[0], tagger.cls, tagger.sep)
        with torch.inference_mode():
            tags, _ = model(**{name: torch.from_numpy(value) for name, value in batch.items()})
        highest = max(highest, float(np.abs(tagger.forward(batch)[0] - tags.numpy()).max()))
    return highest


def write(model: Model, tokenizer: Path, out: Path, eight_bits: bool) -> None:
    """Write all that `Tagger` reads into a folder, with settings that are yet to be chosen."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(tokenizer, out / "tokenizer.json")
    np.savez(out / "roles.npz", **{n: getattr(model.role_head(), n) for n in ("types", "bias", "weight", "out_bias")})
    save_settings(Settings(), out / "settings.json")
    target = out / "tagger.onnx"
    onnx.save(build(model), target)
    if not eight_bits:
        return
    whole = target.replace(target.with_suffix(".whole"))
    # Seven bits: with eight, processors without VNNI clip sums of products. The heads are small and stay whole.
    quantize_dynamic(
        whole,
        target,
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=["tag_head.product", "role_head.product", IN, OUT],
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    whole.unlink()


def manifest(folder: Path, plan: dict[str, Any]) -> str:
    """Return the text of a manifest: what was trained with, and the SHA-256 of each file."""
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    return json.dumps({"files": files, "plan": plan}, indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Read the options and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder that train.py wrote")
    parser.add_argument("out", type=Path)
    parser.add_argument("gold", type=Path, help="the file that was trained on")
    parser.add_argument("--fp32", action="store_true", help="leave the weights as they are")
    parser.add_argument("--weights", default="model.pt", help="file in RUN_DIR, such as checkpoint.pt")
    a = parser.parse_args()
    torch.set_num_threads(1)
    state = torch.load(a.run / a.weights)
    model = load_model(a.run / a.weights)
    write(model, a.run / "encoder" / "tokenizer.json", a.out, not a.fp32)
    tagger = Tagger.load(a.out)
    some = [paper for paper in papers(a.gold) if held_out(paper["id"], state["plan"]["holdout"])][:20]
    encoded = [encode(fields_of(paper), tagger.tokenizer) for paper in some]
    print(f"logits differ from PyTorch's by at most {difference(model, encoded, tagger):.5f}")
    text = manifest(a.out, state["plan"])
    (a.out / "MANIFEST.json").write_text(text, encoding="utf-8", newline="\n")
    print(text, end="")


if __name__ == "__main__":
    main()
