"""Implements operators y = f(a, b) per element with broadcasting: one table entry and one shader file each.

The shader `shaders/operators/elementwise/<name in lower case>.glsl` defines `float binary(float a, float b)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators import affine
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, pointwise

# Maps a and b (float64) to the rounding of f in ulp of y.
Ulps = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
# Maps y and one operand to the other; NaN where several give that y.
Inverse = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Binary(Operator):
    """Computes an element-wise function of two tensors.

    `ulps` bounds the rounding of either evaluation, the shader's and the oracle's, in ulp of y. `variant` adds
    to the shader's name where one name stands for several functions: those of integers, or by an attribute. `a_of`
    and `b_of` give an operand from y and the other one. `shader` is the path of a shader outside `shaders/`
    (`pipeline.operators.base.beside`). The others are facts of it (`pipeline.operators.facts`).
    """

    op_type: str
    formula: str
    ulps: float | Ulps = 0.0
    variant: Callable[[Call], str] = lambda _: ""
    a_of: Inverse | None = None
    b_of: Inverse | None = None
    ordered: bool = False
    adds: bool = False
    activation: bool = False
    neutral: tuple[float, ...] = ()
    shader: str = ""

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the formula."""
        return self.formula

    @property
    def facts(self) -> Facts:
        """Returns the facts of broadcast elements, and the entry's."""
        return Facts(
            pointwise=True, is_ordered=self.ordered, adds=self.adds, is_activation=self.activation, neutral=self.neutral
        )

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the corresponding places of both."""
        file = self.shader or f"elementwise/{self.op_type.lower()}{self.variant(call)}.glsl"
        reads: dict[str, str | tuple[str, ...]] = {"A": call.node.inputs[0], "B": call.node.inputs[1]}
        if affine.lines_up(call):
            return Kernel((file, "binary.glsl"), reads)
        constants: dict[str, Constant] = {
            "RANK": len(call.output_shape()),
            "SIZES": call.output_shape(),
            "A_STRIDES": affine.strides(call, 0),
            "B_STRIDES": affine.strides(call, 1),
        }
        return Kernel((file, "binary_strided.glsl"), reads, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by `ulps`·2u·|y|, and by how far f moves within the inputs' errors."""
        a, b = (
            np.asarray(value, dtype=np.float64).reshape(affine.aligned(call, position))
            for position, value in enumerate(evaluation.inputs[:2])
        )
        y = np.abs(np.asarray(evaluation.output, dtype=np.float64))
        ulps = self.ulps(a, b) if callable(self.ulps) else self.ulps
        return pointwise(evaluation, 2.0 * ulps * evaluation.unit * y + SMALLEST_NORMAL)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one element of each."""
        return affine.read_indices(call, element, (0, 1))

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns the entry's inverse for the other operand; none for integers, whose result may be truncated."""
        inverse, other = (self.a_of, self.b_of)[position], inputs[1 - position]
        if inverse is None or other is None or is_integer(call.info(0).dtype):
            return None
        aligned = other.astype(np.float64).reshape(affine.aligned(call, 1 - position))
        return inverse(np.asarray(y, dtype=np.float64), aligned)


def _of_integers(call: Call) -> str:
    return "_integer" if is_integer(call.info(0).dtype) else ""


def _by_fmod(call: Call) -> str:
    return "_fmod" if call.attribute("fmod", 0) else ""


def _by_direction(call: Call) -> str:
    return f"_{str(call.attribute('direction')).lower()}"


def _power(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns an ulp for each factor of a power by squaring; by e^(b·ln a) the exponent's, times it, and exp's."""
    exponent = np.abs(b * np.log(np.maximum(np.abs(a), 1e-38)))
    squared = (np.floor(b) == b) & (np.abs(b) <= 64.0)
    return np.where(squared, np.abs(b) + 4.0, 8.0 + 8.0 * exponent)


def _sloped(y: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverts by the slope; if that is not positive two a give the same y."""
    return np.where(b > 0.0, np.where(y > 0.0, y, y / b), np.nan)


OPERATORS = (
    Binary("Add", "y = a + b", ulps=0.5, a_of=lambda y, b: y - b, b_of=lambda y, a: y - a, adds=True,
           neutral=(0.0,)),
    Binary("And", "y = a and b"),
    Binary("BitShift", "y = a · 2^b or ⌊a / 2^b⌋", variant=_by_direction, ordered=True),
    Binary("BitwiseAnd", "y = bits set in both"),
    Binary("BitwiseOr", "y = bits set in a or b"),
    Binary("BitwiseXor", "y = bits that differ"),
    Binary("Div", "y = a / b, integers towards zero", ulps=2.5, variant=_of_integers,
           a_of=lambda y, b: y * b, b_of=lambda y, a: a / y, ordered=True),
    Binary("Equal", "y = 1 where a = b, else 0"),
    Binary("Greater", "y = 1 where a > b, else 0", ordered=True),
    Binary("GreaterOrEqual", "y = 1 where a ≥ b, else 0", ordered=True),
    Binary("Less", "y = 1 where a < b, else 0", ordered=True),
    Binary("LessOrEqual", "y = 1 where a ≤ b, else 0", ordered=True),
    Binary("Mod", "y = the remainder of a / b", variant=_by_fmod, ordered=True),
    Binary("Mul", "y = a · b", ulps=0.5, a_of=lambda y, b: y / b, b_of=lambda y, a: y / a, neutral=(1.0,)),
    Binary("Or", "y = a or b"),
    Binary("Pow", "y = a^b", ulps=_power, variant=_of_integers, ordered=True),
    Binary("PRelu", "y = a for a ≥ 0, b·a below", ulps=0.5, a_of=_sloped,
           b_of=lambda y, a: np.where(a < 0.0, y / a, np.nan), activation=True, neutral=(0.0, 1.0)),
    Binary("Sub", "y = a − b", ulps=0.5, a_of=lambda y, b: y + b, b_of=lambda y, a: a - y, ordered=True,
           neutral=(0.0,)),
    Binary("Xor", "y = either a or b"),
)  # fmt: skip
