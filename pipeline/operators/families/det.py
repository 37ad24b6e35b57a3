"""Det: determinants of small square matrices."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma

LARGEST = 4
# Of one of the products of four elements: three multiplications, and the additions that it goes through.
ROUNDINGS = 12


class Det(Operator):
    """The determinant of each matrix in the last two axes, of up to four rows."""

    op_types = ("Det",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element reads one matrix."""
        size = call.shape(0)[-1]
        if size > LARGEST:
            raise UnsupportedError(call.who, f"matrices of at most {LARGEST} rows", str(size), "Use smaller matrices.")
        return Kernel(("det.glsl",), {"X": call.node.inputs[0]}, MappingProxyType({"N": size}))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ over the permanent of |x|, the sum of the sizes of all products; carried: what errors add to it."""
        x = np.abs(np.asarray(evaluation.inputs[0], dtype=np.float64))
        size = _permanent(x)
        bound = 2.0 * gamma(ROUNDINGS, evaluation.unit) * size + 2.0 * SMALLEST_NORMAL
        error = evaluation.errors[0]
        return np.asarray(bound if error is None else bound + _permanent(x + error) - size)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The whole matrix."""
        count = call.shape(0)[-1] ** 2
        return {0: element * count + np.arange(count, dtype=np.int64)}


def _permanent(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """As a determinant, with all signs positive; large matrices never run."""
    size = x.shape[-1]
    if size > LARGEST:
        return np.zeros(x.shape[:-2])
    rows = range(size)
    return np.asarray(sum(np.prod([x[..., r, c] for r, c in zip(rows, columns, strict=True)], axis=0)
                          for columns in itertools.permutations(rows)))  # fmt: skip


OPERATORS = (Det(),)
