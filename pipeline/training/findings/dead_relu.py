"""Finds dead Relus: channels that are zero for every input, through which no gradient flows back.

A step that was too large, or biases far below zero, leave them there permanently.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.training.findings.registry import StepSeen, TrainingFinding, span

CAUSE = "dead ReLU"
LEAST_STEPS = 5
# Some channels of a narrow layer are zero from its first values on.
SHARE = 0.5
_LISTED = 4


def find(steps: Sequence[StepSeen]) -> Sequence[TrainingFinding]:
    """Returns the Relus of which at least `SHARE` of the channels are zero in every step, the worst first."""
    found = []
    for tensor in steps[0].silent:
        dead = np.flatnonzero(np.all([step.silent[tensor] for step in steps], axis=0))
        count = steps[0].silent[tensor].size
        if dead.size and dead.size >= SHARE * count:
            listed = ", ".join(map(str, dead[:_LISTED])) + (", …" if dead.size > _LISTED else "")
            evidence = f"is zero in {dead.size} of {count} channels ({listed}) for all rows {span(steps)}."
            found.append((dead.size / count, TrainingFinding(CAUSE, tensor, evidence)))
    return [finding for _, finding in sorted(found, key=lambda each: -each[0])]
