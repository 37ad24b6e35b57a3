"""Implements Where: one of two tensors per element, by a condition; with broadcasting."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators import affine
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise


class Where(Operator):
    """Computes y = a where the condition holds, else b."""

    op_types = ("Where",)
    facts = Facts(pointwise=True)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one element of each, selected or not."""
        condition, a, b = call.node.inputs
        reads: dict[str, str | tuple[str, ...]] = {"CONDITION": condition, "A": a, "B": b}
        if affine.lines_up(call):
            return Kernel(("where.glsl",), reads)
        shape = call.output_shape() or (1,)
        return Kernel(
            ("where_strided.glsl",),
            reads,
            MappingProxyType(
                {
                    "RANK": len(shape),
                    "SIZES": shape,
                    "STRIDES": sum((affine.strides(call, i) or (0,) for i in range(3)), ()),
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; carries the error of the selected element."""
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one element of each."""
        return affine.read_indices(call, element, (0, 1, 2))


OPERATORS = (Where(),)
