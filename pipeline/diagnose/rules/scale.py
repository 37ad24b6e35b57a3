"""scale: the wrong values are the right ones (or the sums, or an input) times one factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.addend import addend
from pipeline.diagnose.clues.fits import fitted_number, is_meant, shortened
from pipeline.diagnose.clues.parts import biases, undone_to
from pipeline.diagnose.redo.redo import Change, NodeChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import (
    constant_as,
    input_through,
    output_through,
    times,
    weights_turned,
    window_with,
)
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node

Array = NDArray[Any]

# A sign, a half, and what bytes of a picture are divided by; any other factor is fitted.
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
        for window in case.windows():
            if window.kind != "sum" or window.weights is None:
                continue
            for factor in dict.fromkeys((*_of_sum(case, window), *_COMMON)):
                change = weights_turned(window.node, times(factor))
                yield self._hypothesis(f"the sum of products times {factor:.6g}, then the bias", factor, change, 1.2)
                if window.bias is not None and case.redo.tail():
                    both = window_with(
                        window.node, weights=times(factor)(window.weights), bias=times(factor)(window.bias)
                    )
                    yield self._hypothesis(f"the sum times {factor:.6g} before the activation", factor, both, 1.1)
        yield from self._within(case)
        fed = {node.inputs[0] for node in case.redo.nodes if case.redo.window(node) is not None}
        for read in case.activations():
            # What a window sums up is multiplied as its weights are.
            of_input = [] if read.tensor in fed else fitted_number(case, _input_times(read.tensor), 1.0)
            for factor in dict.fromkeys((*of_input, *_COMMON)):
                change_in = input_through(read.tensor, times(factor))
                yield self._hypothesis(f"the input '{read.tensor}' times {factor:.6g}", factor, change_in, 1.3)

    def _within(self, case: Case) -> Iterator[Hypothesis]:
        """Factors of what other nodes give, and of biases."""
        for node in case.redo.nodes[:-1]:
            if case.redo.window(node) is None:
                for factor in _of_node(case, node):
                    of_node = NodeChange(node.name, _times(case, factor))
                    yield self._hypothesis(f"the result of {node.op_type} times {factor:.6g}", factor, of_node, 1.15)
        for bias in biases(case) if case.redo.graph is not None else ():
            found = addend(case, bias)
            own = None if found is None else found.biases[found.index.reshape(-1)]
            factors = [] if found is None or own is None else fitted(found.added.reshape(-1), own)
            for factor in (each for each in factors if each > 0.0):  # the other sign is no factor but a minus
                of_bias = constant_as(bias.tensor, times(factor))
                yield self._hypothesis(f"the bias '{bias.tensor}' times {factor:.6g}", factor, of_bias, 1.25)

    def _hypothesis(
        self, says: str, factor: float, change: Change, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Take the factor away, or apply the model's.",
            {"factor": factor},
            (change,),
            line=lines.first(
                lines.written(factor, 1.0 / factor), lines.rooted(factor**2, 1.0 / factor**2), lines.result
            ),
            weight=weight,
            in_pairs=pairs,
            fitted=int(factor not in _COMMON),
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
    if value == 0.0 or not is_meant(value, 1.0):
        return []
    spread = float(np.quantile(np.abs(ratio[usable] - value), 0.5))
    return shortened(value, 2e-6) if spread < 0.01 * abs(value) else []


def _of_sum(case: Case, window: WindowSum) -> list[float]:
    """Factors of the sum, before the pointwise nodes behind it, with its bias and without."""
    node = next(each for each in case.redo.nodes if each.name == window.node)
    made = undone_to(case, case.actual, node)
    value = np.asarray(case.redo.values[node.outputs[0]], dtype=np.float64).reshape(-1)
    if made is None or made.size != value.size:
        return []
    found = fitted(made, value)
    if window.bias is not None:
        sums = window.replaced(bias=None).evaluate().reshape(-1).astype(np.float64)
        found += fitted(made - (value - sums), sums)
    return found


def _of_node(case: Case, node: Node) -> list[float]:
    """The factor between what a node gave and what it should give."""
    made = undone_to(case, case.actual, node)
    value = np.asarray(case.redo.values[node.outputs[0]], dtype=np.float64).reshape(-1)
    return fitted(made, value) if made is not None and made.size == value.size else []


def _times(case: Case, factor: float):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.redo.run_node(node, inputs) * np.float32(factor)


def _input_times(tensor: str) -> Callable[[float], Change]:
    return lambda factor: input_through(tensor, times(factor))
