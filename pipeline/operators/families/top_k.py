"""TopK: the largest (or smallest) elements along an axis, best first, and where they were."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rewriting import Passes

# Of an axis that one fragment compares with itself, element by element.
LONGEST_AXIS = 48


class TopK(Operator):
    """Values, and their indices as the second output; of equal ones the first comes first."""

    op_types = ("TopK",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """A long axis in two steps: each element's rank, then the elements of the ranks that are kept."""
        axis, x = call.axis(default=-1), call.info(0)
        if x.shape[axis] <= LONGEST_AXIS:
            return None
        passes = Passes(call.node.name)
        common = {"axis": axis, "sign": _sign(call)}
        rank = passes.add("Rank", (x.name,), TensorInfo(f"{call.node.name}/rank", x.shape, "int64"), **common)
        for position, name in enumerate(call.node.outputs):
            if name:
                passes.add(
                    "ByRank",
                    (x.name, rank),
                    call.output_info(position),
                    indices=position,
                    kept=call.output_shape()[axis],
                    **common,
                )
        return passes.rewrite()

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The element that exactly as many others of the axis beat as its place says."""
        axis = call.axis(default=-1)
        return Kernel(
            ("top_k.glsl",),
            {"X": call.node.inputs[0]},
            MappingProxyType(
                {
                    "AXIS_COUNT": call.shape(0)[axis],
                    "KEPT": call.output_shape()[axis],
                    "INNER_COUNT": strides_of(call.shape(0))[axis],
                    "SIGN": _sign(call),
                    "INDICES": output == 1,
                }
            ),
            turns=call.shape(0)[axis] ** 2,
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; a value moves by the axis' largest error at most, an index to any whose value could be there."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        axis = call.axis(default=-1)
        if evaluation.position == 0:
            return np.asarray(np.zeros(evaluation.output.shape) + error.max(axis=axis, keepdims=True))
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        there = np.take_along_axis(x, evaluation.output, axis=axis)
        reach = np.zeros(evaluation.output.shape)
        for k in range(x.shape[axis]):
            near = np.abs(x.take([k], axis=axis) - there) <= 2.0 * error.max(axis=axis, keepdims=True)
            reach = np.maximum(reach, np.where(near, np.abs(evaluation.output - k), 0.0))
        return reach

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The whole axis."""
        axis = call.axis(default=-1)
        inner, count = strides_of(call.shape(0))[axis], call.shape(0)[axis]
        outer = element // inner // call.output_shape()[axis]
        return {0: outer * count * inner + element % inner + np.arange(count, dtype=np.int64) * inner}


def _sign(call: Call) -> float:
    return 1.0 if call.attribute("largest", 1) else -1.0


OPERATORS = (TopK(),)
