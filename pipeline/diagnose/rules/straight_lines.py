"""Causes that are a straight line over the right values, the sums or an input: one factor, or a summand as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number, is_meant, shortened
from texelscope.pipeline.diagnose.fault_models.layer_parts import inner_curves
from texelscope.pipeline.diagnose.fault_models.region import in_parts
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Proposing, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import input_through, node_of, output_through, plus, times
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

# A sign, a half, and byte divisors; any other factor is fitted.
_COMMON_FACTORS = (-1.0, 2.0, 0.5, 255.0, 1.0 / 255.0, 256.0, 1.0 / 256.0, 127.5, 1.0 / 127.5)
# Smaller factors are ignored: they are made of rounding errors.
_NOTHING = 1e-5
# Pictures in 0 … 1 taken to -1 … 1, and back.
_COMMON_LINES = ((2.0, -1.0), (0.5, 0.5), (1.0, -0.5), (1.0, 0.5), (1.0, -1.0), (1.0, 1.0))
# A smaller addend than this share of the largest value counts as none.
_NO_OFFSET = 1e-5
# Squares of larger numbers overflow, of which LAPACK complains on standard output.
_SQUARED = 1e150


class Scale(Rule):
    """Values are multiplied by a constant factor."""

    cause = causes.SCALE
    stage = Stage.FITS

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """A factor of the whole result is simpler than another function that would give the same, so it comes first."""
        return ((Stage.PARTS, self._of_result), (self.stage, self.propose))

    def _of_result(self, case: FailingPass, *, turned: bool = False) -> Iterator[Hypothesis]:
        """Proposes factors of the result; -1 comes later, since swapped operands give it too."""
        factors = dict.fromkeys((*fitted(case.actual, case.expected), *_COMMON_FACTORS))
        for factor in (each for each in factors if (each == -1.0) is turned):
            says = f"the right result times {factor:.6g}"
            whole = self._hypothesis(
                says, factor, output_through(times(factor)), 1.6, pairs=factor in _COMMON_FACTORS[:3]
            )
            yield whole
            yield from in_parts(case, whole)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes factors of the sum with and without its bias, and of each input; fitted ones and common ones."""
        yield from self._of_result(case, turned=True)
        for node in inner_curves(case):
            for factor in fitted_number(case, lambda f, n=node: node_of(case, n, times(f)), 1.0):  # type: ignore[misc]
                into = node_of(case, node, times(factor))
                yield self._hypothesis(f"the input of {node.op_type} times {factor:.6g}", factor, into, 1.17)
        yield from solved(case, self.cause)
        fed = {node.inputs[0] for node in case.model_slice.nodes if case.model_slice.window(node) is not None}
        for read in case.activations():
            # A window's input and its weights have the same factor.
            of_input = [] if read.tensor in fed else fitted_number(case, _input_times(read.tensor), 1.0)
            for factor in dict.fromkeys((*(each for each in of_input if abs(each) >= _NOTHING), *_COMMON_FACTORS)):
                change_in = input_through(read.tensor, times(factor))
                yield self._hypothesis(f"the input '{read.tensor}' times {factor:.6g}", factor, change_in, 1.3)

    def _hypothesis(
        self, says: str, factor: float, change: ModelEdit, prior: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Remove the factor, or use the model's.",
            {"factor": factor},
            (change,),
            line=lines.first(
                lines.written(factor, 1.0 / factor), lines.rooted(factor**2, 1.0 / factor**2), lines.result
            ),
            prior=prior,
            in_pairs=pairs,
            fitted=int(factor not in _COMMON_FACTORS),
        )


def fitted(actual: Array, expected: Array) -> list[float]:
    """Returns the factor between the two, if it is nearly the same for most elements; rounded first."""
    with np.errstate(all="ignore"):
        ratio = actual.astype(np.float64) / expected.astype(np.float64)
    size = np.abs(expected)
    usable = np.isfinite(ratio) & np.isfinite(size) & (size > 0)
    if np.count_nonzero(usable) < 3:
        return []
    usable &= size >= np.quantile(size[usable], 0.5)
    value = float(np.median(ratio[usable]))
    if abs(value) < _NOTHING or not is_meant(value, 1.0):
        return []
    spread = float(np.quantile(np.abs(ratio[usable] - value), 0.5))
    return shortened(value, 2e-6) if spread < 0.01 * abs(value) else []


def _input_times(tensor: str) -> Callable[[float], ModelEdit]:
    return lambda factor: input_through(tensor, times(factor))


class Affine(Rule):
    """Values are multiplied by a constant and another one is added, such as 2 x - 1."""

    cause = causes.AFFINE
    stage = Stage.FITS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes a line through the result, through the sum before the activation, and through each input."""
        is_shift = not _rounds_otherwise(case)
        for factor, offset in (*_line(case.actual, case.expected), *_COMMON_LINES):
            if factor == 1.0 and not is_shift:
                continue
            says = f"{_text(factor, offset, 'y')} where y is the right result"
            yield self._hypothesis(says, factor, offset, output_through(plus(factor, offset)), 2.0)
        for node in inner_curves(case) if is_shift else ():
            for offset in fitted_number(case, lambda c, n=node: node_of(case, n, plus(1.0, c)), 0.0):  # type: ignore[misc]
                says = f"{_text(1.0, offset, 'x')} where x enters {node.op_type}"
                yield self._hypothesis(says, 1.0, offset, node_of(case, node, plus(1.0, offset)), 2.15)
        for read in case.activations():
            for factor, offset in _COMMON_LINES:
                if factor == 1.0 and not is_shift:
                    continue
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
            fitted=0 if (factor, offset) in _COMMON_LINES else 2,
        )


def _rounds_otherwise(case: FailingPass) -> bool:
    """Whether the model rounds, and the text does not call that function: then a summand is another rounding's.

    Between two ways of rounding lies a summand, mostly: ⌊x⌋ is ⌈x⌉ - 1.
    """
    spelled = [names for node in case.model_slice.nodes if (names := facts_of(node).rounded_by)]
    return any(not case.text.calls(*names) for names in spelled)


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
    if abs(factor) < _NOTHING:
        return []  # a constant, or numbers that stand for nothing, all of them tiny
    if abs(offset) < _NO_OFFSET * float(np.abs(y).max()):
        return []  # only a factor
    return [(float(f"{factor:.4g}"), float(f"{offset:.4g}")), (float(factor), float(offset))]
