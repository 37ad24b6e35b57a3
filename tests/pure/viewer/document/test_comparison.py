"""Ranges and histograms of tensors, as the range bar shows them."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.viewer.document.comparison import HISTOGRAM_BINS, summarise


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


LARGEST, LEAST = np.finfo(np.float32).max, np.finfo(np.float32).smallest_subnormal


@pytest.mark.parametrize(
    "values",
    [
        [1e20] * 3,
        [-3.4e38] * 2,
        [LARGEST, -LARGEST],
        [LARGEST, np.nextafter(LARGEST, np.float32(0.0))],
        [0.0, LEAST],
        [LEAST, 2 * LEAST, 3 * LEAST],
        [1.0, 1.0 + 1e-7, np.inf],
        [-0.0, 0.0],
        [7.0],
    ],
)
def test_any_numbers_have_a_range_and_a_histogram(values: list[float]) -> None:
    actual = np.array(values, dtype=np.float32)
    finite = actual[np.isfinite(actual)]
    statistics = summarise(actual, actual)
    assert statistics.histogram.sum() == finite.size
    assert statistics.shared == (finite.min(), finite.max())


@pytest.mark.parametrize("values", [[], [np.nan, np.nan], [np.inf, -np.inf, np.nan]])
def test_without_a_finite_number_there_is_a_range_and_nothing_in_the_histogram(values: list[float]) -> None:
    statistics = summarise(np.array(values, dtype=np.float32), np.array(values))
    assert statistics.shared == (0.0, 1.0)
    assert statistics.histogram.shape == (HISTOGRAM_BINS,)
    assert statistics.histogram.sum() == 0


def test_an_oracle_beyond_float32_is_an_infinite_one() -> None:
    statistics = summarise(np.array([1.0, 2.0], dtype=np.float32), np.array([3.0, 1e300]))
    assert statistics.shared == (1.0, 3.0)


def test_the_histogram_counts_from_the_least_to_the_greatest() -> None:
    numbers = np.arange(HISTOGRAM_BINS + 1)
    values = np.repeat(numbers.astype(np.float32), numbers + 1)
    counts = summarise(values, values).histogram
    np.testing.assert_array_equal(counts[:-1], numbers[1:-1])
    assert counts[-1] == HISTOGRAM_BINS + HISTOGRAM_BINS + 1, "the greatest is in the last bin"
