"""Small ONNX models, written node by node with weights from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

OPSET = 19


class Graph:
    """A model that grows by a node a call; each call returns the name of the node's output."""

    def __init__(self, name: str, seed: int) -> None:
        """Begins an empty model."""
        self.name = name
        self.random = np.random.default_rng(seed)
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._constants: list[onnx.TensorProto] = []

    def input(self, name: str, *shape: int) -> str:
        """Adds an input of float32."""
        self._inputs.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
        return name

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Adds a tensor with its values."""
        self._constants.append(numpy_helper.from_array(values, name))
        return name

    def number(self, value: float) -> str:
        """Adds a scalar of float32."""
        return self.constant(f"number{len(self._constants)}", np.array(value, np.float32))

    def whole(self, *values: int) -> str:
        """Adds a vector of int64."""
        return self.constant(f"whole{len(self._constants)}", np.array(values, np.int64))

    def op(self, kind: str, *inputs: str, to: str | None = None, **attributes: Any) -> str:
        """Adds a node with one output."""
        name = to or f"{kind.lower()}{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], f"{name}.{kind}", **attributes))
        return name

    def cast(self, source: str, name: str) -> str:
        """Adds a node that makes truth values 0 or 1."""
        self._nodes.append(helper.make_node("Cast", [source], [name], f"{name}.Cast", to=onnx.TensorProto.FLOAT))
        return name

    def split(self, source: str, *sizes: int) -> list[str]:
        """Adds a node that cuts channels into parts."""
        names = [f"split{len(self._nodes)}.{index}" for index in range(len(sizes))]
        self._nodes.append(helper.make_node("Split", [source, self.whole(*sizes)], names, f"{names[0]}.Split", axis=1))
        return names

    def conv(self, source: str, name: str, shape: Sequence[int], scale: float = 1.0, **attributes: Any) -> str:
        """Adds a convolution with bias, whose weights keep the size of what they read."""
        deviation = scale / np.sqrt(np.prod(shape[1:]))
        weight = self.random.normal(0.0, deviation, shape).round(3).astype(np.float32)
        bias = self.random.normal(0.0, 0.25, shape[0]).round(3).astype(np.float32)
        inputs = (source, self.constant(f"{name}.weight", weight), self.constant(f"{name}.bias", bias))
        return self.op("Conv", *inputs, to=f"{name}.sum", kernel_shape=list(shape[2:]), **attributes)

    def save(self, folder: Path, output: str, *shape: int) -> None:
        """Writes model.onnx into the folder."""
        outputs = [helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self._nodes, self.name, self._inputs, outputs, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        onnx.checker.check_model(model)
        onnx.save(model, folder / "model.onnx")
