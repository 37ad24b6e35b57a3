"""Where: one of two tensors, element by element, by a condition; with broadcasting."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators import broadcast
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise


class Where(Operator):
    """y = a where the condition holds, else b."""

    op_types = ("Where",)
    facts = Facts(pointwise=True)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element of each, read whether it is taken or not."""
        condition, a, b = call.node.inputs
        reads: dict[str, str | tuple[str, ...]] = {"CONDITION": condition, "A": a, "B": b}
        if broadcast.lines_up(call):
            return Kernel(("where.glsl",), reads)
        shape = call.output_shape() or (1,)
        return Kernel(
            ("where_strided.glsl",),
            reads,
            MappingProxyType(
                {
                    "RANK": len(shape),
                    "SIZES": shape,
                    "STRIDES": sum((broadcast.strides(call, i) or (0,) for i in range(3)), ()),
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; the error of what is taken."""
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """One element of each."""
        return broadcast.read_indices(call, element, (0, 1, 2))


OPERATORS = (Where(),)
