"""Tests why a model does not learn, from figures: each cause where it was planted, none in sound training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from texelscope.pipeline.training.findings.registry import StepSeen, WeightSeen, findings

SOUND = {"a": WeightSeen(1.0, 0.01, 1e-3), "b": WeightSeen(1.0, 0.02, 1e-3), "c": WeightSeen(1.0, 0.03, 1e-3)}
ALIVE = {"r": np.array([False, True, False, False, False, False, False, False])}


def _steps(
    weights: Callable[[int], Mapping[str, WeightSeen]] = lambda step: SOUND,
    silent: Mapping[str, np.ndarray] = ALIVE,
    loss: Callable[[int], float] = lambda step: 1.0 / step,
    count: int = 6,
) -> Sequence[StepSeen]:
    return [StepSeen(step, loss(step), weights(step), silent) for step in range(1, count + 1)]


PLANTED = {
    "vanishing": (
        _steps(lambda step: {**SOUND, "a": WeightSeen(1.0, 2e-8, 2e-6)}),
        "vanishing gradient: 'a' has a gradient of 7e-07 times that of 'c', in each of 6 steps from 1 to 6.",
    ),
    "vanishing in two layers": (
        _steps(lambda step: {**SOUND, "a": WeightSeen(1.0, 2e-8, 2e-6), "b": WeightSeen(1.0, 1e-6, 2e-6)}),
        "vanishing gradient: 'a' has a gradient of 7e-07 times that of 'c', in each of 6 steps from 1 to 6. So is it "
        "with 1 more.",
    ),
    "exploding over steps": (
        _steps(lambda step: {**SOUND, "b": WeightSeen(1.0, 0.01 * 10.0**step, 1e-3)}, loss=lambda step: 2.0**step),
        "exploding gradient: 'b' has a gradient that grew 2e+04 times from step 1 to 6, while the loss went from 2 "
        "to 64.",
    ),
    "exploding by depth": (
        _steps(lambda step: {**SOUND, "a": WeightSeen(1.0, 900.0, 1e-3)}),
        "exploding gradient: 'a' has a gradient 3e+04 times that of 'c' or more, in each of 6 steps from 1 to 6.",
    ),
    "dead": (
        _steps(silent={**ALIVE, "s": np.arange(8) < 6}),
        "dead ReLU: 's' is zero in 6 of 8 channels (0, 1, 2, 3, …) for all rows in each of 6 steps from 1 to 6.",
    ),
    "no gradient": (
        _steps(lambda step: {**SOUND, "a": WeightSeen(1.0, 0.0, 0.0)}),
        "does not learn: 'a' changes by 0 of itself at most, in each of 6 steps from 1 to 6, 'b' by 0.001: "
        "its gradient is zero.",
    ),
    "lost in rounding": (
        _steps(lambda step: {**SOUND, "a": WeightSeen(1e4, 0.01, 1e-4)}),
        "does not learn: 'a' changes by 1e-08 of itself at most, in each of 6 steps from 1 to 6, 'b' by 0.001: "
        "its gradient of 0.01 is lost in rounding.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_what_was_planted_is_found_and_nothing_else(name: str) -> None:
    steps, expected = PLANTED[name]
    assert [str(each) for each in findings(steps)] == [expected]


def test_sound_training_has_no_findings() -> None:
    assert findings(_steps()) == ()
    at_rest = {name: WeightSeen(1.0, 1e-9, 1e-9) for name in SOUND}
    assert findings(_steps(lambda step: at_rest, loss=lambda step: 1e-9)) == ()


def test_a_channel_that_wakes_up_is_not_dead_and_few_steps_say_nothing() -> None:
    silent = np.ones(8, bool)
    awake = StepSeen(7, 0.1, SOUND, {"r": ~silent})
    steps = _steps(silent={"r": silent})
    assert [each.cause for each in findings(steps)] == ["dead ReLU"]
    assert findings([*steps, awake]) == ()
    assert findings(steps[:4]) == ()


def test_three_steps_tell_an_explosion() -> None:
    steps, _ = PLANTED["exploding over steps"]
    assert [each.cause for each in findings(steps[:4])] == ["exploding gradient"]
    assert findings(steps[:2]) == ()
