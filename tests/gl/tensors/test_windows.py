"""Windows that run over one to three axes are where PyTorch has them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.gl.tensors.conftest import Make
from texelscope.pipeline.tensors import avg_pool, conv, conv_transpose, max_pool, normalise, resize

Array = NDArray[Any]
RANDOM = np.random.default_rng(0)


def numbers(*shape: int) -> Array:
    return RANDOM.normal(size=shape).astype(np.float32)


def windows(x: Array, kernel: tuple[int, ...], stride: int, dilation: int) -> Array:
    """[N, C, places …, kernel …]"""
    axes = tuple(range(2, x.ndim))
    whole = tuple(dilation * (size - 1) + 1 for size in kernel)
    seen = np.lib.stride_tricks.sliding_window_view(x, whole, axes)
    places = (slice(None), slice(None), *(slice(None, None, stride) for _ in kernel))
    return seen[(*places, *(slice(None, None, dilation) for _ in kernel))]


def convolved(x: Array, weight: Array, stride: int, padding: int, dilation: int, groups: int) -> Array:
    kernel = weight.shape[2:]
    rim = ((0, 0), (0, 0), *((padding, padding) for _ in kernel))
    seen = windows(np.pad(x, rim), kernel, stride, dilation)
    parts = []
    for part, filters in zip(np.split(seen, groups, 1), np.split(weight, groups), strict=True):
        axes = [1, *range(2 + len(kernel), seen.ndim)]
        parts.append(np.moveaxis(np.tensordot(part, filters, (axes, [*range(1, weight.ndim)])), -1, 1))
    return np.concatenate(parts, 1)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_convolutions(axes: int, tensor: Make) -> None:
    x, weight, bias = numbers(2, 4, *(7, 6, 5)[:axes]), numbers(6, 2, *(3, 2, 3)[:axes]), numbers(6)
    made = conv(tensor(x), tensor(weight), tensor(bias), stride=2, padding=2, dilation=2, groups=2)
    expected = convolved(x, weight, 2, 2, 2, 2) + bias.reshape(-1, *(1,) * axes)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-5, atol=1e-5)


def test_a_convolution_may_keep_the_size(tensor: Make) -> None:
    x, weight = numbers(1, 2, 5, 4), numbers(3, 2, 3, 3)
    made = conv(tensor(x), tensor(weight), padding="same")
    np.testing.assert_allclose(made.numpy(), convolved(x, weight, 1, 1, 1, 1), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_a_transposed_convolution_is_the_convolution_turned_round(axes: int, tensor: Make) -> None:
    x, weight = numbers(2, 4, *(7, 5, 5)[:axes]), numbers(6, 2, *(3, 3, 3)[:axes])
    forward = convolved(x, weight, 2, 1, 1, 2)
    y = numbers(*forward.shape)
    back = conv_transpose(tensor(y), tensor(weight), stride=2, padding=1, groups=2).numpy()
    assert back.shape == x.shape
    np.testing.assert_allclose(np.sum(back * x), np.sum(forward * y), rtol=1e-4)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_pools(axes: int, tensor: Make) -> None:
    x = numbers(2, 3, *(8, 7, 5)[:axes])
    over = tuple(range(2 + axes, 2 + 2 * axes))
    seen = windows(x, (2,) * axes, 2, 1)
    np.testing.assert_array_equal(max_pool(tensor(x), 2).numpy(), seen.max(over))
    np.testing.assert_allclose(avg_pool(tensor(x), 2).numpy(), seen.mean(over), rtol=1e-5, atol=1e-6)
    rim = ((0, 0), (0, 0), *((1, 1),) * axes)
    inside = windows(np.pad(np.ones_like(x), rim), (3,) * axes, 2, 1).sum(over)
    total = windows(np.pad(x, rim), (3,) * axes, 2, 1).sum(over)
    with_rim, without = (
        avg_pool(tensor(x), 3, stride=2, padding=1, count_include_pad=counts).numpy() for counts in (True, False)
    )
    np.testing.assert_allclose(with_rim, total / 3**axes, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(without, total / inside, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("align", "size"), [(False, (9, 4)), (True, (9, 4)), (False, (3, 10))])
def test_pictures_of_another_size(align: bool, size: tuple[int, int], tensor: Make) -> None:
    x = numbers(1, 2, 6, 5)
    expected = x
    for axis, wanted in zip((2, 3), size, strict=True):
        have = x.shape[axis]
        at = np.arange(wanted) * (have - 1) / (wanted - 1) if align else (np.arange(wanted) + 0.5) * have / wanted - 0.5
        at = np.clip(at, 0, have - 1)
        low = np.minimum(np.floor(at).astype(int), have - 2)
        share = (at - low).reshape([-1 if each == axis else 1 for each in range(4)])
        expected = expected.take(low, axis) * (1 - share) + expected.take(low + 1, axis) * share
    made = resize(tensor(x), size, mode="linear", align_corners=align)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-4, atol=1e-5)
    rows, columns = (np.arange(wanted) * have // wanted for wanted, have in zip(size, (6, 5), strict=True))
    np.testing.assert_array_equal(resize(tensor(x), size).numpy(), x[:, :, rows][..., columns])
    assert resize(tensor(x), scale_factor=1.5).shape == (1, 2, 9, 7)


def test_pictures_of_another_range(tensor: Make) -> None:
    x = numbers(2, 3, 4, 5)
    mean, std = np.array([0.1, 0.2, 0.3], np.float32), np.array([1.0, 2.0, 0.5], np.float32)
    expected = (x - mean.reshape(3, 1, 1)) / std.reshape(3, 1, 1)
    np.testing.assert_allclose(normalise(tensor(x), mean.tolist(), std).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_places_of_the_windows_are_told_for_each_axis(tensor: Make) -> None:
    x = numbers(1, 1, 6, 6)
    made = max_pool(tensor(x), (2, 3), stride=(1, 3)).numpy()
    for i, j in itertools.product(range(5), range(2)):
        assert made[0, 0, i, j] == x[0, 0, i : i + 2, 3 * j : 3 * j + 3].max()
