"""Records the observations of a training step: a few figures of each weight and each Relu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WeightSeen:
    """Holds root mean squares over a weight's elements: of itself, its gradient, and the step's change."""

    value: float
    gradient: float
    change: float


@dataclass(frozen=True)
class StepSeen:
    """Describes one step: its number from 1, its loss, each weight by name in order, and each Relu's channels.

    `silent` maps a Relu's output to bool [channels]: whether all of the channel's elements are zero.
    """

    step: int
    loss: float
    weights: Mapping[str, WeightSeen]
    silent: Mapping[str, NDArray[np.bool_]]


@dataclass(frozen=True)
class TrainingFinding:
    """Names a `cause`, the tensor that shows it, and the `evidence` in a sentence with figures."""

    cause: str
    tensor: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.cause}: '{self.tensor}' {self.evidence}"


def span(steps: Sequence[StepSeen]) -> str:
    """Names the steps, in words."""
    return f"in each of {len(steps)} steps from {steps[0].step} to {steps[-1].step}"
