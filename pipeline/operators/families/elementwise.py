"""Implements operators y = f(x) per element: one table entry and one shader file each.

The shader `shaders/operators/elementwise/<name in lower case>.glsl` defines `float unary(float x)`; number
attributes reach it as float constants in upper case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts, Threshold
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, pointwise

Reals = NDArray[np.float64]
# Maps x and the number attributes by name to the rounding of f in ulp of y, or absolute in units of u.
Rounding = Callable[[Reals, Mapping[str, float]], Reals]
# Maps y and the number attributes to x, NaN where several give that y.
Inverse = Callable[[Reals, Mapping[str, float]], Reals]


@dataclass(frozen=True)
class Unary(Operator):
    """Computes an element-wise function of one tensor.

    `ulps` and `absolute` bound the rounding of either evaluation, the shader's and the oracle's, in ulp of y
    and in units of u; GLSL 4.60, 4.7.1 says what the built-ins round. `flags` are number attributes that say yes or
    no. `variant` names a string attribute whose value, where it is not `none`, is part of the shader's name. `shader`
    is the path of a shader outside `shaders/` (`pipeline.operators.base.beside`). The others are facts of it
    (`pipeline.operators.facts`).
    """

    op_type: str
    formula: str
    ulps: float | Rounding = 0.0
    absolute: float | Rounding = 0.0
    attributes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    variant: str = ""
    inverse: Inverse | None = None
    activation: bool = False
    divides: bool = False
    threshold: Threshold | None = None
    shader: str = ""
    rounded_by: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the formula."""
        return self.formula

    @property
    def facts(self) -> Facts:
        """Returns the facts of one element, and the entry's."""
        return Facts(
            pointwise=True, is_activation=self.activation, shaped_by=self.attributes, threshold=self.threshold,
            divides=self.divides, rounded_by=self.rounded_by,
        )  # fmt: skip

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the same place."""
        variant = str(call.attribute(self.variant, "none")) if self.variant else "none"
        file = self.op_type.lower() if variant == "none" else f"{self.op_type.lower()}_{variant.lower()}"
        constants = {name.upper(): value for name, value in self._numbers(call).items()}
        return Kernel(
            (self.shader or f"elementwise/{file}.glsl", "unary.glsl"),
            {"X": call.node.inputs[0]},
            MappingProxyType(constants),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by `ulps`·2u·|y| + `absolute`·u, and by how far f moves within the input's error."""
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        y = np.asarray(evaluation.output, dtype=np.float64)
        numbers = self._numbers(call)
        ulps = self.ulps(x, numbers) if callable(self.ulps) else self.ulps
        absolute = self.absolute(x, numbers) if callable(self.absolute) else self.absolute
        own = (2.0 * ulps * np.abs(y) + absolute) * evaluation.unit
        return pointwise(evaluation, own + SMALLEST_NORMAL)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the same element."""
        return {0: np.array([element], dtype=np.int64)}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns the entry's inverse."""
        if self.inverse is None:
            return None
        return np.asarray(self.inverse(np.asarray(y, dtype=np.float64), self._numbers(call)))

    def _numbers(self, call: Call) -> dict[str, float]:
        return {name: float(call.attribute(name)) for name in (*self.attributes, *self.flags)}


def _exp(x: Reals, _: Mapping[str, float]) -> Reals:
    """Returns the rounding of e^x: 3 + 2·|x| ulp."""
    return 3.0 + 2.0 * np.abs(x)


def _around(function: Callable[[Reals], Reals]) -> Rounding:
    """Returns the rounding of f after a few roundings of its argument: slope of ln f times |x|, and 8 ulp."""

    def ulps(x: Reals, _: Mapping[str, float]) -> Reals:
        step = np.maximum(np.abs(x), 1e-30) * 1e-6
        slope = np.abs(function(x + step) - function(x - step)) / (2.0 * step)
        return np.asarray(8.0 + 4.0 * slope * np.abs(x) / np.maximum(np.abs(function(x)), 1e-30))

    return ulps


def _turns(x: Reals, _: Mapping[str, float]) -> Reals:
    """Returns the rounding of sin and cos: 4u, and |x|·2^-22 where the reduction is no longer exact."""
    return 4.0 + np.where(np.abs(x) > 1e5, np.minimum(np.abs(x) * 4.0, 2.0**25), 0.0)


