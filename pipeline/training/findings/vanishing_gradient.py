"""A gradient that vanishes on its way back: a layer's is a tiny part of that of a layer nearer to the loss.

A deep chain of slopes below one does it: saturated sigmoids, first values that are too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from pipeline.training.findings.seen import StepSeen, TrainingFinding, span

CAUSE = "vanishing gradient"
# Below this part of the largest of the layers behind it.
SHARE = 1e-4


def find(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    """The weights whose gradient is no zero, but in every step less than `SHARE` of that of one behind it."""
    found = []
    names = [*steps[0].weights]
    for position, name in enumerate(names[:-1]):
        behind = max(names[position + 1 :], key=lambda each: median(step.weights[each].gradient for step in steps))
        shares = [
            step.weights[name].gradient / step.weights[behind].gradient if step.weights[behind].gradient else 1.0
            for step in steps
        ]
        if min(shares) > 0.0 and max(shares) < SHARE:
            evidence = f"has a gradient of {median(shares):.1g} times that of '{behind}', {span(steps)}."
            found.append((median(shares), TrainingFinding(CAUSE, name, evidence)))
    return [finding for _, finding in sorted(found, key=lambda each: each[0])]
