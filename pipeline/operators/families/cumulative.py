"""CumSum and CumProd: each element is the sum or product of those before it on an axis."""

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
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import gamma

# Elements that one fragment walks; more are walked in two passes.
LONGEST_WALK = 4096


@dataclass(frozen=True)
class Cumulative(Operator):
    """A running fold of the shader's `float binary(float a, float b)`, from `start` on."""

    op_type: str
    description: str
    shader: str
    start: float

    def names(self) -> tuple[str, ...]:
        """The one operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """The entry's own line."""
        return self.description

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """A long axis in blocks: what each begins with, then all elements from there."""
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
        """Every element walks the axis up to its own place."""
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
        """γ(k) over what the fold of absolute values is; carried: the fold of |x| + e, less that of |x|."""
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
        """The elements before it on the axis (after it, in reverse), and itself unless they exclude it."""
        axis = _axis(call)
        stride, count = strides_of(call.shape(0))[axis], call.shape(0)[axis]
        place = element // stride % count
        own = 0 if call.attribute("exclusive", 0) else 1
        span = np.arange(place + 1 - own, count) if call.attribute("reverse", 0) else np.arange(place + own)
        return {0: (element + (span - place) * stride).astype(np.int64)}


def _axis(call: Call) -> int:
    axis = int(np.ravel(call.required_constant(1, "an axis"))[0])
    return axis % len(call.shape(0))


OPERATORS = (
    Cumulative("CumSum", "Sums of all elements up to each along an axis.", "add", 0.0),
    Cumulative("CumProd", "Products of all elements up to each along an axis.", "mul", 1.0),
)
