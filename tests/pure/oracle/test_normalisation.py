"""BatchNormalization, LRN, Softmax and kin: what the specification of each opset says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pure.oracle.nodes import Array, assert_close, fast, node, plain, random

BATCH_STATISTICS = (random(3, seed=1), random(3, seed=2), random(3, seed=3), np.abs(random(3, seed=4)))


def normalised(x: Array, scale: Array, bias: Array, mean: Array, variance: Array, epsilon: float) -> Array:
    """Returns the specification's formula in double precision, per channel."""
    wide = [np.float64(v).reshape(1, -1, *(1,) * (x.ndim - 2)) for v in (scale, bias, mean, variance)]
    return ((x - wide[2]) / np.sqrt(wide[3] + epsilon) * wide[0] + wide[1]).astype(x.dtype)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 5), (1, 3, 4, 5), (2, 3, 2, 2, 2)])
@pytest.mark.parametrize("opset", [7, 9, 14, 21])
def test_batch_normalization_with_one_output_uses_the_given_statistics(opset: int, shape: tuple[int, ...]) -> None:
    x = random(*shape)
    made = node("BatchNormalization", 5, opset=opset, epsilon=1e-3)
    assert_close(fast(made, x, *BATCH_STATISTICS), normalised(x, *BATCH_STATISTICS, 1e-3))


def test_batch_normalization_equals_the_reference_at_inference() -> None:
    made = node("BatchNormalization", 5, opset=15)
    x = random(2, 3, 4, 4)
    assert_close(fast(made, x, *BATCH_STATISTICS), plain(made, x, *BATCH_STATISTICS))


@pytest.mark.parametrize("opset", [1, 6])
def test_batch_normalization_in_old_opsets_asks_is_test(opset: int) -> None:
    made = node("BatchNormalization", 5, opset=opset, is_test=1, consumed_inputs=(0, 0, 0, 1, 1))
    x = random(2, 3, 4, 4)
    assert_close(fast(made, x, *BATCH_STATISTICS), normalised(x, *BATCH_STATISTICS, 1e-5))


def test_batch_normalization_of_each_element_has_statistics_of_that_shape() -> None:
    made = node("BatchNormalization", 5, opset=7, spatial=0)
    x = random(2, 3, 4)
    statistics = [np.abs(random(3, 4, seed=i)) for i in range(4)]
    scale, bias, mean, variance = statistics
    expected = (x - mean) / np.sqrt(variance + np.float32(1e-5)) * scale + bias
    assert_close(fast(made, x, *statistics), expected)


def test_training_is_left_to_the_reference() -> None:
    made = node("BatchNormalization", 5, opset=15, output_count=3, training_mode=1)
    x = random(2, 3, 4, 4)
    assert_close(fast(made, x, *BATCH_STATISTICS), plain(made, x, *BATCH_STATISTICS))


@pytest.mark.parametrize(("opset", "parameters"), [(18, 2), (21, 6)])
def test_group_normalization_equals_the_reference(opset: int, parameters: int) -> None:
    made = node("GroupNormalization", 3, opset=opset, num_groups=2, epsilon=1e-3)
    inputs = random(2, 6, 3, 2), random(parameters, seed=1), random(parameters, seed=2)
    assert_close(fast(made, *inputs), plain(made, *inputs))


def test_mean_variance_normalization_equals_the_reference() -> None:
    made = node("MeanVarianceNormalization", 1, axes=(0, -1))
    assert_close(fast(made, random(2, 3, 5)), plain(made, random(2, 3, 5)))


@given(st.integers(1, 6), st.integers(1, 7), st.integers(1, 2))
def test_lrn_sums_the_squares_of_neighbouring_channels(size: int, channels: int, images: int) -> None:
    x = random(images, channels, 2, 3)
    made = node("LRN", 1, size=size, alpha=0.3, beta=0.6, bias=1.5)
    expected = np.empty(x.shape)
    for c in range(channels):
        low, high = max(0, c - (size - 1) // 2), min(channels, c + -(-(size - 1) // 2) + 1)
        squares = (x[:, low:high].astype(np.float64) ** 2).sum(axis=1)
        expected[:, c] = x[:, c] / (1.5 + 0.3 / size * squares) ** 0.6
    assert_close(fast(made, x), expected.astype(np.float32))


@pytest.mark.parametrize("axis", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax", "Hardmax"])
def test_softmax_and_kin_equal_the_reference_from_opset_13_on(op_type: str, axis: int) -> None:
    made = node(op_type, 1, opset=13, axis=axis)
    x = random(2, 3, 4) * 3
    assert_close(fast(made, x), plain(made, x))


@pytest.mark.parametrize("axis", [None, 0, 1, 2, 3, -1, -3])
@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax", "Hardmax"])
def test_softmax_and_kin_flatten_the_axes_from_theirs_on_before_opset_13(op_type: str, axis: int | None) -> None:
    x = random(2, 3, 4, 5)
    split = 1 if axis is None else axis
    flat = x.reshape(int(np.prod(x.shape[: split % 4])), -1)
    old = node(op_type, 1, opset=9) if axis is None else node(op_type, 1, opset=11, axis=axis)
    expected = plain(node(op_type, 1, opset=13, axis=1), flat).reshape(x.shape)
    assert_close(fast(old, x), expected)


def test_log_softmax_stays_finite_where_the_exponential_underflows() -> None:
    x = np.array([[0, -200, 300]], np.float32)
    assert fast(node("LogSoftmax", 1), x).tolist() == [[-300, -500, 0]]


def test_dropout_passes_its_input_on_in_old_opsets() -> None:
    x = random(2, 3)
    made = node("Dropout", 1, opset=6, ratio=0.5, is_test=1)
    np.testing.assert_array_equal(fast(made, x), x)
