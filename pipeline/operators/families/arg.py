"""Implements ArgMax and ArgMin: where along an axis the largest or smallest element lies.

BlockArg, of the program's own domain, finds it in each block of a group of elements.
"""

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
from texelscope.pipeline.operators.facts import Rows
from texelscope.pipeline.operators.reduction import one_axis, viewed_axes
from texelscope.pipeline.operators.rewriting import Passes

# A fragment reads at most this many elements; the best of more comes from two passes.
LONGEST_WALK = 4096


@dataclass(frozen=True)
class Arg(Operator):
    """Finds the index of the extreme; the first of equal ones, or the last if `select_last_index` is set."""

    op_type: str
    description: str
    sign: float

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the entry's description."""
        return self.description

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a long axis in blocks: the best of each, then the best of those."""
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
        """Reads the axis in every element."""
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
        """Adds no rounding error; the farthest of the elements that may win within the errors of x counts."""
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
        """Returns the whole axis."""
        return {0: one_axis(call, call.axis()).elements(element)}


class BlockArg(Operator):
    """Finds the place of the best element of each block, or of the best among one candidate per block."""

    op_types = ("BlockArg",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one block, or the candidates of one group."""
        groups, block = viewed_axes(call), int(call.attribute("block"))
        candidates = call.shape(1)[-1] if call.has(1) else 1
        constants: dict[str, Constant] = {
            "BLOCK": block,
            "BLOCKS": -(-groups.count // block),
            "CANDIDATES": candidates,
            "SIGN": float(call.attribute("sign")),
            "LAST": bool(call.attribute("last")),
            **groups.constants(),
        }
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        if call.has(1):
            reads["C"] = call.node.inputs[1]
        turns = candidates if call.has(1) else block
        return Kernel(("reduce/places.glsl", "reduce/block_arg.glsl"), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error; with errors of x, any place in the block that may win within them counts."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        groups, block = Rows(tuple(call.attribute("view")), tuple(call.attribute("axes"))), int(call.attribute("block"))
        x = float(call.attribute("sign")) * groups.of(np.asarray(evaluation.inputs[0], dtype=np.float64))
        reach = groups.of(error)
        starts = np.arange(0, x.shape[1], block)
        least = np.repeat(np.maximum.reduceat(x - reach, starts, axis=1), block, axis=1)[:, : x.shape[1]]
        chosen = np.repeat(np.asarray(evaluation.output).reshape(len(x), -1), block, axis=1)[:, : x.shape[1]]
        far = np.where(x + reach >= least, np.abs(np.arange(x.shape[1]) - chosen), 0.0)
        return np.asarray(np.maximum.reduceat(far, starts, axis=1).reshape(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the block of the group; which elements candidates represent is unknown before the run."""
        if call.has(1):
            return None
        return {0: viewed_axes(call).block_elements(element, int(call.attribute("block")))}


OPERATORS = (
    Arg("ArgMax", "Finds where along an axis the largest element lies.", 1.0),
    Arg("ArgMin", "Finds where along an axis the smallest element lies.", -1.0),
    BlockArg(),
)
