"""A node with its inputs, for PyTorch to compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx

from tests.gl.operators.single_node import Array, NodeCase
from texelscope.pipeline.graph import Shape

# A tensor of PyTorch, or all outputs of a node.
Tensor = Any
Results = Any


class NothingAlikeError(Exception):
    """PyTorch has nothing that means this."""


@dataclass(frozen=True)
class TorchNode:
    """The node of `case`; `inputs` are tensors of PyTorch, and `shape` is that of the output that is looked at."""

    case: NodeCase
    inputs: Mapping[int, Tensor]
    shape: Shape

    def __getitem__(self, position: int) -> Tensor:
        return self.inputs[position]

    @property
    def tensors(self) -> list[Tensor]:
        """All inputs that are there."""
        return [self.inputs[position] for position in sorted(self.inputs)]

    @property
    def rank(self) -> int:
        """Number of axes of the first input."""
        return int(self[0].ndim)

    @property
    def axis(self) -> int:
        """The attribute, counted from the front."""
        return int(self.said("axis", 0)) % max(self.rank, 1)

    def has(self, position: int) -> bool:
        """Whether the input at `position` is there."""
        return position in self.inputs

    def value(self, position: int) -> Array:
        """An input that is no variable."""
        return np.asarray(self.inputs[position].detach().numpy())

    def whole(self, position: int) -> list[int]:
        """Its numbers, if they are whole."""
        return [int(each) for each in self.value(position).reshape(-1)]

    def said(self, name: str, default: Any = None) -> Any:
        """An attribute, what the schema says of one that is left out, or `default`."""
        found = self.case.attributes.get(name)
        if found is None:
            declared = onnx.defs.get_schema(self.case.op_type, self.case.opset).attributes.get(name)
            if declared is not None and declared.default_value.type:
                found = onnx.helper.get_attribute_value(declared.default_value)
        found = found.decode() if isinstance(found, bytes) else found
        return default if found is None else found
