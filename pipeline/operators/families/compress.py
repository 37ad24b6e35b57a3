"""Compress: slices along an axis, or elements, where a condition holds; it has to be known before the run."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rounding import movement


class Compress(Operator):
    """Gather by the places where the condition holds."""

    op_types = ("Compress",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """A Gather; without an axis, of the flattened input."""
        picked = np.flatnonzero(call.required_constant(1, "a condition")).astype(np.int64)
        name, x = call.node.name, call.node.inputs[0]
        indices = f"{name}/indices"
        if call.attribute("axis") is not None:
            gather = _gather(call, (x, indices), call.axis())
            return Rewrite((gather,), constants={indices: picked})
        flat, shape = f"{name}/flat", f"{name}/shape"
        reshape = Node(flat, "Reshape", (x, shape), (flat,), opset=call.node.opset)
        return Rewrite(
            (reshape, _gather(call, (flat, indices), 0)),
            (TensorInfo(flat, (call.info(0).count,), call.info(0).dtype),),
            {indices: picked, shape: np.array([-1], dtype=np.int64)},
        )

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """There is none: the rewrite stands for it, unless the condition depends on the run."""
        call.required_constant(1, "a condition")
        raise UnsupportedError(call.who, "a Gather in its place", "the node itself", "Plan the model again.")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)


def _gather(call: Call, inputs: tuple[str, str], axis: int) -> Node:
    attributes = MappingProxyType({"axis": axis})
    return dataclasses.replace(call.node, op_type="Gather", inputs=inputs, attributes=attributes)


OPERATORS = (Compress(),)
