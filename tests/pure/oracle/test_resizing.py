"""Resize and Upsample: every mode, coordinate transformation and opset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pure.oracle.nodes import Array, assert_close, fast, node, plain, random

TRANSFORMATIONS = (
    "half_pixel",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
)
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


Case = tuple[Any, list[Array | None]]


@st.composite
def resizes(draw: st.DrawFn) -> Case:
    """A Resize of pictures to scales or sizes, and its inputs."""
    mode = draw(st.sampled_from(["nearest", "linear", "cubic"]))
    transformation = draw(st.sampled_from(TRANSFORMATIONS))
    attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": transformation}
    if mode == "nearest":
        attributes["nearest_mode"] = draw(st.sampled_from(ROUNDINGS))
    else:
        attributes["antialias"] = draw(st.integers(0, 1))
    if mode == "cubic":
        attributes["cubic_coeff_a"] = draw(st.sampled_from([-0.75, -0.5]))
        attributes["exclude_outside"] = draw(st.integers(0, 1))
    x = random(1, 2, draw(st.integers(2, 7)), draw(st.integers(2, 7)))
    region = None
    if transformation == "tf_crop_and_resize":
        region = np.array([0, 0, 0.1, 0.4, 1, 1, 0.7, 1.2], np.float32)
        attributes["extrapolation_value"] = 9.0
    scales, sizes = None, None
    if draw(st.booleans()):
        factors = st.sampled_from([0.4, 0.5, 0.8, 1, 1.5, 2, 3])
        scales = np.array([1, 1, draw(factors), draw(factors)], np.float32)
    else:
        sizes = np.array([1, 2, draw(st.integers(1, 12)), draw(st.integers(1, 12))], np.int64)
    return _resize(x, region, scales, sizes, **attributes)


def _resize(
    x: Array, region: Array | None, scales: Array | None, sizes: Array | None, *, opset: int = 19, **attributes: Any
) -> Case:
    inputs = [x, region, scales, sizes]
    omitted = [i for i, given_input in enumerate(inputs) if given_input is None]
    return node("Resize", 4, opset=opset, omitted=omitted, **attributes), inputs


@given(resizes())
@settings(max_examples=200)
def test_resize_equals_the_reference_for_any_attributes(case: Case) -> None:
    made, inputs = case
    assert_close(fast(made, *inputs), plain(made, *inputs))


def test_symmetric_half_pixels_keep_the_centre_where_it_is() -> None:
    x = np.arange(5, dtype=np.float32).reshape(1, 1, 5)
    # 5 elements times 0.5 are two and a half, cut to two.
    made, inputs = _resize(
        x,
        None,
        np.array([1, 1, 0.5], np.float32),
        None,
        mode="linear",
        coordinate_transformation_mode="half_pixel_symmetric",
    )
    np.testing.assert_allclose(fast(made, *inputs).ravel(), [1, 3], rtol=1e-6)


@pytest.mark.parametrize("policy", ["stretch", "not_larger", "not_smaller"])
@pytest.mark.parametrize("axes", [(2, 3), (3, 2), (-1, 2)])
def test_resize_of_some_axes_equals_the_reference(axes: tuple[int, ...], policy: str) -> None:
    sizes = np.array([7, 9], np.int64)
    made, inputs = _resize(
        random(1, 2, 4, 6), None, None, sizes, mode="linear", axes=axes, keep_aspect_ratio_policy=policy
    )
    # The reference takes no negative axes.
    positive = tuple(axis % 4 for axis in axes)
    known, _ = _resize(
        random(1, 2, 4, 6), None, None, sizes, mode="linear", axes=positive, keep_aspect_ratio_policy=policy
    )
    assert_close(fast(made, *inputs), plain(known, *inputs))


def test_an_infinity_spreads_to_its_neighbours_only() -> None:
    x = np.array([[[1, 2, np.inf, 4, 5, 6]]], np.float32)
    made, inputs = _resize(x, None, np.array([1, 1, 2], np.float32), None, mode="linear")
    y = fast(made, *inputs).ravel()
    assert np.isfinite(y[:3]).all()
    assert np.isfinite(y[7:]).all()
    assert not np.isfinite(y[3:7]).any()


def test_an_infinity_beside_an_exact_position_counts_as_in_the_reference() -> None:
    x = np.array([[[1, np.inf, 3, 4]]], np.float32)
    made, inputs = _resize(
        x, None, np.array([1, 1, 2], np.float32), None, mode="linear", coordinate_transformation_mode="asymmetric"
    )
    # The reference cuts infinities to the largest float; where they meet a weight of zero it has NaN too.
    assert np.isnan(fast(made, *inputs)).ravel().tolist() == [False] * 4 + [True] + [False] * 3
    np.testing.assert_array_equal(np.nan_to_num(fast(made, *inputs)), np.nan_to_num(plain(made, *inputs)))


@pytest.mark.parametrize("opset", [7, 9])
def test_upsample_repeats_or_interpolates_from_the_first_element_on(opset: int) -> None:
    x = np.array([[[[1, 3]]]], np.float32)
    scales = (1.0, 1.0, 1.0, 2.0)

    def upsampled(mode: str) -> list[float]:
        if opset == 7:
            return list(fast(node("Upsample", 1, opset=7, mode=mode, scales=scales), x).ravel())
        return list(fast(node("Upsample", 2, opset=9, mode=mode), x, np.array(scales, np.float32)).ravel())

    assert upsampled("nearest") == [1, 1, 3, 3]
    assert upsampled("linear") == [1, 2, 3, 3]


def test_upsample_by_whole_factors_equals_the_reference() -> None:
    made = node("Upsample", 2, opset=9, mode="nearest")
    x, scales = random(1, 2, 3, 4), np.array([1, 1, 2, 3], np.float32)
    assert_close(fast(made, x, scales), plain(made, x, scales))


def test_resize_of_opset_10_divides_coordinates_by_the_scale() -> None:
    x = np.arange(1, 9, dtype=np.float32).reshape(1, 1, 2, 4)
    scales = np.array([1, 1, 0.6, 0.6], np.float32)
    assert fast(node("Resize", 2, opset=10, mode="nearest"), x, scales).ravel().tolist() == [1, 3]
    np.testing.assert_allclose(
        fast(node("Resize", 2, opset=10, mode="linear"), x, scales).ravel(), [1, 8 / 3], rtol=1e-6
    )
