"""Resize and Upsample: every mode, transformation and rounding matches the oracle, and reads what it says."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import (
    LAYOUTS,
    Array,
    NodeCase,
    assert_follows_the_reference,
    assert_matches,
    assert_reads_are_exact,
    floats,
    ints,
    normal,
)
from texelscope import pipeline

X = normal(2, 3, 5, 6)
TRANSFORMATIONS = (
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize",
)  # fmt: skip
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
# The whole of n and c, a part of h that starts inside, a part of w that hangs over the end.
REGION = floats(0, 0, 0.2, 0.3, 1, 1, 0.9, 1.4)


def scaled(*scales: float, x: Array = X, opset: int = 19, **attributes: object) -> NodeCase:
    region = REGION if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize" else None
    return NodeCase("Resize", (x, region, floats(*scales)), attributes, constant=(1, 2), opset=opset)


def sized(*sizes: int, x: Array = X, **attributes: object) -> NodeCase:
    return NodeCase("Resize", (x, None, None, ints(*sizes)), attributes, constant=(3,), opset=19)


CASES = (
    *(
        scaled(1, 1, 1.7, 0.6, mode=mode, coordinate_transformation_mode=transformation, extrapolation_value=7.5)
        for transformation in TRANSFORMATIONS
        for mode in ("linear", "cubic")
    ),
    *(
        scaled(1, 1, 2.5, 0.7, mode="nearest", nearest_mode=rounding, coordinate_transformation_mode=transformation)
        for rounding in ROUNDINGS
        for transformation in TRANSFORMATIONS
    ),
    scaled(2, 0.7, 1.5, 0.5, mode="linear"),
    scaled(1, 1, 0.4, 0.3, mode="linear", antialias=1),
    scaled(1, 1, 0.6, 1.8, mode="cubic", antialias=1, cubic_coeff_a=-0.5),
    scaled(1, 1, 1.3, 0.8, mode="cubic", exclude_outside=1),
    scaled(3, 0.5, mode="linear", axes=[3, 2]),
    scaled(2, 3, x=normal(5, 4), mode="nearest"),
    scaled(1, 1, 0.5, 2, 1.5, x=normal(2, 3, 4, 4, 5), mode="linear"),
    sized(2, 3, 8, 3, mode="nearest"),
    sized(9, 9, mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_larger"),
    sized(9, 9, mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_smaller"),
    NodeCase("Resize", (X, floats(1, 1, 1.6, 0.55)), {"mode": "linear"}, constant=(1,), opset=10),
    NodeCase("Resize", (X, floats(1, 1, 1.6, 0.55)), {"mode": "nearest"}, constant=(1,), opset=10),
    NodeCase("Upsample", (X, floats(1, 1, 2, 3)), {"mode": "linear"}, constant=(1,), opset=9),
    NodeCase("Upsample", (X,), {"mode": "nearest", "scales": [1.0, 1.0, 2.0, 1.5]}, opset=7),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_way_to_resize_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize(
    "case",
    [
        scaled(1, 1, 2, 3, mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric"),
        scaled(1, 1, 1.7, 0.6, mode="linear"),
        scaled(1, 2, 0.5, 1, mode="cubic"),
        scaled(1, 1, 1.5, 1.5, mode="linear", coordinate_transformation_mode="tf_crop_and_resize"),
    ],
    ids=str,
)
def test_every_element_reads_the_taps_that_it_lists(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


def test_a_nearest_whole_ratio_needs_no_table(gl: moderngl.Context) -> None:
    whole = scaled(1, 1, 2, 3, mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")
    assert not any("table" in key for key in pipeline.plan_of(whole.model()).textures)
    (y,) = assert_matches(whole, "channel_tiles", gl)
    np.testing.assert_array_equal(y, X.repeat(2, axis=2).repeat(3, axis=3))


def test_places_outside_the_region_take_the_extrapolation_value(gl: moderngl.Context) -> None:
    case = scaled(
        1, 1, 2, 2, mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=-9.0
    )
    (y,) = assert_matches(case, "channel_tiles", gl)
    # Column o lies at 1.5 + o / 2 of an axis that ends at 5.
    np.testing.assert_array_equal(y == -9.0, np.broadcast_to(np.arange(12) > 7, y.shape))


def test_tables_stay_float32_in_half_precision() -> None:
    plan = pipeline.plan_of(scaled(1, 1, 1.7, 0.6, mode="linear").model(), precision="float16")
    (table,) = (stored for key, stored in plan.textures.items() if "table" in key)
    assert table.storage == "float32"


@pytest.mark.parametrize("scales", [(2, 1, 1, 1.5, 1), (1, 0.6, 2, 1, 3), (2.5, 1, 1, 1, 1)], ids=str)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_any_three_axes_of_a_volume_are_resized(scales: tuple[float, ...], mode: str, gl: moderngl.Context) -> None:
    case = scaled(*scales, x=normal(2, 5, 3, 4, 2), mode=mode)
    assert [each.operator for each in pipeline.plan_of(case.model()).passes] == ["Transpose", "Resize", "Transpose"]
    assert_follows_the_reference(case, "channel_tiles", gl)


def test_more_axes_than_the_view_has_are_refused_by_name() -> None:
    case = scaled(2, 1, 2, 2, 2, x=normal(2, 1, 3, 4, 5), mode="linear")
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert missing.reason.startswith(
        "Resize 'node' (Resize): expected an input whose last three axes are resized, got rank 5"
    )
