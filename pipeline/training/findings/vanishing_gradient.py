"""Finds a vanishing gradient: a layer's is a tiny part of that of a layer nearer to the loss.

A deep chain of slopes below one causes it: saturated sigmoids, first values that are too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from texelscope.pipeline.training.findings.registry import StepSeen, TrainingFinding, span

CAUSE = "vanishing gradient"
LEAST_STEPS = 5
# Below this part of the largest of the layers behind it.
SHARE = 1e-4


def find(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    """Returns the weight with the smallest gradient beside a later one's, in every step less than `SHARE` of it."""
    found: list[tuple[float, str, str]] = []
    names = [*steps[0].weights]
    for position, name in enumerate(names[:-1]):
        behind = max(names[position + 1 :], key=lambda each: median(step.weights[each].gradient for step in steps))
        shares = [
            step.weights[name].gradient / step.weights[behind].gradient if step.weights[behind].gradient else 1.0
            for step in steps
        ]
        if min(shares) > 0.0 and max(shares) < SHARE:
            found.append((median(shares), name, behind))
    if not found:
        return ()
    share, name, behind = min(found)
    others = f" So is it with {len(found) - 1} more." if len(found) > 1 else ""
    evidence = f"has a gradient of {share:.1g} times that of '{behind}', {span(steps)}.{others}"
    return (TrainingFinding(CAUSE, name, evidence),)
