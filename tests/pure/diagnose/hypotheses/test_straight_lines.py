"""A line through right and wrong values is one only where the wrong values follow the right ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain


def causes_of(wrong: Array) -> set[str]:
    return {found.cause for found in explain(evidence(graph(), wrong)).findings}


@pytest.mark.parametrize("largest", [1e-30, 1e-37, 1e-44])
def test_tiny_numbers_that_mean_nothing_are_no_line(largest: float) -> None:
    garbage = np.random.default_rng(1).uniform(0.0, largest, right(graph()).shape).astype(np.float32)
    assert not causes_of(garbage) & {"affine", "scale"}


def test_a_line_is_one() -> None:
    assert "affine" in causes_of(np.float32(0.3) * right(graph()) + np.float32(0.7))
