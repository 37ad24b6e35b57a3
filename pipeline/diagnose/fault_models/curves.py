"""Values put through a curve on their way: of the result when it is stored, of an input when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.model_edits import Function, input_through

Array = NDArray[Any]

# 65504.
LARGEST_HALF = float(np.finfo(np.float16).max)


def curves(
    case: FailingPass, cause: str, functions: Mapping[str, Function], remedy: str, calls: tuple[str, ...],
    stored: Callable[[Function], OutputChange | None], weights: tuple[float, float] = (1.0, 2.0),
) -> Iterator[Hypothesis]:  # fmt: skip
    """For each named curve: the result through it, as `stored`, then each input; `calls` give it away in the text.

    Where `stored` has none for a curve, the inputs alone. `weights` are those of the result and of inputs, the simplest
    curve first.
    """
    for number, (says, function) in enumerate(functions.items()):
        if (change := stored(function)) is not None:
            yield Hypothesis(
                cause, f"the right values {says}", remedy, {}, (change,),
                line=lines.call(*calls), weight=weights[0] + number / 10.0,
            )  # fmt: skip
        for read in case.activations():
            yield Hypothesis(
                cause, f"the input '{read.tensor}' {says}", remedy, {"input": read.tensor},
                (input_through(read.tensor, function),), weight=weights[1] + number / 10.0,
                line=lines.first(lines.called(*calls), lines.read(read.tensor)),
            )  # fmt: skip


def as_half(x: Array) -> Array:
    """Rounded to half precision; whole numbers stay as they are."""
    if x.dtype.kind != "f":
        return x
    with np.errstate(over="ignore"):
        return np.asarray(x.astype(np.float16).astype(np.float32))


@dataclass(frozen=True)
class NearestTo:
    """A rounding of the whole result, which is known to its bound alone: it falls either way where that decides.

    Where both ends of the bound are rounded to one value there is no choice. That has to be so for most of the wrong
    elements: else nothing is chosen, for a bound as wide as the steps reaches whatever came out.
    """

    case: FailingPass
    function: Function

    def may_tell(self) -> bool:
        """Whether on the sample wrong elements are what it makes, had it the choice in each of them."""
        case = self.case
        y, bound = (each.reshape(-1)[case.sample].astype(np.float32) for each in (case.expected, case.bound))
        with np.errstate(all="ignore"):
            choices = (self.function(y), self.function(y - bound), self.function(y + bound))
        return any(case.sampled.reproduces(each).explained for each in choices)

    def __call__(self, y: Array) -> Array:
        """The result, float32 in the 4-d view, rounded."""
        case, bound = self.case, self.case.bound.astype(np.float32)
        choices = np.stack([self.function(y), self.function(y - bound), self.function(y + bound)])
        with np.errstate(all="ignore"):
            forced = (choices == choices[0]).all(axis=0) | np.isnan(choices[0])
            distances = np.abs(choices - case.actual)
        if np.count_nonzero(case.wrong & forced) <= np.count_nonzero(case.wrong & ~forced):
            return np.asarray(choices[0], dtype=np.float32)
        distances[np.isnan(distances)] = 0.0  # of two equal infinities
        return np.asarray(np.choose(distances.argmin(axis=0), list(choices)), dtype=np.float32)
