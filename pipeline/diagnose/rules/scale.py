"""scale: the wrong values are the right ones (or the sums, or an input) times one factor."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with, input_through, output_through, times, weights_turned
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.parts import before_tail
from pipeline.diagnose.redo import Change

Array = NDArray[Any]

_COMMON = (-1.0, 2.0, 0.5, 255.0, 1.0 / 255.0, 256.0, 1.0 / 256.0, 127.5, 1.0 / 127.5)


class Scale(Rule):
    """Values are multiplied by a constant factor."""

    cause = "scale"
    band = Band.FITS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """A factor of the result, of the sum with and without its bias, of each input; fitted, and common ones."""
        for factor in dict.fromkeys((*fitted(case.actual, case.expected), *_COMMON)):
            says = f"the right result times {factor:.6g}"
            yield self._hypothesis(says, factor, output_through(times(factor)), 1.0, pairs=factor in _COMMON[:3])
        for frame in case.frames():
            if frame.kind != "sum" or frame.weights is None:
                continue
            for factor in dict.fromkeys((*_of_sum(case, frame.bias), *_COMMON)):
                change = weights_turned(frame.node, times(factor))
                yield self._hypothesis(f"the sum of products times {factor:.6g}, then the bias", factor, change, 1.2)
                if frame.bias is not None and case.redo.tail():
                    both = frame_with(frame.node, weights=times(factor)(frame.weights), bias=times(factor)(frame.bias))
                    yield self._hypothesis(f"the sum times {factor:.6g} before the activation", factor, both, 1.1)
        for read in case.activations():
            for factor in _COMMON:
                change_in = input_through(read.tensor, times(factor))
                yield self._hypothesis(f"the input '{read.tensor}' times {factor:.6g}", factor, change_in, 1.3)

    def _hypothesis(
        self, says: str, factor: float, change: Change, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Take the factor away, or apply the model's.",
            {"factor": factor},
            (change,),
            place=places.number(factor, 1.0 / factor, 1.0 / factor**2, factor**2),
            weight=weight,
            in_pairs=pairs,
        )


def fitted(actual: Array, expected: Array) -> list[float]:
    """The factor between the two, where it is much the same for most; rounded first."""
    with np.errstate(all="ignore"):
        ratio = actual.astype(np.float64) / expected.astype(np.float64)
    size = np.abs(expected)
    usable = np.isfinite(ratio) & np.isfinite(size) & (size > 0)
    if np.count_nonzero(usable) < 3:
        return []
    usable &= size >= np.quantile(size[usable], 0.5)
    value = float(np.median(ratio[usable]))
    if value == 0.0 or np.isclose(value, 1.0, rtol=1e-6):
        return []
    spread = float(np.quantile(np.abs(ratio[usable] - value), 0.5))
    return _rounded(value) if spread < 0.01 * abs(value) else []


def _rounded(value: float) -> list[float]:
    """The number with the fewest digits that is as near as a fit can tell, and the value itself."""
    short = (float(f"{value:.{digits}g}") for digits in (1, 2, 3, 4, 5))
    return [next((each for each in short if math.isclose(each, value, rel_tol=2e-6)), value), value]


def _of_sum(case: Case, bias: Array | None) -> list[float]:
    """Factors of the sum, before the pointwise nodes at the end and before the bias."""
    has_tail = bool(case.redo.tail())
    actual, expected = before_tail(case, case.actual), before_tail(case, case.expected)
    found = fitted(actual, expected) if has_tail else []
    if bias is not None and bias.size == case.dims[1]:
        addend = bias.reshape(1, -1, 1, 1)
        found += fitted(actual - addend, expected - addend)
    return found
