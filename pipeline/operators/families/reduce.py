"""Implements operators that reduce along some axes: one table entry and one shader file each.

The shader `shaders/operators/reduce/<name in lower case>.glsl` reads x_flat[first_of(index) + place_of(k)].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite, cold
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.facts import SUM, Accumulator, Facts, Rows
from texelscope.pipeline.operators.group_statistics import in_blocks
from texelscope.pipeline.operators.reduction import Reals, ReducedAxes, reduced_axes
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma


@dataclass(frozen=True)
class Rounded:
    """Holds the parts of a reduction's bounds: x, y in float64, the axes, and the unit round-off u."""

    x: Reals
    y: Reals
    axes: ReducedAxes
    unit: float

    def gamma(self, more: int = 0) -> float:
        """Returns γ(k + more) for k elements."""
        return gamma(self.axes.count + more, self.unit)

    @property
    def magnitude(self) -> Reals:
        """Σ|x|."""
        return self.axes.sum(np.abs(self.x))


# A fragment reads at most this many elements; longer reductions take two passes each.
LONGEST_WALK = 4096
# These may be done in blocks with whole numbers.
_EXACT = frozenset({"ReduceL1", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"})

Own = Callable[[Rounded], Reals]
Carried = Callable[[Rounded, Reals], Reals]


@dataclass(frozen=True)
class Reduction(Operator):
    """Reduces; `own` is the absolute rounding of either evaluation, `carried` the error of y by an error e of x.

    `accumulator` describes the loop's state, `means` says whether a sum is divided by the number of elements.
    """

    op_type: str
    formula: str
    own: Own
    carried: Carried
    accumulator: Accumulator = SUM
    means: bool = False

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the formula."""
        return self.formula

    @property
    def facts(self) -> Facts:
        """Returns the entry's facts."""
        return Facts(accumulator=self.accumulator, means=self.means)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits very many elements in blocks: one fragment then reads few and rounds little."""
        axes = reduced_axes(call)
        whole = is_integer(call.info(0).dtype) and self.op_type not in _EXACT
        return None if axes.count <= LONGEST_WALK or whole else in_blocks(call, axes)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the reduced axes in every element."""
        axes = reduced_axes(call)
        constants: dict[str, Constant] = {"INTEGER": is_integer(call.info(0).dtype), **axes.constants()}
        spans = axes.spans
        if spans is not None:
            constants["SPANS"] = spans
        return Kernel(
            ("reduce/places.glsl", f"reduce/{self.op_type.lower()}.glsl"),
            {"X": call.node.inputs[0]},
            MappingProxyType(constants),
            turns=axes.count * (2 if self.op_type == "ReduceLogSumExp" else 1),
            may_be_hot=not constants["INTEGER"],
            cold_in=cold({"channel_tiles_rgba": spans is not None and spans[1] == 1, "row_major_rgba": axes.in_texels}),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds own rounding twice, the shader's and the oracle's, and the error carried from x."""
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        y = np.asarray(evaluation.output, dtype=np.float64)
        rounded = Rounded(x, y, reduced_axes(call), evaluation.unit)
        bound = 2.0 * self.own(rounded) + rounded.axes.count * SMALLEST_NORMAL
        error = evaluation.errors[0]
        return bound if error is None else bound + self.carried(rounded, np.asarray(error, dtype=np.float64))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns all elements along the reduced axes."""
        return {0: reduced_axes(call).elements(element)}

    def rows(self, call: Call) -> Rows | None:
        """Returns the elements along the reduced axes."""
        axes = reduced_axes(call)
        return Rows(axes.shape, axes.axes) if axes.axes else None

    def of_matrix(self, call: Call, shape: Shape) -> Node:
        """Returns the node in opset 11, where axes are an attribute of all of them."""
        attributes = MappingProxyType({"axes": (1,), "keepdims": 0})
        return Node(call.node.name, self.op_type, call.node.inputs[:1], call.node.outputs[:1], attributes, opset=11)


def _log_sum_exp(r: Rounded) -> Reals:
    """Returns the rounding of Σe^(x−m): 3 + 2·(m − x) ulp of each exp, whose weighted mean is at most 3 + 2·ln k."""
    reach = 2.0 * r.unit * (4.0 + 3.0 * np.log(max(r.axes.count, 1)))
    return np.asarray(r.gamma() + reach + 2.0 * r.unit * (np.abs(r.y) + r.axes.max(np.abs(r.x))))


OPERATORS = (
    Reduction("ReduceL1", "y = Σ|x|", lambda r: r.gamma() * r.y, lambda r, e: r.axes.sum(e)),
    Reduction("ReduceL2", "y = √Σx²", lambda r: (r.gamma(2) + 9.0 * r.unit) * r.y,
              lambda r, e: np.sqrt(r.axes.sum(e * e)), Accumulator(np.add, np.square, np.sqrt)),
    Reduction("ReduceLogSum", "y = ln Σx", lambda r: r.gamma() * r.magnitude / np.exp(r.y) + 8.0 * r.unit * np.abs(r.y),
              lambda r, e: r.axes.sum(e) / np.exp(r.y), Accumulator(np.add, np.exp, np.log)),
    Reduction("ReduceLogSumExp", "y = ln Σe^x", _log_sum_exp, lambda r, e: r.axes.max(e),
              Accumulator(np.add, np.exp, np.log)),
    Reduction("ReduceMax", "y = max x", lambda r: 0.0 * r.y, lambda r, e: r.axes.max(e), Accumulator(np.maximum)),
    Reduction("ReduceMean", "y = Σx / n", lambda r: r.gamma(6) * r.magnitude / r.axes.count,
              lambda r, e: r.axes.sum(e) / r.axes.count, means=True),
    Reduction("ReduceMin", "y = min x", lambda r: 0.0 * r.y, lambda r, e: r.axes.max(e), Accumulator(np.minimum)),
    Reduction("ReduceProd", "y = Πx", lambda r: r.gamma() * np.abs(r.y),
              lambda r, e: r.axes.product(np.abs(r.x) + e) - np.abs(r.y), Accumulator(np.multiply)),
    Reduction("ReduceSum", "y = Σx", lambda r: r.gamma() * r.magnitude, lambda r, e: r.axes.sum(e)),
    Reduction("ReduceSumSquare", "y = Σx²", lambda r: r.gamma(1) * r.y,
              lambda r, e: r.axes.sum(2.0 * np.abs(r.x) * e + e * e)),
)  # fmt: skip
