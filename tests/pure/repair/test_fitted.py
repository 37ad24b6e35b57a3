"""A number that makes all errors small is found from a few values of them, and written as one writes it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.repair.harness.solving import solved, ways_to_write

X = np.linspace(0.3, 2.0, 12)
Curve = Callable[[float], NDArray[np.float64]]


@pytest.mark.parametrize(
    ("curve", "wanted", "start"),
    [
        (lambda a: a * X + 0.5, 0.125, 1.0),
        (lambda a: X / (X + a), 0.59, 0.95),
        (lambda a: X**a, 0.75, 0.5),
        (lambda a: np.tanh(a * X), 0.5, 1.0),
        (lambda a: 1.0 / np.sqrt(X + a), 1e-3, 1e-5),
    ],
)
def test_the_number_that_was_meant_is_found(curve: Curve, wanted: float, start: float) -> None:
    right = curve(wanted)
    found = solved(lambda number: (curve(number) - right) / 1e-6, start)
    assert found is not None
    assert found == pytest.approx(wanted, rel=1e-4)


def test_errors_that_no_number_makes_small_have_none() -> None:
    assert solved(lambda number: (number * X - X**2) / 1e-6, 1.0) is None
    assert solved(lambda number: np.ones(4), 1.0) is None  # it does nothing
    assert solved(lambda number: None, 1.0) is None
    assert solved(lambda number: X * np.nan, 1.0) is None


def test_a_number_is_written_as_a_divisor_a_share_of_bytes_or_with_few_digits() -> None:
    assert ("/ 9.0", 1.0 / 9.0) in [*ways_to_write(0.11111111, is_factor=True)]
    assert "/ 9.0" not in [shown for shown, _ in ways_to_write(0.11111111, is_factor=False)]
    assert "(224.0 / 255.0)" in [shown for shown, _ in ways_to_write(0.8784312, is_factor=True)]
    assert [shown for shown, _ in ways_to_write(2.43, is_factor=False)] == ["2.0", "2.4", "2.43"]
