"""A network that was ported with another framework's idea of LRN: its file says ONNX, its shader does not."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto, helper

from texelscope.pipeline.export.eject import PIPELINE, eject
from texelscope.pipeline.target import OpenOptions


def lrn_model() -> onnx.ModelProto:
    """`image` [1, 9, 12, 12] → LRN `norm1` → Relu `relu1`; every framework means something else by these numbers."""
    shape = [1, 9, 12, 12]
    norm = helper.make_node("LRN", ["image"], ["norm1"], name="norm1", size=4, alpha=0.7, beta=0.75, bias=1.5)
    relu = helper.make_node("Relu", ["norm1"], ["relu1"], name="relu1")
    graph = helper.make_graph(
        [norm, relu],
        "ported",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("relu1", TensorProto.FLOAT, shape)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def ported(folder: Path, convention: str = "tensorflow") -> Path:
    """A pipeline file in `folder` whose shader follows `convention`, and which does not say so."""
    eject(lrn_model(), folder, OpenOptions(conventions={"LRN": convention}))
    path = folder / PIPELINE
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("conventions = ")]
    assert len(kept) == len(lines) - 1
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path
