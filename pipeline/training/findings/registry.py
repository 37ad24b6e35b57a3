"""Finds out what training steps show: asks every module of this folder, in the order of their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

import texelscope.pipeline.training.findings
from texelscope.pipeline.discovery import plugins


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


Find = Callable[[Sequence[StepSeen]], Sequence[TrainingFinding]]


def findings(steps: Sequence[StepSeen]) -> tuple[TrainingFinding, ...]:
    """Returns what the steps show, all causes; of few steps nothing."""
    return tuple(each for least, find in all_causes() if len(steps) >= least for each in find(steps))


@cache
def all_causes() -> tuple[tuple[int, Find], ...]:
    """Returns each cause's number of steps and its `find`. Raises TexelscopeError naming the file of a bad module."""
    found: list[tuple[int, Find]] = []
    for plugin in plugins(texelscope.pipeline.training.findings, without=("registry",)):
        least = plugin.take(
            "LEAST_STEPS", "a number of steps", "Write LEAST_STEPS = 5.", lambda it: isinstance(it, int)
        )
        find = plugin.take("find", "a function of steps", "Write find(steps) -> Sequence[TrainingFinding].", callable)
        found.append((least, find))
    return tuple(found)
