"""Finds an exploding gradient: it grows from step to step, or backwards from layer to layer.

A rate that is too high does the first, slopes above one in a deep chain the second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from texelscope.pipeline.training.findings.registry import StepSeen, TrainingFinding, span

CAUSE = "exploding gradient"
LEAST_STEPS = 3
# Over the first steps, while the loss grows too.
GROWTH = 100.0
# Over the gradient of the last weight, in every step.
BY_DEPTH = 1e4


def find(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    """Returns the weight whose gradient grows most over the steps, and the one that exceeds the last weight's most."""
    return [*_over_steps(steps), *_by_depth(steps)]


def _over_steps(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    third = max(1, len(steps) // 3)
    is_worse = not steps[-1].loss <= max(step.loss for step in steps[:third])
    growth = {name: _growth([step.weights[name].gradient for step in steps], third) for name in steps[0].weights}
    name = max(growth, key=growth.__getitem__, default="")
    if not name or not is_worse or growth[name] < GROWTH:
        return ()
    evidence = (
        f"has a gradient that grew {_times(growth[name])} from step {steps[0].step} to {steps[-1].step}, "
        f"while the loss went from {steps[0].loss:.3g} to {steps[-1].loss:.3g}."
    )
    return (TrainingFinding(CAUSE, name, evidence),)


def _growth(gradients: Sequence[float], third: int) -> float:
    before, after = median(gradients[:third]), gradients[-1]
    if not math.isfinite(after):
        return math.inf
    return after / before if before else 0.0


def _by_depth(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    *names, last = steps[0].weights
    ratios = {
        name: min(_ratio(step.weights[name].gradient, step.weights[last].gradient) for step in steps) for name in names
    }
    name = max(ratios, key=ratios.__getitem__, default="")
    if not name or ratios[name] < BY_DEPTH:
        return ()
    evidence = f"has a gradient {_times(ratios[name])} that of '{last}' or more, {span(steps)}."
    return (TrainingFinding(CAUSE, name, evidence),)


def _ratio(gradient: float, of: float) -> float:
    return gradient / of if of else 0.0


def _times(factor: float) -> str:
    return f"{factor:.1g} times" if math.isfinite(factor) else "beyond all numbers"
