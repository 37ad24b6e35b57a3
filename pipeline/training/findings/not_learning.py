"""Finds a layer that does not learn: its weights hardly change, while those of others do."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from texelscope.pipeline.training.findings.registry import StepSeen, TrainingFinding, WeightSeen, span

CAUSE = "does not learn"
LEAST_STEPS = 5
# A step's change over the weight: below it hardly one bit of a float32 changes.
STILL = float(np.finfo(np.float32).eps)
# Another weight changes by this part of itself in a step, or all of them have come to rest.
MOVING = 1e-5


def find(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    """Returns the weights that no step changes by `STILL` of themselves, and why: no gradient, or a lost one."""
    changes = {name: [_part(step.weights[name]) for step in steps] for name in steps[0].weights}
    moving = [name for name, parts in changes.items() if median(parts) > MOVING]
    if not moving:
        return ()
    most = max(moving, key=lambda name: median(changes[name]))
    found = []
    for name, parts in changes.items():
        if max(parts) <= STILL:
            has_gradient = any(step.weights[name].gradient for step in steps)
            reason = (
                f"its gradient of {median(step.weights[name].gradient for step in steps):.1g} is lost in rounding"
                if has_gradient
                else "its gradient is zero"
            )
            evidence = (
                f"changes by {max(parts):.1g} of itself at most, {span(steps)}, '{most}' by "
                f"{median(changes[most]):.1g}: {reason}."
            )
            found.append(TrainingFinding(CAUSE, name, evidence))
    return found


def _part(seen: WeightSeen) -> float:
    """Returns the step's change as a part of the weight; for a weight of zeros, any change is a whole one."""
    if seen.value:
        return seen.change / seen.value
    return 1.0 if seen.change else 0.0
