"""Collects nodes and random weights of an ONNX model that is laid out operator by operator.

Weights are initializers, and all other constants are nodes, so that the initializers are the model's parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike, NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

# The operators mean the same in later ones, and some engines know no newer one.
OPSET = 12
RECTIFIERS = {"relu": ("Relu", ()), "relu6": ("Clip", (0.0, 6.0)), "": ("", ())}


class NetworkParts:
    """Holds the nodes and the weights so far; each method returns the name of the tensor that it adds."""

    def __init__(self, seed: int) -> None:
        self._nodes: list[NodeProto] = []
        self._weights: dict[str, NDArray[np.float32]] = {}
        self._constants: dict[tuple[str, bytes, tuple[int, ...]], str] = {}
        self._random = np.random.default_rng(seed)

    def add(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Adds a node that is named as its output."""
        self._nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def constant(self, value: ArrayLike) -> str:
        """Adds a Constant node, once for equal values: floats as float32, integers as int64."""
        array = np.asarray(value)
        array = array.astype(np.float32 if array.dtype.kind == "f" else np.int64)
        key = (array.dtype.str, array.tobytes(), array.shape)
        if key not in self._constants:
            name = f"constant{len(self._constants)}"
            self._constants[key] = self.add("Constant", [], name, value=numpy_helper.from_array(array, name))
        return self._constants[key]

    def weight(self, name: str, shape: Sequence[int], deviation: float, *, mean: float = 0.0) -> str:
        """Adds random weights of a normal distribution."""
        self._weights[name] = self._random.normal(mean, deviation, tuple(shape)).astype(np.float32)
        return name

    def convolution(
        self,
        tensor: str,
        name: str,
        shape: tuple[int, int, int],
        *,
        stride: int = 1,
        group: int = 1,
        rectifier: str = "",
        gain: float = 1.0,
    ) -> str:
        """Adds a convolution of `shape` (channels out, channels in, side) that keeps the size at stride 1.

        A rectifier, `relu` or `relu6`, takes half of the mean square away, so its weights get twice the variance.
        """
        out, into, side = shape
        fan_in = into // group * side * side
        deviation = gain * ((2 if rectifier else 1) / fan_in) ** 0.5
        weights = [
            self.weight(f"{name}.weight", (out, into // group, side, side), deviation),
            self.weight(f"{name}.bias", (out,), 0.05),
        ]
        tensor = self.add(
            "Conv",
            [tensor, *weights],
            name,
            kernel_shape=[side, side],
            strides=[stride, stride],
            pads=[side // 2] * 4,
            group=group,
        )
        operator, limits = RECTIFIERS[rectifier]
        bounds = [self.constant(limit) for limit in limits]
        return self.add(operator, [tensor, *bounds], f"{name}.{rectifier}") if operator else tensor

    def classify(self, tensor: str, channels: int, classes: int) -> str:
        """Adds the mean over all places and a linear layer that makes `scores`."""
        tensor = self.add("GlobalAveragePool", [tensor], "mean")
        tensor = self.add("Flatten", [tensor], "flat", axis=1)
        weights = [
            self.weight("scores.weight", (classes, channels), (1 / channels) ** 0.5),
            self.weight("scores.bias", (classes,), 0.05),
        ]
        return self.add("Gemm", [tensor, *weights], "scores", transB=1)

    def model(self, name: str, given: tuple[str, Sequence[int]], made: tuple[str, Sequence[int]]) -> onnx.ModelProto:
        """Returns the checked model of one input and one output, float32, each a name and a shape."""
        graph = helper.make_graph(
            self._nodes,
            name,
            [helper.make_tensor_value_info(given[0], TensorProto.FLOAT, given[1])],
            [helper.make_tensor_value_info(made[0], TensorProto.FLOAT, made[1])],
            [numpy_helper.from_array(array, each) for each, array in self._weights.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        return model
