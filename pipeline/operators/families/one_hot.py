"""OneHot: an axis of `depth` elements, on where the index says and off elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import movement


class OneHot(Operator):
    """One of two values, by comparing the place on a new axis with an index."""

    op_types = ("OneHot",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One index, and both values."""
        depth, inner = _extent(call)
        return Kernel(
            ("one_hot.glsl",),
            {"I": call.node.inputs[0], "V": call.node.inputs[2]},
            MappingProxyType({"DEPTH": depth, "INNER_COUNT": inner}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """One index, and both values."""
        depth, inner = _extent(call)
        index = element // (inner * depth) * inner + element % inner
        return {0: np.array([index], dtype=np.int64), 2: np.array([0, 1], dtype=np.int64)}


def _extent(call: Call) -> tuple[int, int]:
    """The depth, and the number of elements between two neighbours on the new axis."""
    shape = call.output_shape()
    axis = call.axis(default=-1, rank=len(shape))
    return shape[axis], int(np.prod(shape[axis + 1 :], dtype=np.int64))


OPERATORS = (OneHot(),)
