"""Writes a small convolutional network as an ONNX graph, node by node, with names that mean something.

A node, the tensor it makes and the weights it reads share one name: `down1` is a convolution, its result, and
(as `down1.weight` and `down1.bias`) its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

OPSET = 17
# By tensor, its sizes, or the names of free ones.
Shapes = Mapping[str, Sequence[int | str]]


class OnnxWriter:
    """Collects nodes in order of execution, and their weights; each method returns its result's name."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._weights: dict[str, NDArray[np.float32]] = {}

    def conv(
        self,
        name: str,
        x: str,
        weight: NDArray[np.float32],
        bias: NDArray[np.float32],
        *,
        stride: int,
        pads: Sequence[int],
    ) -> str:
        """Add a convolution: weight [out, in, rows, columns], bias [out], pads top, left, bottom, right."""
        self._weights[f"{name}.weight"] = weight
        self._weights[f"{name}.bias"] = bias
        inputs = [x, f"{name}.weight", f"{name}.bias"]
        kernel = list(weight.shape[2:])
        return self.node("Conv", name, inputs, kernel_shape=kernel, strides=[stride] * 2, pads=list(pads))

    def double(self, name: str, x: str) -> str:
        """Add a nearest-neighbour doubling of height and width: pixel i of the result is pixel i // 2."""
        self._weights["doubling"] = np.array([1, 1, 2, 2], dtype=np.float32)
        return self.node(
            "Resize",
            name,
            [x, "", "doubling"],
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )

    def node(self, operator: str, name: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Add any operator with one result."""
        self._nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def save(self, path: Path, name: str, *, inputs: Shapes, outputs: Shapes) -> None:
        """Check the graph and write it; `inputs` and `outputs` give the shapes of its float32 tensors.

        A size that is a name is free.
        """
        graph = helper.make_graph(
            self._nodes,
            name,
            _float_tensors(inputs),
            _float_tensors(outputs),
            [numpy_helper.from_array(weight, weight_name) for weight_name, weight in self._weights.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)


def _float_tensors(shapes: Shapes) -> list[ValueInfoProto]:
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