def _tan(x: Reals, numbers: Mapping[str, float]) -> Reals:
    return np.asarray(_turns(x, numbers) * (1.0 + np.tan(x) ** 2) * (2.0 + np.abs(np.tan(x))))


def _above(y: Reals, x: Reals) -> Reals:
    """Returns x where y is above 0, NaN where it is not."""
    return np.where(y > 0.0, x, np.nan)


def _slope(alpha: float, y: Reals) -> Reals:
    """Inverts y = x above 0 and α·x below."""
    return np.where(y > 0.0, y, y / alpha) if alpha > 0.0 else _above(y, y)


def _exponential(y: Reals, alpha: float, *, width: float = 1.0, gamma: float = 1.0) -> Reals:
    """Inverts y = γ·x above 0 and γ·α·(e^(x / width) − 1) below."""
    below = width * np.log1p(y / (alpha * gamma))
    return np.where(y > 0.0, y / gamma, below) if alpha * gamma > 0.0 else _above(y, y / gamma)


def _hard_sigmoid(y: Reals, a: Mapping[str, float]) -> Reals:
    return np.where((y > 0.0) & (y < 1.0), (y - a["beta"]) / a["alpha"], np.nan)


def _hard_swish(y: Reals, _: Mapping[str, float]) -> Reals:
    """Inverts above 0; below it two x give the same y."""
    return np.where(y >= 3.0, y, _above(y, np.sqrt(2.25 + 6.0 * np.maximum(y, 0.0)) - 1.5))


def _shrunk(y: Reals, a: Mapping[str, float]) -> Reals:
    """Inverts by the sign of y, which is that of x unless the bias exceeds the threshold."""
    told = (y != 0.0) & (0.0 <= a["bias"] <= a["lambd"])
    return np.where(told, y + np.sign(y) * a["bias"], np.nan)


def _sigmoid(y: Reals, _: Mapping[str, float]) -> Reals:
    return np.asarray(np.log(y / (1.0 - y)))


def _softplus(y: Reals, _: Mapping[str, float]) -> Reals:
    return np.asarray(y + np.log(-np.expm1(-y)))


