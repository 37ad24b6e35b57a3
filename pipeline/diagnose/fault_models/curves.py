"""Passes values through a curve: the result when it is stored, an input when it is read.

Activations that shaders apply by mistake, or in place of another, have a name, and calls that identify them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.model_slice.model_slice import OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.model_edits import Function, input_through

Array = NDArray[Any]

# 65504.
LARGEST_HALF = float(np.finfo(np.float16).max)


def curves(
    case: FailingPass, cause: Cause, functions: Mapping[str, Function], calls: tuple[str, ...],
    stored: Callable[[Function], OutputChange | None], weights: tuple[float, float] = (1.0, 2.0),
) -> Iterator[Hypothesis]:  # fmt: skip
    """Yields for each named curve the result through it, as `stored`, then each input; `calls` identify it in the text.

    If `stored` has none for a curve, only the inputs. `weights` are those of the result and of inputs, the simplest
    curve first.
    """
    for number, (says, function) in enumerate(functions.items()):
        if (change := stored(function)) is not None:
            yield Hypothesis(
                cause, f"the right values {says}", (change,),
                line=lines.call(*calls), prior=weights[0] + number / 10.0,
            )  # fmt: skip
        for read in case.activations():
            yield Hypothesis(
                cause, f"the input '{read.tensor}' {says}", (input_through(read.tensor, function),),
                {"input": read.tensor}, prior=weights[1] + number / 10.0,
                line=lines.first(lines.called(*calls), lines.read(read.tensor)),
            )  # fmt: skip


def as_half(x: Array) -> Array:
    """Rounds to half precision; integers stay as they are."""
    if x.dtype.kind != "f":
        return x
    with np.errstate(over="ignore"):
        return np.asarray(x.astype(np.float16).astype(np.float32))


@dataclass(frozen=True)
class NearestTo:
    """Rounds the whole result, which is known only within its bound, in whichever direction the actual value went.

    If both ends of the bound round to the same value there is no choice. That must hold for most wrong elements, or
    else nothing is chosen: a bound as wide as the steps would fit any value.
    """

    case: FailingPass
    function: Function

    def may_tell(self) -> bool:
        """Whether the rounding explains the sample's wrong elements, if it had the choice in each."""
        case = self.case
        y, bound = (each.reshape(-1)[case.sample].astype(np.float32) for each in (case.expected, case.bound))
        with np.errstate(all="ignore"):
            choices = (self.function(y), self.function(y - bound), self.function(y + bound))
        return any(case.sampled.reproduces(each).explained for each in choices)

    def __call__(self, y: Array) -> Array:
        """Returns the result, float32 in the 4-d view, rounded."""
        case, bound = self.case, self.case.bound.astype(np.float32)
        choices = np.stack([self.function(y), self.function(y - bound), self.function(y + bound)])
        with np.errstate(all="ignore"):
            forced = (choices == choices[0]).all(axis=0) | np.isnan(choices[0])
            distances = np.abs(choices - case.actual)
        if np.count_nonzero(case.wrong & forced) <= np.count_nonzero(case.wrong & ~forced):
            return np.asarray(choices[0], dtype=np.float32)
        distances[np.isnan(distances)] = 0.0  # of two equal infinities
        return np.asarray(np.choose(distances.argmin(axis=0), list(choices)), dtype=np.float32)


@dataclass(frozen=True)
class Curve:
    """A function of one value; `calls` are the GLSL built-ins in which it is written."""

    function: Callable[[Array], Array]
    calls: tuple[str, ...]


def may_have_made(case: FailingPass, curve: Curve) -> bool:
    """Whether a curve may be why values are wrong: not where all are NaN or infinite that begin in other statements."""
    origins = case.evidence.not_finite
    if not origins or np.isfinite(case.actual[case.wrong]).any():
        return True
    marks = tuple(f"{call}(" for call in curve.calls) or ("/",)
    return any(mark in each.text.replace(" ", "") for each in origins for mark in marks)


def _sigmoid(x: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def _erf(x: Array) -> Array:
    """Approximates erf within 1.5e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26."""
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.asarray(np.sign(x) * (1.0 - series * np.exp(-x * x)))


def leaky(slope: float) -> Callable[[Array], Array]:
    """Returns a leaky ReLU; its slope is fitted, since frameworks differ in it."""
    return lambda x: np.where(x < 0.0, x * np.float32(slope), x)


def _hard(slope: float) -> Callable[[Array], Array]:
    return lambda x: np.clip(x * slope + 0.5, 0.0, 1.0)


# Calls of a leaky ReLU, and its largest slope.
LEAKY_CALLS, STEEPEST = ("max", "mix"), 0.5
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "Relu": Curve(lambda x: np.maximum(x, 0.0), ("max", "step")),
        "Sigmoid": Curve(_sigmoid, ("exp",)),
        "Tanh": Curve(np.tanh, ("tanh", "exp")),
        "Abs": Curve(np.abs, ("abs",)),
        "Relu6": Curve(lambda x: np.clip(x, 0.0, 6.0), ("clamp", "min")),
        "Softplus": Curve(lambda x: np.logaddexp(x, 0.0), ("log",)),
        "Square": Curve(np.square, ("pow",)),
        "Exp": Curve(np.exp, ("exp",)),
        "Sqrt": Curve(np.sqrt, ("sqrt",)),
        "Swish": Curve(lambda x: x * _sigmoid(x), ("exp",)),
        "Elu": Curve(lambda x: np.where(x < 0.0, np.expm1(np.minimum(x, 0.0)), x), ("exp",)),
        # The slopes are ONNX's default, and that of HardSwish, which PyTorch has.
        "HardSigmoid 0.2": Curve(_hard(0.2), ("clamp",)),
        "HardSigmoid 1/6": Curve(_hard(1.0 / 6.0), ("clamp",)),
        "HardSwish": Curve(lambda x: x * _hard(1.0 / 6.0)(x), ("clamp",)),
        "Gelu": Curve(lambda x: 0.5 * x * (1.0 + _erf(x / math.sqrt(2.0))), ("tanh", "exp")),
        "Gelu by tanh": Curve(
            lambda x: 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))), ("tanh", "exp")
        ),
        "Selu": Curve(
            lambda x: 1.0507009873554805 * np.where(x < 0.0, 1.6732632423543772 * np.expm1(np.minimum(x, 0.0)), x),
            ("exp",),
        ),
        "Mish": Curve(lambda x: x * np.tanh(np.logaddexp(x, 0.0)), ("tanh", "log")),
        "Softsign": Curve(lambda x: x / (1.0 + np.abs(x)), ("abs",)),
        "HardTanh": Curve(lambda x: np.clip(x, -1.0, 1.0), ("clamp",)),
        "Log": Curve(np.log, ("log",)),
        "Reciprocal": Curve(lambda x: 1.0 / x, ()),
    }
)
