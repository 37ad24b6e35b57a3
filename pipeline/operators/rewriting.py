"""Writing one node as several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.graph import OWN_DOMAIN, Node, TensorInfo
from texelscope.pipeline.operators.base import Array, Rewrite


@dataclass
class Passes:
    """Nodes and tensors collected while one node is written as several; `name` is that node's."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    tensors: list[TensorInfo] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)

    def add(self, op_type: str, inputs: tuple[str, ...], output: TensorInfo, **attributes: Any) -> str:
        """One more node of the own domain; returns its output's name."""
        return self._add(op_type, inputs, output, attributes, domain=OWN_DOMAIN)

    def add_onnx(self, op_type: str, inputs: tuple[str, ...], output: TensorInfo, **attributes: Any) -> str:
        """One more node of ONNX's domain, opset 18; returns its output's name."""
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
        """One more constant; returns its name."""
        self.constants[f"{self.name}/{name}"] = value
        return f"{self.name}/{name}"

    def rewrite(self) -> Rewrite:
        """What was collected."""
        return Rewrite(tuple(self.nodes), tuple(self.tensors), MappingProxyType(self.constants))
