"""Implements CumSum and CumProd: each element is the sum or product of those before it on an axis.

Long ones are computed by BlockCumulative and AcrossBlocks, of the program's own domain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import gamma

# A fragment reads at most this many elements; longer axes take two passes.
LONGEST_WALK = 4096


@dataclass(frozen=True)
class Cumulative(Operator):
    """Folds the shader's `float binary(float a, float b)` along an axis, from `start` on."""

    op_type: str
    description: str
    shader: str
    start: float

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the entry's description."""
        return self.description

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits a long axis in blocks: each block's initial value, then all elements from there."""
        axis = _axis(call)
        count = call.shape(0)[axis]
        if count <= LONGEST_WALK:
            return None
        passes, output = Passes(call.node.name), call.output_info()
        inside = TensorInfo(f"{call.node.name}/blocks", output.shape, output.dtype)
        common = {"axis": axis, "block": math.isqrt(count - 1) + 1, "fold": self.shader, "start": self.start}
        common["reverse"] = int(call.attribute("reverse", 0))
        passes.add("BlockCumulative", (call.node.inputs[0],), inside, **common)
        exclusive = int(call.attribute("exclusive", 0))
        passes.add("AcrossBlocks", (inside.name,), output, exclusive=exclusive, **common)
        return passes.rewrite()

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the axis up to its own place in every element."""
        axis = _axis(call)
        return Kernel(
            (f"elementwise/{self.shader}.glsl", "cumulative.glsl"),
            {"X": call.node.inputs[0]},
            MappingProxyType(
                {
                    "START": self.start,
                    "AXIS_COUNT": call.shape(0)[axis],
                    "AXIS_STRIDE": strides_of(call.shape(0))[axis],
                    "EXCLUSIVE": bool(call.attribute("exclusive", 0)),
                    "REVERSE": bool(call.attribute("reverse", 0)),
                }
            ),
            turns=call.shape(0)[axis],
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over the fold of absolute values; carried: the fold of |x| + e, less that of |x|."""
        x = evaluation.inputs[0]
        assert x is not None
        others = evaluation.inputs[1:]
        magnitude = evaluation.run([np.abs(x), *others]).astype(np.float64)
        bound = 2.0 * gamma(call.shape(0)[_axis(call)], evaluation.unit) * magnitude
        error = evaluation.errors[0]
        if error is None:
            return bound
        moved = evaluation.run([(np.abs(x) + error).astype(x.dtype), *others]).astype(np.float64)
        return bound + (moved - magnitude)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the elements before it on the axis (after it, in reverse), and itself unless they exclude it."""
        axis = _axis(call)
        stride, count = strides_of(call.shape(0))[axis], call.shape(0)[axis]
        place = element // stride % count
        own = 0 if call.attribute("exclusive", 0) else 1
        span = np.arange(place + 1 - own, count) if call.attribute("reverse", 0) else np.arange(place + own)
        return {0: (element + (span - place) * stride).astype(np.int64)}


def _axis(call: Call) -> int:
    axis = int(np.ravel(call.required_constant(1, "an axis"))[0])
    return axis % len(call.shape(0))


class _Running(Operator):
    """Shares the axis, its blocks, and the bound of a fold."""

    shader: str

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads its block, or the blocks before it."""
        shaders = (f"elementwise/{call.attribute('fold')}.glsl", self.shader)
        reads = {"X": call.node.inputs[0]}
        return Kernel(shaders, reads, MappingProxyType(_constants(call)), turns=self.terms(call))

    def terms(self, call: Call) -> int:
        """Counts the elements folded into one, at most."""
        raise NotImplementedError

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) over the fold of absolute values; carried: the fold of |x| + e, less that of |x|."""
        (x,), (error,) = evaluation.inputs, evaluation.errors
        assert x is not None
        magnitude = evaluation.run([np.abs(x)]).astype(np.float64)
        bound = 2.0 * gamma(self.terms(call) + 1, evaluation.unit) * magnitude
        if error is None:
            return np.asarray(bound)
        moved = evaluation.run([(np.abs(x) + error).astype(x.dtype)]).astype(np.float64)
        return np.asarray(bound + (moved - magnitude))


class BlockCumulative(_Running):
    """Folds each element with those before it in its block."""

    op_types = ("BlockCumulative",)
    shader = "block_cumulative.glsl"

    def terms(self, call: Call) -> int:
        """Counts a block."""
        return int(call.attribute("block"))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the elements from the first of the block to this one."""
        p, step, block = *_place(call, element), int(call.attribute("block"))
        return {0: element + (np.arange(p // block * block, p + 1, dtype=np.int64) - p) * step}


class AcrossBlocks(_Running):
    """Adds to each element of folded blocks the fold of all blocks before."""

    op_types = ("AcrossBlocks",)
    shader = "across_blocks.glsl"

    def terms(self, call: Call) -> int:
        """Counts the blocks."""
        return -(-call.shape(0)[call.axis()] // int(call.attribute("block")))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the last of each block before, and the element or the one before it."""
        p, step, block = *_place(call, element), int(call.attribute("block"))
        places = (np.arange(p // block, dtype=np.int64) + 1) * block - 1
        if not call.attribute("exclusive"):
            places = np.append(places, p)
        elif p % block:
            places = np.append(places, p - 1)
        return {0: element + (places - p) * step}


def _place(call: Call, element: int) -> tuple[int, int]:
    """Returns the place on the axis, counted from the fold's start, and the distance of neighbours there."""
    stride, count = strides_of(call.shape(0))[call.axis()], call.shape(0)[call.axis()]
    place = element // stride % count
    return (count - 1 - place, -stride) if call.attribute("reverse") else (place, stride)


def _constants(call: Call) -> dict[str, Constant]:
    axis = call.axis()
    return {
        "START": float(call.attribute("start")),
        "AXIS_COUNT": call.shape(0)[axis],
        "AXIS_STRIDE": strides_of(call.shape(0))[axis],
        "BLOCK": int(call.attribute("block")),
        "REVERSE": bool(call.attribute("reverse")),
        "EXCLUSIVE": bool(call.attribute("exclusive", 0)),
    }


OPERATORS = (
    Cumulative("CumSum", "Sums all elements up to each along an axis.", "add", 0.0),
    Cumulative("CumProd", "Multiplies all elements up to each along an axis.", "mul", 1.0),
    BlockCumulative(),
    AcrossBlocks(),
)
