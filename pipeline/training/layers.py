"""Builds ONNX models from layers in the style of torch.nn, with its names and initial values."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.writer import OPSET


class ModelParts:
    """Collects nodes and weights of a model; `x` is the tensor that the next layer takes, of shape `shape`."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self.x, self.shape = "input", shape
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._random = np.random.default_rng(seed)

    def weight(self, name: str, shape: Shape, inputs: int) -> str:
        """Adds a weight of that name, uniform in ±1/√inputs; returns its name."""
        bound = 1.0 / math.sqrt(inputs)
        value = self._random.uniform(-bound, bound, shape).astype(np.float32)
        return self.constant(name, value)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds a constant of that name; returns its name."""
        self.weights.append(numpy_helper.from_array(value, name))
        return name

    def add(self, name: str, op_type: str, inputs: Sequence[str], shape: Shape, **attributes: Any) -> None:
        """Adds a node, called `name`, whose output of that shape the next layer takes."""
        self.nodes.append(helper.make_node(op_type, [*inputs], [name], name, **attributes))
        self.x, self.shape = name, shape


class Layer(ABC):
    """Builds one layer, or several in a row."""

    @abstractmethod
    def write(self, parts: ModelParts, name: str) -> None:
        """Adds its nodes, named after `name`. Raises TexelscopeError for an input of a wrong shape."""

    def model(self, shape: Shape, seed: int = 0) -> onnx.ModelProto:
        """Returns a model over `input` of that shape, rows first, with seeded weights; its last tensor is the output.

        Raises TexelscopeError for a layer that does not take the output of the one before.
        """
        parts = ModelParts(tuple(shape), seed)
        self.write(parts, "")
        described = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
            for name, sizes in (("input", shape), (parts.x, parts.shape))
        ]
        graph = helper.make_graph(parts.nodes, type(self).__name__, described[:1], described[1:], parts.weights)
        imports = [helper.make_opsetid("", OPSET)]
        return helper.make_model(graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports))


@dataclass(frozen=True)
class Linear(Layer):
    """Builds torch.nn.Linear: y = x · weightᵀ + bias along the last axis, weight [outputs, inputs]."""

    inputs: int
    outputs: int
    bias: bool = True

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds Gemm for two axes, else MatMul and Add."""
        rows, features = parts.shape[:-1], parts.shape[-1] if parts.shape else 0
        _expect(f"Linear '{name or 'layer'}'", f"{self.inputs} features", features, self.inputs)
        x, shape = parts.x, (*rows, self.outputs)
        weight = parts.weight(_under(name, "weight"), (self.outputs, self.inputs), self.inputs)
        bias = [parts.weight(_under(name, "bias"), (self.outputs,), self.inputs)] if self.bias else []
        name = name or "linear"
        if len(rows) == 1:
            parts.add(name, "Gemm", (x, weight, *bias), shape, transB=1)
            return
        parts.add(f"{name}/transposed", "Transpose", (weight,), (self.inputs, self.outputs), perm=[1, 0])
        parts.add(f"{name}/product" if bias else name, "MatMul", (x, parts.x), shape)
        if bias:
            parts.add(name, "Add", (parts.x, *bias), shape)


@dataclass(frozen=True)
class Conv2d(Layer):
    """Builds torch.nn.Conv2d over [n, c, h, w], the same kernel size, stride and padding in both directions."""

    inputs: int
    outputs: int
    kernel: int
    stride: int = 1
    padding: int = 0
    groups: int = 1
    bias: bool = True

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds Conv."""
        who = f"Conv2d '{name or 'layer'}'"
        _expect(who, "4 axes, N, C, H, W", len(parts.shape), 4)
        n, channels, *sizes = parts.shape
        _expect(who, f"{self.inputs} channels", channels, self.inputs)
        made = [(size + 2 * self.padding - self.kernel) // self.stride + 1 for size in sizes]
        if min(made) < 1:
            raise TexelscopeError(who, f"pictures of {self.kernel} pixels a side", str(sizes), "Use a larger shape.")
        share = self.inputs // self.groups
        read = share * self.kernel**2
        given = [parts.x, parts.weight(_under(name, "weight"), (self.outputs, share, self.kernel, self.kernel), read)]
        given += [parts.weight(_under(name, "bias"), (self.outputs,), read)] if self.bias else []
        parts.add(
            name or "conv", "Conv", given, (n, self.outputs, *made),
            kernel_shape=[self.kernel] * 2, strides=[self.stride] * 2, pads=[self.padding] * 4, group=self.groups,
        )  # fmt: skip


@dataclass(frozen=True)
class ReLU(Layer):
    """Builds torch.nn.ReLU: max(x, 0)."""

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds Relu."""
        parts.add(name or "relu", "Relu", (parts.x,), parts.shape)


@dataclass(frozen=True)
class Tanh(Layer):
    """Builds torch.nn.Tanh."""

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds Tanh."""
        parts.add(name or "tanh", "Tanh", (parts.x,), parts.shape)


@dataclass(frozen=True)
class Flatten(Layer):
    """Builds torch.nn.Flatten: all axes but the first become one."""

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds Reshape to known sizes."""
        shape = (parts.shape[0], math.prod(parts.shape[1:]))
        sizes = parts.constant(_under(name, "sizes"), np.array(shape, np.int64))
        parts.add(name or "flatten", "Reshape", (parts.x, sizes), shape)


class Sequential(Layer):
    """Builds torch.nn.Sequential: one layer after the other; their weights are called `0.weight`, `2.bias` …"""

    def __init__(self, *layers: Layer) -> None:
        self.layers = layers

    def write(self, parts: ModelParts, name: str) -> None:
        """Adds the nodes of all layers."""
        for number, layer in enumerate(self.layers):
            layer.write(parts, _under(name, str(number)))


def _under(name: str, last: str) -> str:
    return f"{name}.{last}" if name else last


def _expect(who: str, expected: str, got: int, wanted: int) -> None:
    if got != wanted:
        raise TexelscopeError(who, expected, str(got), "Change the layer, or the one before it.")
