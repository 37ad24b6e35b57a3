"""Finds the causes: every module of this folder that has one, asked in the order of their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import texelscope.pipeline.training.findings
from texelscope.pipeline.discovery import plugins
from texelscope.pipeline.training.findings.seen import StepSeen, TrainingFinding

Find = Callable[[Sequence[StepSeen]], Sequence[TrainingFinding]]
# What they are written with.
_SHARED = ("registry", "seen")


def findings(steps: Sequence[StepSeen]) -> tuple[TrainingFinding, ...]:
    """What the steps show, all causes; of few steps nothing."""
    return tuple(each for least, find in all_causes() if len(steps) >= least for each in find(steps))


@cache
def all_causes() -> tuple[tuple[int, Find], ...]:
    """How many steps each cause needs, and what finds it. Raises TexelscopeError naming the file of a bad module."""
    found: list[tuple[int, Find]] = []
    for plugin in plugins(texelscope.pipeline.training.findings, without=_SHARED):
        least = plugin.take(
            "LEAST_STEPS", "a number of steps", "Write LEAST_STEPS = 5.", lambda it: isinstance(it, int)
        )
        find = plugin.take("find", "a function of steps", "Write find(steps) -> Sequence[TrainingFinding].", callable)
        found.append((least, find))
    return tuple(found)
