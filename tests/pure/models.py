"""Small ONNX models, sound and broken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

FLOAT = onnx.TensorProto.FLOAT
IMAGE = (1, 3, 8, 8)

Node = onnx.NodeProto


def value(name: str, shape: Sequence[int | str] | None = IMAGE, element: int = FLOAT) -> onnx.ValueInfoProto:
    """A tensor's name, type and shape; None for a shape that is not said."""
    return helper.make_tensor_value_info(name, element, shape)


def node(op_type: str, inputs: str, outputs: str, name: str = "", domain: str = "", **attributes: Any) -> Node:
    """A node; inputs and outputs are names with spaces between."""
    return helper.make_node(op_type, inputs.split(), outputs.split(), name=name, domain=domain, **attributes)


def model(
    nodes: Sequence[Node],
    inputs: Sequence[onnx.ValueInfoProto] = (),
    outputs: Sequence[onnx.ValueInfoProto] = (),
    *,
    weights: dict[str, NDArray[Any]] | None = None,
    tensors: Sequence[onnx.TensorProto] = (),
    opset: int = 17,
) -> onnx.ModelProto:
    """A model with one input `x` and one output `y`, both of shape IMAGE, unless it is said otherwise."""
    initializers = [numpy_helper.from_array(array, name) for name, array in (weights or {}).items()]
    graph = helper.make_graph(
        list(nodes), "net", list(inputs) or [value("x")], list(outputs) or [value("y")], [*initializers, *tensors]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def relu() -> onnx.ModelProto:
    """Returns the least model: x → Relu 'act' → y."""
    return model([node("Relu", "x", "y", "act")])


def tensor(name: str, dims: Sequence[int], raw: bytes, element: int = FLOAT) -> onnx.TensorProto:
    """A tensor as a file may hold it, whether its parts agree or not."""
    return onnx.TensorProto(name=name, data_type=element, dims=dims, raw_data=raw)


def external(name: str, dims: Sequence[int], **entries: str) -> onnx.TensorProto:
    """Returns a tensor whose data lie in another file."""
    made = onnx.TensorProto(name=name, data_type=FLOAT, dims=dims, data_location=onnx.TensorProto.EXTERNAL)
    for key, text in entries.items():
        made.external_data.add(key=key, value=text)
    return made


def array(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    """float32 of that shape, normally distributed."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def saved_conv_and_relu(folder: Path) -> Path:
    """Returns Conv `conv` by 3x3 weights, then Relu `act`, in `m.onnx`."""
    made = model(
        [node("Conv", "x w", "c", "conv"), node("Relu", "c", "y", "act")],
        outputs=[value("y", None)],
        weights={"w": array(4, 3, 3, 3)},
    )
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path
