"""Causes that are effects of a format: it clamps values, loses signs, rounds, or overflows.

Each is tried on the result, which was stored, and on each input, which was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import LARGEST_HALF, NearestTo, as_half, curves
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, OutputChange
from texelscope.pipeline.diagnose.rules.precision import stored_wider
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Rule,
    Stage,
)
from texelscope.pipeline.diagnose.trial.model_edits import Function, input_through, output_through

Array = NDArray[Any]
Functions = Mapping[str, Function]

_CAPS: Functions = MappingProxyType(
    {
        "capped to 0 … 1": lambda y: np.clip(y, 0.0, 1.0),
        "capped to -1 … 1": lambda y: np.clip(y, -1.0, 1.0),
        "capped to at most 1": lambda y: np.minimum(y, 1.0),
    }
)
_STEPS: Functions = MappingProxyType(
    {
        "rounded to 255 steps between 0 and 1": lambda y: np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "rounded to steps of 1 / 255": lambda y: np.rint(y * 255.0) / 255.0,
        "truncated to 255 steps between 0 and 1": lambda y: np.floor(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "truncated to steps of 1 / 255": lambda y: np.floor(y * 255.0) / 255.0,
        "rounded to 127 steps between -1 and 1": lambda y: np.rint(np.clip(y, -1.0, 1.0) * 127.0) / 127.0,
        "rounded to 255 steps between -1 and 1": lambda y: np.rint((np.clip(y, -1.0, 1.0) + 1.0) * 127.5) / 127.5 - 1.0,
        "truncated to 256 steps": lambda y: np.floor(y * 256.0) / 256.0,
        "rounded to 256 steps": lambda y: np.rint(y * 256.0) / 256.0,
    }
)


class Clamped01(Rule):
    """Values are clamped to 0 … 1, as in fixed-point targets and pictures."""

    cause = causes.CLAMPED_0_1
    stage = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the clamp for the result and for each input."""
        remedy = "Render to a float texture, read it back as float, and do not clamp."
        return curves(case, self.cause, _CAPS, remedy, ("clamp", "min"), output_through)


class ClampedNonnegative(Rule):
    """Negative values are lost, as in an unsigned target."""

    cause = causes.CLAMPED_NONNEGATIVE
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes it for the result and for each input; first, since in the shader it would be called a ReLU."""
        drawn = case.interventions("clean")
        stored = drawn is not None and case.judge.only(drawn[1]).interventions(drawn[0][drawn[1]]).is_whole
        says = "without the negative ones" + (", which a float target keeps" if stored else "")
        cut: Functions = {says: lambda y: np.maximum(y, 0.0)}
        remedy = "Render to a signed target (a float format) and do not clamp at 0."
        yield from curves(case, self.cause, cut, remedy, ("max",), output_through, (0.5 if stored else 1.05, 1.9))


class Quantized8bit(Rule):
    """Values are rounded to the steps of a byte."""

    cause = causes.QUANTIZED_8BIT
    stage = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes it for the result, if it has few different values, and for each input."""
        finite = case.actual[np.isfinite(case.actual)]
        away = [np.abs(np.rint(finite * n) - finite * n) for n in (255.0, 127.0, 127.5, 256.0) if finite.size]
        few = len(np.unique(case.actual.reshape(-1)[case.sample])) < max(len(case.sample) * 0.9, 2)
        stepped = few or any(np.mean(each < 1e-2) > 0.5 for each in away)

        def rounded(function: Function) -> OutputChange | None:
            nearest = NearestTo(case, function)
            return OutputChange(nearest) if stepped and nearest.may_tell() else None

        yield from curves(case, self.cause, _STEPS, "Store the tensor in a float format.", ("floor", "round"), rounded)


class HalfOverflow(Rule):
    """Half precision makes values beyond 65504 infinite."""

    cause = causes.HALF_OVERFLOW
    stage = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes it for the result, as infinity or clamped, and for each input."""
        largest = _largest(case.expected)
        if largest > LARGEST_HALF:
            if (np.isinf(case.actual) & np.isfinite(case.expected)).any():
                limit = f"{LARGEST_HALF:.0f} is the limit"
                says = f"the right values in half precision, the largest of them {largest:.5g} ({limit})"
                yield self._hypothesis(case, says, largest, OutputChange(NearestTo(case, as_half)), 0.5)
            says = f"the right values capped to {LARGEST_HALF:.0f}, the largest of them {largest:.5g}"
            capped = output_through(lambda y: np.clip(y, -LARGEST_HALF, LARGEST_HALF))
            yield self._hypothesis(case, says, largest, capped, 0.6)
        for read in case.activations():
            largest = _largest(read.values.elements)
            if largest > LARGEST_HALF:
                says = f"reads of '{read.tensor}' in half precision, where {largest:.5g} is infinite"
                yield self._hypothesis(case, says, largest, input_through(read.tensor, as_half), 0.7)

    def _hypothesis(self, case: FailingPass, says: str, largest: float, change: ModelEdit, prior: float) -> Hypothesis:
        wider = stored_wider(case)
        remedy = f"Scale the tensor down, or {wider[0].lower()}{wider[1:]}."
        return Hypothesis(self.cause, says, remedy, {"largest": largest}, (change,), prior=prior)


def _largest(values: Array) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
