"""Pools: fast versions against loops over windows, and against onnx.reference where that follows the specification."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pure.oracle.nodes import Array, assert_close, fast, node, plain, random


def by_loops(x: Array, attributes: dict[str, Any], reduce: Callable[[Array, int], float]) -> Array:
    """Every window by itself: `reduce` gets the elements inside the picture, and how many are in picture and padding.

    Sizes by the text of the ONNX specification of MaxPool.
    """
    kernel, rank = attributes["kernel_shape"], x.ndim - 2
    strides = attributes.get("strides", (1,) * rank)
    dilations = attributes.get("dilations", (1,) * rank)
    pads = attributes.get("pads", (0,) * (2 * rank))
    counts = []
    for i in range(rank):
        room = x.shape[2 + i] + pads[i] + pads[rank + i] - (kernel[i] - 1) * dilations[i] - 1
        count = (-(-room // strides[i]) if attributes.get("ceil_mode") else room // strides[i]) + 1
        if (count - 1) * strides[i] >= x.shape[2 + i] + pads[i]:
            count -= 1
        counts.append(count)
    y = np.zeros((*x.shape[:2], *counts), x.dtype)
    for place in np.ndindex(*y.shape):
        starts = [place[2 + i] * strides[i] - pads[i] for i in range(rank)]
        reads = [[starts[i] + k * dilations[i] for k in range(kernel[i])] for i in range(rank)]
        inside = [[p for p in reads[i] if 0 <= p < x.shape[2 + i]] for i in range(rank)]
        known = [[p for p in reads[i] if -pads[i] <= p < x.shape[2 + i] + pads[rank + i]] for i in range(rank)]
        values = np.array([x[place[:2] + element] for element in itertools.product(*inside)])
        y[place] = reduce(values, int(np.prod([len(axis) for axis in known])))
    return y


@st.composite
def pools(draw: st.DrawFn) -> tuple[dict[str, Any], Array]:
    """Attributes and X of a pool; padding is narrower than the kernel."""
    rank = draw(st.integers(1, 3))
    kernel = [draw(st.integers(1, 3)) for _ in range(rank)]
    dilations = [draw(st.integers(1, 2)) for _ in range(rank)]
    attributes: dict[str, Any] = {
        "kernel_shape": tuple(kernel),
        "strides": tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        "dilations": tuple(dilations),
        "ceil_mode": draw(st.integers(0, 1)),
    }
    # Padding wider than a dilated tap could leave a window without any element of the picture.
    pads = [draw(st.integers(0, k - 1)) if d == 1 else 0 for k, d in zip(kernel, dilations, strict=True)]
    if draw(st.booleans()):
        attributes["pads"] = tuple(pads + [draw(st.integers(0, pad)) for pad in pads])
    spatial = [(k - 1) * d + 1 + draw(st.integers(0, 5)) for k, d in zip(kernel, dilations, strict=True)]
    return attributes, random(1, 2, *spatial)


@given(pools())
@settings(max_examples=60)
def test_max_pool_takes_the_largest_element_of_each_window(case: tuple[dict[str, Any], Array]) -> None:
    attributes, x = case
    expected = by_loops(x, attributes, lambda values, _: values.max())
    assert_close(fast(node("MaxPool", 1, **attributes), x), expected)


@given(pools(), st.integers(0, 1))
@settings(max_examples=60)
def test_average_pool_divides_by_what_is_counted(case: tuple[dict[str, Any], Array], count_include_pad: int) -> None:
    attributes, x = case
    made = node("AveragePool", 1, count_include_pad=count_include_pad, **attributes)

    def average(values: Array, known_count: int) -> float:
        return float(values.sum()) / (known_count if count_include_pad else len(values))

    assert_close(fast(made, x), by_loops(x, attributes, average))


@pytest.mark.parametrize(
    "attributes", [{}, {"strides": (3, 2)}, {"dilations": (2, 1), "pads": (40, 9, 3, 20)}], ids=str
)
def test_windows_of_many_taps_are_averaged_too(attributes: dict[str, Any]) -> None:
    x, made = random(1, 2, 90, 60), {"kernel_shape": (45, 33), **attributes}
    expected = by_loops(x, made, lambda values, _: float(values.mean()))
    assert_close(fast(node("AveragePool", 1, **made), x), expected)


@given(pools(), st.sampled_from([1, 2, 3]))
@settings(max_examples=30)
def test_lp_pool_is_the_norm_of_each_window(case: tuple[dict[str, Any], Array], p: int) -> None:
    attributes, x = case
    made = node("LpPool", 1, p=p, **attributes)
    expected = by_loops(x, attributes, lambda values, _: float((np.abs(values) ** p).sum() ** (1 / p)))
    assert_close(fast(made, x), expected)


POOL_CASES: list[dict[str, Any]] = [
    {"kernel_shape": (3, 3), "strides": (2, 2)},
    {"kernel_shape": (3, 2), "strides": (2, 1), "pads": (1, 0, 1, 1)},
    {"kernel_shape": (2, 2), "strides": (2, 2), "ceil_mode": 1},
    {"kernel_shape": (3, 3), "strides": (3, 2), "auto_pad": "SAME_UPPER"},
    {"kernel_shape": (4, 4), "strides": (2, 2), "auto_pad": "VALID"},
]


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize("attributes", POOL_CASES, ids=str)
def test_pools_equal_the_reference(op_type: str, attributes: dict[str, Any]) -> None:
    x = random(2, 3, 7, 8)
    made = node(op_type, 1, **attributes)
    assert_close(fast(made, x), plain(made, x))


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER"])
def test_same_padding_gives_one_output_for_every_step(auto_pad: str) -> None:
    x = np.arange(5, dtype=np.float32).reshape(1, 1, 5)
    y = fast(node("MaxPool", 1, kernel_shape=(2,), strides=(2,), auto_pad=auto_pad), x)
    assert y.ravel().tolist() == ([1, 3, 4] if auto_pad == "SAME_UPPER" else [0, 2, 4])


@pytest.mark.parametrize("op_type", ["MaxPool", "AveragePool"])
def test_automatic_padding_goes_before_ceil_mode(op_type: str) -> None:
    x = random(1, 1, 6)
    valid, rounded = (
        fast(node(op_type, 1, kernel_shape=(3,), strides=(2,), auto_pad="VALID", ceil_mode=mode), x) for mode in (0, 1)
    )
    assert_close(rounded, valid)


def test_max_pool_ignores_a_nan_beside_numbers() -> None:
    x = np.array([[[1, np.nan, 3, 2]]], np.float32)
    made = node("MaxPool", 1, kernel_shape=(2,), strides=(2,))
    assert fast(made, x).ravel().tolist() == [1, 3]
    assert np.isnan(fast(made, x * np.nan)).all()


def test_the_places_of_the_largest_equal_the_reference() -> None:
    made = node("MaxPool", 1, output_count=2, kernel_shape=(2, 2), strides=(2, 2))
    x = random(1, 1, 4, 4)
    assert_close(fast(made, x), plain(made, x))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_max_pool_of_codes_is_that_of_the_numbers_that_they_are(dtype: type) -> None:
    codes: Array = (100 * random(1, 2, 5, 6)).astype(np.int8).view(dtype)
    made = node("MaxPool", 1, kernel_shape=(2, 3), pads=(1, 1, 0, 1), strides=(1, 2))
    largest = fast(made, codes)
    assert largest.dtype == dtype
    assert_close(largest.astype(np.float32), fast(made, codes.astype(np.float32)))
    places = fast(node("MaxPool", 1, output_count=2, kernel_shape=(2, 3)), codes)
    assert places.dtype == dtype


@pytest.mark.parametrize("shape", [(2, 3, 5), (2, 3, 4, 5), (2, 3, 2, 3, 4)])
def test_global_pools_reduce_every_spatial_axis(shape: tuple[int, ...]) -> None:
    x = random(*shape)
    flat = x.reshape(2, 3, -1).astype(np.float64)
    single = (2, 3, *(1,) * (len(shape) - 2))
    assert_close(fast(node("GlobalMaxPool", 1), x), flat.max(-1).reshape(single).astype(np.float32))
    assert_close(fast(node("GlobalAveragePool", 1), x), flat.mean(-1).reshape(single).astype(np.float32))
    norms = (np.abs(flat) ** 3).sum(-1) ** (1 / 3)
    assert_close(fast(node("GlobalLpPool", 1, p=3), x), norms.reshape(single).astype(np.float32))
