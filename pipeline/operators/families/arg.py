"""ArgMax and ArgMin: where along an axis the largest or smallest element lies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.reduction import one_axis
from texelscope.pipeline.operators.rewriting import Passes

# Elements that one fragment walks; the best of more comes from two passes.
LONGEST_WALK = 4096


@dataclass(frozen=True)
class Arg(Operator):
    """The index of the extreme; the first of equal ones, or the last where `select_last_index` says so."""

    op_type: str
    description: str
    sign: float

    def names(self) -> tuple[str, ...]:
        """The one operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """The entry's own line."""
        return self.description

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """A long axis in blocks: the best of each, then the best of those."""
        axis, shape = call.axis(), call.shape(0)
        if shape[axis] <= LONGEST_WALK:
            return None
        block = math.isqrt(shape[axis] - 1) + 1
        blocks = -(-shape[axis] // block)
        passes, x, output = Passes(call.node.name), call.node.inputs[0], call.output_info()
        best = TensorInfo(f"{call.node.name}/blocks", (output.count, blocks), output.dtype)
        last = int(call.attribute("select_last_index", 0))
        common: dict[str, Any] = {"view": shape, "axes": (axis,), "sign": self.sign, "last": last}
        passes.add("BlockArg", (x,), best, block=block, shape=best.shape, **common)
        passes.add("BlockArg", (x, best.name), output, block=shape[axis], shape=output.shape, **common)
        return passes.rewrite()

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Every element walks the axis itself."""
        constants: dict[str, Constant] = {
            "SIGN": self.sign,
            "LAST": bool(call.attribute("select_last_index", 0)),
            **one_axis(call, call.axis()).constants(),
        }
        return Kernel(
            ("reduce/places.glsl", "reduce/arg.glsl"),
            {"X": call.node.inputs[0]},
            MappingProxyType(constants),
            turns=call.shape(0)[call.axis()],
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; anywhere among the elements that the errors of x let win, the farthest of them counts."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        axis = call.axis()
        x = self.sign * np.asarray(evaluation.inputs[0], dtype=np.float64)
        could_win = x + error >= (x - error).max(axis=axis, keepdims=True)
        index = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
        chosen = np.asarray(evaluation.output).reshape([1 if d == axis else n for d, n in enumerate(x.shape)])
        return np.asarray(np.where(could_win, np.abs(index - chosen), 0).max(axis=axis)).reshape(
            evaluation.output.shape
        )

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The whole axis."""
        return {0: one_axis(call, call.axis()).elements(element)}


OPERATORS = (
    Arg("ArgMax", "Where along an axis the largest element lies.", 1.0),
    Arg("ArgMin", "Where along an axis the smallest element lies.", -1.0),
)
