"""Trilu: the upper or lower triangle of matrices, zero elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, unravel
from texelscope.pipeline.operators.rounding import movement


class Trilu(Operator):
    """Elements above (or below) a diagonal."""

    op_types = ("Trilu",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The element itself, where it is kept."""
        return Kernel(
            ("trilu.glsl",),
            {"X": call.node.inputs[0]},
            MappingProxyType({"UPPER": bool(call.attribute("upper", 1)), "DIAGONAL": _diagonal(call)}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The element, or nothing where zero stands."""
        _, _, row, column = unravel(element, call.output_shape())
        off = column - row - _diagonal(call)
        kept = off >= 0 if call.attribute("upper", 1) else off <= 0
        return {0: np.array([element], dtype=np.int64)} if kept else {}


def _diagonal(call: Call) -> int:
    """Beyond ±2³⁰ a diagonal is outside every matrix that a texture holds."""
    value = int(np.ravel(call.required_constant(1, "a diagonal"))[0]) if call.has(1) else 0
    return min(max(value, -(1 << 30)), 1 << 30)


OPERATORS = (Trilu(),)
