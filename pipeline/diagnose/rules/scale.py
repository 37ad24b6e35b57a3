"""scale: the wrong values are the right ones (or the sums, or an input) times one factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.fits import fitted_number, is_meant, shortened
from texelscope.pipeline.diagnose.clues.parts import inner_curves
from texelscope.pipeline.diagnose.functions.in_part import in_parts
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import ANOTHER, ELSEWHERE, Hypothesis, Proposing, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import input_through, node_of, output_through, times

Array = NDArray[Any]

# A sign, a half, and byte divisors; any other factor is fitted.
_COMMON = (-1.0, 2.0, 0.5, 255.0, 1.0 / 255.0, 256.0, 1.0 / 256.0, 127.5, 1.0 / 127.5)
# Smaller factors are ignored: they are made of rounding errors.
_NOTHING = 1e-5


class Scale(Rule):
    """Values are multiplied by a constant factor."""

    cause = "scale"
    stage = Stage.FITS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        edits=("put in",),
        confirmed_by=frozenset({"wrong_literal"}),
        denied_by_edits=frozenset(
            {
                "across",
                "before",
                "element",
                "epsilon",
                "filter",
                "function",
                "half texel",
                "layout",
                "order",
                "partner",
                "size",
                "tensor",
                "wrap",
            }
        ),
        denied_by_reads=ELSEWHERE | ANOTHER,
    )

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """A factor of the whole result is simpler than another function that would give the same, so it comes first."""
        return ((Stage.PARTS, self._of_result), (self.stage, self.propose))

    def _of_result(self, case: FailingPass, *, turned: bool = False) -> Iterator[Hypothesis]:
        """Proposes factors of the result; -1 comes later, since swapped operands give it too."""
        factors = dict.fromkeys((*fitted(case.actual, case.expected), *_COMMON))
        for factor in (each for each in factors if (each == -1.0) is turned):
            says = f"the right result times {factor:.6g}"
            whole = self._hypothesis(says, factor, output_through(times(factor)), 1.6, pairs=factor in _COMMON[:3])
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
            for factor in dict.fromkeys((*(each for each in of_input if abs(each) >= _NOTHING), *_COMMON)):
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
            fitted=int(factor not in _COMMON),
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