OPERATORS = (
    Unary("Abs", "y = |x|", activation=True),
    Unary("Acos", "y = cos⁻¹ x", ulps=12.0),
    Unary("Acosh", "y = cosh⁻¹ x", ulps=_around(np.arccosh)),
    Unary("Asin", "y = sin⁻¹ x", ulps=12.0),
    Unary("Asinh", "y = sinh⁻¹ x", ulps=12.0),
    Unary("Atan", "y = tan⁻¹ x", ulps=8.0),
    Unary("Atanh", "y = tanh⁻¹ x", ulps=_around(np.arctanh)),
    Unary("BitwiseNot", "y = −x − 1: every bit inverted"),
    Unary("Ceil", "y = ⌈x⌉", rounded_by=("ceil",)),
    Unary("Celu", "y = x for x ≥ 0, α·(e^(x/α) − 1) below", ulps=lambda x, a: _exp(x / a["alpha"], a) + 6.0,
          absolute=lambda x, a: 0.0 * x + 8.0 * abs(a["alpha"]), attributes=("alpha",),
          inverse=lambda y, a: _exponential(y, a["alpha"], width=a["alpha"]), activation=True),
    Unary("Cos", "y = cos x", absolute=_turns),
    Unary("Cosh", "y = cosh x", ulps=lambda x, a: 8.0 + 2.0 * np.abs(x)),
    Unary("Elu", "y = x for x ≥ 0, α·(e^x − 1) below", ulps=8.0,
          absolute=lambda x, a: 0.0 * x + 16.0 * abs(a["alpha"]), attributes=("alpha",),
          inverse=lambda y, a: _exponential(y, a["alpha"]), activation=True),
    Unary("Erf", "y = 2/√π ∫₀ˣ e^(−t²) dt", ulps=4.0),
    Unary("Exp", "y = e^x", ulps=_exp, inverse=lambda y, a: np.log(y)),
    Unary("Floor", "y = ⌊x⌋", rounded_by=("floor",)),
    Unary("Gelu", "y = x·Φ(x)", ulps=8.0, absolute=lambda x, a: 16.0 * np.abs(x), variant="approximate",
          activation=True),
    Unary("HardSigmoid", "y = min(max(α·x + β, 0), 1)", ulps=1.0,
          absolute=lambda x, a: 2.0 * np.abs(a["alpha"] * x) + abs(a["beta"]), attributes=("alpha", "beta"),
          inverse=_hard_sigmoid, activation=True),
    Unary("HardSwish", "y = x · min(max(x/6 + ½, 0), 1)", ulps=4.0, absolute=lambda x, a: 2.0 * np.abs(x) + x * x,
          inverse=_hard_swish, activation=True),
    Unary("IsInf", "y = 1 for an infinity", flags=("detect_positive", "detect_negative")),
    Unary("IsNaN", "y = 1 for NaN"),
    Unary("LeakyRelu", "y = x for x ≥ 0, α·x below", ulps=1.0, attributes=("alpha",),
          inverse=lambda y, a: _slope(a["alpha"], y), activation=True),
    # Around 1 GLSL ES 3.2 and Vulkan allow a driver's log an absolute error of 2⁻²¹, and drivers need it.
    Unary("Log", "y = ln x", ulps=4.0, absolute=lambda x, a: np.where((x >= 0.5) & (x <= 2.0), 8.0, 0.0),
          inverse=lambda y, a: np.exp(y), divides=True),
    Unary("Mish", "y = x · tanh(ln(1 + e^x))", ulps=lambda x, a: 12.0 + 4.0 * np.minimum(np.abs(x), 100.0),
          absolute=lambda x, a: 8.0 * np.abs(x), activation=True),
    Unary("Neg", "y = −x", inverse=lambda y, a: -y),
    Unary("Not", "y = 1 − x of a truth value"),
    Unary("Reciprocal", "y = 1 / x", ulps=2.5, inverse=lambda y, a: 1.0 / y),
    Unary("Relu", "y = max(x, 0)", inverse=lambda y, a: _above(y, y), activation=True),
    Unary("Round", "the nearest whole number, ties to even", rounded_by=("roundEven", "round")),
    Unary("Selu", "y = γ·x for x > 0, γ·α·(e^x − 1) below", ulps=8.0,
          absolute=lambda x, a: 0.0 * x + 16.0 * abs(a["alpha"] * a["gamma"]), attributes=("alpha", "gamma"),
          inverse=lambda y, a: _exponential(y, a["alpha"], gamma=a["gamma"]), activation=True),
    Unary("Shrink", "y = x − bias above λ, x + bias below −λ, 0 between", ulps=0.5, attributes=("lambd", "bias"),
          inverse=_shrunk, threshold=Threshold("lambd", np.abs), activation=True),
    Unary("Sigmoid", "y = 1 / (1 + e^−x)", ulps=lambda x, a: 6.5 + 2.0 * np.abs(x),
          inverse=_sigmoid, activation=True),
    Unary("Sign", "y = −1, 0 or 1"),
    Unary("Sin", "y = sin x", absolute=_turns),
    # A driver may compute e^x − e^−x directly: near 0 it is off by the rounding of the ones.
    Unary("Sinh", "y = sinh x", ulps=lambda x, a: 12.0 + 2.0 * np.abs(x), absolute=4.0),
    Unary("Softplus", "y = ln(1 + e^x)", ulps=8.0, absolute=8.0,
          inverse=_softplus, activation=True),
    Unary("Softsign", "y = x / (1 + |x|)", ulps=4.0,
          inverse=lambda y, a: y / (1.0 - np.abs(y)), activation=True),
    Unary("Sqrt", "y = √x", ulps=4.5, inverse=lambda y, a: _above(y, y * y)),
    # A sigmoid below the smallest normal number may be 0, however large x is.
    Unary("Swish", "y = x · sigmoid(α·x)", ulps=lambda x, a: 8.0 + 4.0 * np.abs(a["alpha"] * x),
          absolute=lambda x, a: np.abs(x) * 2.0**-100, attributes=("alpha",),
          activation=True),
    Unary("Tan", "y = tan x", absolute=_tan),
    Unary("Tanh", "y = tanh x", ulps=lambda x, a: 4.0 + 16.0 / np.cosh(np.minimum(np.abs(x), 300.0)), absolute=4.0,
          inverse=lambda y, a: np.arctanh(y), activation=True),
    Unary("ThresholdedRelu", "y = x for x > α, else 0", attributes=("alpha",),
          inverse=lambda y, a: np.where(y != 0.0, y, np.nan), threshold=Threshold("alpha"), activation=True),
)  # fmt: skip
