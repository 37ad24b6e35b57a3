"""Finds the causes: every module of this folder that has one, asked in the order of their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pipeline.training.findings
from pipeline.discovery import plugins
from pipeline.training.findings.seen import LEAST_STEPS, StepSeen, TrainingFinding

Find = Callable[[Sequence[StepSeen]], Sequence[TrainingFinding]]
# What they are written with.
_SHARED = ("registry", "seen")


def findings(steps: Sequence[StepSeen]) -> tuple[TrainingFinding, ...]:
    """What the steps show, all causes; nothing of fewer than `LEAST_STEPS`."""
    if len(steps) < LEAST_STEPS:
        return ()
    return tuple(each for find in all_causes() for each in find(steps))


@cache
def all_causes() -> tuple[Find, ...]:
    """What finds each cause. Raises TexelscopeError naming the file of a module without one."""
    found: list[Find] = [
        plugin.take("find", "a function of steps", "Write find(steps) -> Sequence[TrainingFinding].", callable)
        for plugin in plugins(pipeline.training.findings, without=_SHARED)
    ]
    return tuple(found)
