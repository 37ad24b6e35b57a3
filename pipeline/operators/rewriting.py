"""Writes one node as several: sums too long for one fragment become the same node on slices, and a Sum over those."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from texelscope.pipeline.graph import OWN_DOMAIN, Node, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Rewrite


@dataclass
class Passes:
    """Collects nodes and tensors while one node is written as several; `name` is that node's."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    tensors: list[TensorInfo] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)

    def add(self, op_type: str, inputs: tuple[str, ...], output: TensorInfo, **attributes: Any) -> str:
        """Adds a node of the own domain; returns its output's name."""
        return self._add(op_type, inputs, output, attributes, domain=OWN_DOMAIN)

    def add_onnx(self, op_type: str, inputs: tuple[str, ...], output: TensorInfo, **attributes: Any) -> str:
        """Adds a node of ONNX's domain, opset 18; returns its output's name."""
        return self._add(op_type, inputs, output, attributes, domain="")

    def _add(
        self, op_type: str, inputs: tuple[str, ...], output: TensorInfo, attributes: Mapping[str, Any], *, domain: str
    ) -> str:
        if all(info.name != output.name for info in self.tensors):
            self.tensors.append(output)
        name = output.name if output.name.startswith(f"{self.name}/") else self.name
        opset = 1 if domain else 18
        self.nodes.append(Node(name, op_type, inputs, (output.name,), MappingProxyType(attributes), domain, opset))
        return output.name

    def constant(self, name: str, value: Array) -> str:
        """Adds a constant; returns its name."""
        self.constants[f"{self.name}/{name}"] = value
        return f"{self.name}/{name}"

    def rewrite(self) -> Rewrite:
        """Returns the collected nodes."""
        return Rewrite(tuple(self.nodes), tuple(self.tensors), MappingProxyType(self.constants))


def in_parts(call: Call, cuts: Mapping[int, int], most: int, addends: tuple[int, ...] = ()) -> Rewrite | None:
    """Returns the node on at most `most` elements at a time of the axis that it sums over; None if it has no more.

    `cuts` maps the positions of the inputs with that axis to the axis. Inputs
    at the positions `addends`, which are the last ones, are added once.
    """
    sizes = {call.shape(position)[axis] for position, axis in cuts.items()}
    (count,) = sizes
    if count <= most:
        return None
    name, output = call.node.name, call.output_info()
    nodes: list[Node] = []
    tensors: list[TensorInfo] = []
    constants: dict[str, Array] = {}
    parts = []
    for start in range(0, count, most):
        end, part = min(start + most, count), f"{name}/from{start}"
        inputs = list(call.node.inputs if start == 0 else call.node.inputs[: min(addends, default=None)])
        for position, axis in cuts.items():
            inputs[position] = cut = f"{part}/{position}"
            value, info = call.constant(position), call.info(position)
            if value is not None:
                constants[cut] = value.take(range(start, end), axis=axis)
                continue
            shape = tuple(end - start if i == axis % len(info.shape) else n for i, n in enumerate(info.shape))
            tensors.append(TensorInfo(cut, shape, info.dtype))
            limits = {"start": start, "end": end, "axis": axis % len(info.shape)}
            constants |= {f"{cut}/{key}": np.array([number], dtype=np.int64) for key, number in limits.items()}
            nodes.append(Node(cut, "Slice", (info.name, *(f"{cut}/{key}" for key in limits)), (cut,), opset=13))
        parts.append(f"{part}/sum")
        tensors.append(TensorInfo(parts[-1], output.shape, output.dtype))
        nodes.append(dataclasses.replace(call.node, name=parts[-1], inputs=tuple(inputs), outputs=(parts[-1],)))
    total = Node(name, "Sum", tuple(parts), call.node.outputs, opset=13)
    return Rewrite((*nodes, total), tuple(tensors), MappingProxyType(constants))
