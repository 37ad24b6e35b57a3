"""Rewrites an ONNX model as steps of TensorFlow.js, whose images have their channels last.

Its kernels add a bias and clip what they made, so such an operator becomes part of the step before it, as a converted
graph of TensorFlow has it. What is no such pair is one step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper

# By operator of ONNX: the function of `tf`, which has the same inputs in the same order.
_SAME = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Div": "div",
    "Sqrt": "sqrt",
    "Erf": "erf",
    "Relu": "relu",
}
Weights = tuple[NDArray[np.float32], ...]


@dataclass(frozen=True)
class Step:
    """Describes one call: `kind` names it, `options` are what it needs beside tensors."""

    kind: str
    inputs: tuple[str, ...]
    output: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Steps:
    """Holds the calls in order, the shape of each weight in order, and the numbers that are no parameters."""

    steps: tuple[Step, ...]
    weights: Mapping[str, tuple[int, ...]]
    scalars: Mapping[str, float]


class UnknownOperatorError(Exception):
    """An operator or its attributes have no step here."""


def steps_of(model: onnx.ModelProto) -> tuple[Steps, Weights]:
    """Returns the steps, and the weights in the order of their shapes."""
    return _Rewriting(model.graph).run()


class _Rewriting:
    """Goes through the nodes in order; `_done` names those that became part of a step before."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self._nodes = graph.node
        self._weights = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
        self._constants = {
            node.output[0]: numpy_helper.to_array(node.attribute[0].t)
            for node in graph.node
            if node.op_type == "Constant"
        }
        self._uses = Counter(name for node in graph.node for name in node.input)
        self._readers = {name: node for node in graph.node for name in node.input}
        self._done: set[str] = set()

    def run(self) -> tuple[Steps, Weights]:
        steps = []
        for node in self._nodes:
            # A node becomes part of one before it, so it is known to be done when its turn comes.
            if node.op_type != "Constant" and node.name not in self._done:
                steps.append(self._step(node))
        read = {name for step in steps for name in step.inputs}
        scalars = {name: float(value) for name, value in self._constants.items() if name in read}
        shapes = {name: array.shape for name, array in self._weights.items()}
        return Steps(tuple(steps), shapes, scalars), tuple(map(np.ascontiguousarray, self._weights.values()))

    def _step(self, node: NodeProto) -> Step:
        said = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        inputs, output = tuple(node.input), node.output[0]
        if node.op_type in _SAME:
            return Step(_SAME[node.op_type], inputs, output, {})
        match node.op_type:
            case "Conv":
                return self._convolution(node, said)
            case "MatMul":
                return self._product(node)
            case "Gemm" if said == {"transB": 1}:
                self._weights[inputs[1]] = self._weights[inputs[1]].T
                return Step("matMul", inputs, output, {})
            case "Reshape":
                return Step("reshape", inputs[:1], output, {"shape": self._constants[inputs[1]].tolist()})
            case "Pow" if self._constants[inputs[1]] == 2:
                return Step("square", inputs[:1], output, {})
            case _:
                return _lone(node, said)

    def _convolution(self, node: NodeProto, said: Mapping[str, Any]) -> Step:
        """Returns a convolution with what clips it; a kernel becomes [h, w, in, out], of one channel [h, w, c, 1]."""
        kernel = self._weights[node.input[1]]
        is_each = said["group"] > 1
        if is_each and (kernel.shape[1] != 1 or kernel.shape[0] != said["group"]):
            raise UnknownOperatorError(f"{node.name}: expected one group or one channel in each, got {said['group']}")
        self._weights[node.input[1]] = kernel.transpose((2, 3, 0, 1) if is_each else (2, 3, 1, 0))
        output, options = node.output[0], {"stride": said["strides"], "pad": _pad(said["pads"])}
        after = self._only_reader(output)
        rectifier = self._rectifier(after)
        if after is not None and rectifier:
            self._done.add(after.name)
            output, options = after.output[0], options | {"activation": rectifier}
        return Step("depthwiseConv2d" if is_each else "conv2d", tuple(node.input), output, options)

    def _product(self, node: NodeProto) -> Step:
        inputs, output = tuple(node.input), node.output[0]
        after = self._only_reader(output)
        if after is not None and after.op_type == "Add" and after.input[0] == output:
            bias = self._weights.get(after.input[1])
            if bias is not None and bias.ndim == 1:
                self._done.add(after.name)
                inputs, output = (*inputs, after.input[1]), after.output[0]
        return Step("matMul", inputs, output, {})

    def _only_reader(self, name: str) -> NodeProto | None:
        return self._readers[name] if self._uses[name] == 1 else None

    def _rectifier(self, node: NodeProto | None) -> str:
        if node is not None and node.op_type == "Clip":
            return "relu6" if [self._constants[name] for name in node.input[1:]] == [0, 6] else ""
        return "relu" if node is not None and node.op_type == "Relu" else ""


def _lone(node: NodeProto, said: Mapping[str, Any]) -> Step:
    """Returns the step of an operator that needs to know no other node and no weight."""
    inputs, output = tuple(node.input), node.output[0]
    match node.op_type:
        case "MaxPool":
            sizes = {"size": said["kernel_shape"], "stride": said["strides"], "pad": _pad(said["pads"])}
            return Step("maxPool", inputs, output, sizes)
        case "GlobalAveragePool":
            return Step("mean", inputs, output, {"axes": [1, 2]})
        case "ReduceMean":
            return Step("mean", inputs, output, {"axes": said["axes"]})
        case "Flatten" if said == {"axis": 1}:
            return Step("reshape", inputs, output, {"shape": [1, -1]})
        case "Transpose":
            return Step("transpose", inputs, output, {"order": said["perm"]})
        case "Softmax":
            return Step("softmax", inputs, output, {})
    raise UnknownOperatorError(f"{node.name}: expected an operator that has a step, got {node.op_type} {said}")


def _pad(pads: list[int]) -> int:
    if len(set(pads)) > 1:
        raise UnknownOperatorError(f"expected the same padding at all sides, got {pads}")
    return pads[0]
