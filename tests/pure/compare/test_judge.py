"""Tests what a hypothesis reproduces, and how much of the rest it leaves right."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.compare.judge import Judge

# A hundred values between 0 and 1, right to bounds of at most 5e-4, and twenty above 1 that came out as 1.
EXPECTED = np.concatenate([np.linspace(0.01, 0.99, 100), np.linspace(1.5, 2.5, 20)]).astype(np.float32)
ACTUAL = np.minimum(EXPECTED, 1.0)
BOUND = np.concatenate([np.full(100, 1e-5), np.full(20, 5e-4)])
JUDGE = Judge(ACTUAL, EXPECTED, BOUND)


def test_a_prediction_that_is_what_came_out_is_the_whole() -> None:
    score = JUDGE.reproduces(np.minimum(EXPECTED, 1.0))
    assert (score.explained, score.wrong, score.kept, score.is_whole) == (20, 20, 1.0, True)


def test_one_that_moves_what_is_right_by_more_than_rounding_is_not() -> None:
    """Values capped to 1 are no values of eight bits: those below 1 are not on steps of 1/255."""
    score = JUDGE.reproduces(np.rint(np.minimum(EXPECTED, 1.0) * 255.0) / 255.0)
    assert (score.explained, score.wrong) == (20, 20)
    assert score.kept < 0.99
    assert not score.is_whole
    assert not score.is_part


def test_what_is_redone_may_round_otherwise() -> None:
    assert JUDGE.reproduces(np.minimum(EXPECTED, 1.0) + 5e-4).is_whole


def test_a_scalar_is_judged_as_any_tensor() -> None:
    """A product of two vectors has no axes."""
    judge = Judge(np.array(2.0), np.array(1.0), np.array(0.1))
    assert judge.wrong().shape == ()
    assert judge.wrong()
    assert judge.reproduces(np.array(2.0)).is_whole
