"""affine: the wrong values are a straight line over the right ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.fits import fitted_number
from texelscope.pipeline.diagnose.clues.parts import inner_curves
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import ANOTHER, ELSEWHERE, Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import input_through, node_of, output_through, plus

Array = NDArray[Any]

# Pictures in 0 … 1 taken to -1 … 1, and back.
_COMMON = ((2.0, -1.0), (0.5, 0.5), (1.0, -0.5), (1.0, 0.5), (1.0, -1.0), (1.0, 1.0))

# A smaller addend than this share of the largest value counts as none.
_NO_OFFSET = 1e-5
# Squares of larger numbers overflow, of which LAPACK complains on standard output.
_SQUARED = 1e150


class Affine(Rule):
    """Values are multiplied by a constant and another one is added, such as 2 x - 1."""

    cause = "affine"
    stage = Stage.FITS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        edits=("put in",),
        denied_by_edits=frozenset(
            {
                "across",
                "before",
                "count",
                "element",
                "epsilon",
                "filter",
                "function",
                "half texel",
                "layout",
                "number",
                "order",
                "partner",
                "size",
                "tensor",
                "wrap",
            }
        ),
        denied_by_reads=ELSEWHERE | ANOTHER,
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes a line through the result, through the sum before the activation, and through each input."""
        for factor, offset in (*_line(case.actual, case.expected), *_COMMON):
            says = f"{_text(factor, offset, 'y')} where y is the right result"
            yield self._hypothesis(says, factor, offset, output_through(plus(factor, offset)), 2.0)
        for node in inner_curves(case):
            for offset in fitted_number(case, lambda c, n=node: node_of(case, n, plus(1.0, c)), 0.0):  # type: ignore[misc]
                says = f"{_text(1.0, offset, 'x')} where x enters {node.op_type}"
                yield self._hypothesis(says, 1.0, offset, node_of(case, node, plus(1.0, offset)), 2.15)
        for read in case.activations():
            for factor, offset in _COMMON:
                says = f"{_text(factor, offset, 'x')} where x is the input '{read.tensor}'"
                yield self._hypothesis(says, factor, offset, input_through(read.tensor, plus(factor, offset)), 2.2)

    def _hypothesis(self, says: str, factor: float, offset: float, change: ModelEdit, prior: float) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Remove the factor and the addend, or use the model's.",
            {"scale": factor, "offset": offset},
            (change,),
            line=lines.number(offset, factor),
            prior=prior,
            fitted=0 if (factor, offset) in _COMMON else 2,
        )


def _text(factor: float, offset: float, name: str) -> str:
    head = name if factor == 1.0 else f"{factor:.6g} {name}"
    return f"{head} {'+' if offset >= 0 else '-'} {abs(offset):.6g}"


def _line(actual: Array, expected: Array) -> list[tuple[float, float]]:
    """Fits a line through (expected, actual) and returns it, rounded first, if it passes near most; no constant."""
    usable = np.isfinite(actual) & np.isfinite(expected)
    if np.count_nonzero(usable) < 8:
        return []
    x, y = expected[usable].astype(np.float64), actual[usable].astype(np.float64)
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0 or max(np.abs(x).max(), np.abs(y).max()) > _SQUARED:
        return []
    error = np.zeros(0)
    for _ in range(3):
        factor, offset = np.polyfit(x, y, 1)
        error = np.abs(y - factor * x - offset)
        near = error <= max(np.quantile(error, 0.8), 1e-30)
        x, y = x[near], y[near]
        if len(x) < 8 or np.ptp(x) == 0.0:
            break
    if np.quantile(error, 0.5) > 1e-3 * max(np.ptp(y), 1e-30):
        return []
    if abs(offset) < _NO_OFFSET * float(np.abs(y).max()):
        return []  # only a factor
    return [(float(f"{factor:.4g}"), float(f"{offset:.4g}")), (float(factor), float(offset))]
