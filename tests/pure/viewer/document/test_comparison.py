"""Ranges and histograms of tensors, as the range bar shows them."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.document.comparison import summarise


@pytest.mark.parametrize("value", [0.001, 1.0, -3e30])
def test_neighbouring_numbers_have_a_histogram(value: float) -> None:
    low = np.float32(value)
    values = np.array([low, np.nextafter(low, np.float32(np.inf))], dtype=np.float32)
    statistics = summarise(values, values)
    assert statistics.histogram.sum() == 2
    assert statistics.shared == (values[0], values[1])


def test_nan_and_infinity_are_counted_and_left_out_of_the_range() -> None:
    values = np.array([np.nan, np.inf, -np.inf, 1.0, 2.0], dtype=np.float32)
    statistics = summarise(values, np.array([0.0, 5.0]))
    assert (statistics.nan_count, statistics.infinite_count) == (1, 2)
    assert statistics.shared == (0.0, 5.0)
    assert statistics.histogram.sum() == 2
