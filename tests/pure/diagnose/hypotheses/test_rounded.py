"""Errors are called rounding only where they are small, everywhere, and follow no pattern."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.hypotheses.precision import rounding_of
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass


def noise(size: float) -> Array:
    made = right(graph())
    return (np.random.default_rng(1).uniform(-size, size, made.shape) * np.abs(made)).astype(np.float32)


def test_small_errors_everywhere_are_rounding_of_their_size() -> None:
    unit = rounding_of(FailingPass(evidence(graph(), right(graph()) + noise(2.0**-12))))
    assert unit is not None
    assert 2.0**-14 < unit <= 2.0**-12


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ("large", noise(0.1)),
        ("one factor", right(graph()) * np.float32(1e-3)),
        (
            "one number a channel",
            np.array([1, 2, -3, 4], dtype=np.float32).reshape(1, 4, 1, 1) * np.float32(1e-3) + noise(1e-5),
        ),
        ("a channel alone", noise(2.0**-12) * np.array([1, 0, 0, 0], dtype=np.float32).reshape(1, 4, 1, 1)),
        ("two columns alone", noise(2.0**-12) * np.array([1, 0, 0, 0, 0, 0, 1], dtype=np.float32)),
    ],
)
def test_errors_with_a_pattern_are_no_rounding(pattern: str, wrong: Array) -> None:
    assert rounding_of(FailingPass(evidence(graph(), right(graph()) + wrong))) is None, pattern


def test_nothing_is_said_to_be_reproduced_that_is_only_near() -> None:
    [found] = explain(evidence(graph(), right(graph()) + noise(2.0**-12))).findings
    assert found.cause == "precision"
    assert "are no farther off" in found.evidence
    assert "reproduced" not in found.evidence
    assert found.residual > 1e-5


def test_a_few_errors_strewn_about_are_rounding_though_most_rows_have_none() -> None:
    made = right(graph())
    wrong = made.copy()
    for place in ((0, 0, 1, 2), (0, 1, 4, 5), (0, 2, 1, 0), (0, 3, 4, 3)):
        wrong[place] += np.float32(1e-3) * (1.0 + place[1])
    assert rounding_of(FailingPass(evidence(graph(), wrong))) is not None
