"""RoiAlign: both modes and transformations match the oracle, which matches onnx.reference."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_fast_is_reference, assert_matches, normal

REGIONS = np.array(
    [[0, 0, 8, 8], [1.3, 2.1, 6.9, 5.2], [-3, -2, 4, 20], [5, 5, 5.2, 5.1], [2, 1, 10, 4]], dtype=np.float32
)
IMAGES = np.array([0, 1, 1, 0, 1], dtype=np.int64)


def roi_align(opset: int = 22, **attributes: object) -> NodeCase:
    sizes: dict[str, object] = {"output_height": 3, "output_width": 2}
    return NodeCase("RoiAlign", (normal(2, 3, 9, 11), REGIONS, IMAGES), sizes | attributes, opset=opset)


CASES = [
    *(
        roi_align(mode=mode, sampling_ratio=ratio, spatial_scale=0.7, coordinate_transformation_mode=transformation)
        for mode in ("avg", "max")
        for ratio in (0, 2)
        for transformation in ("half_pixel", "output_half_pixel")
    ),
    roi_align(opset=10, sampling_ratio=3),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_mode_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES[:-1], ids=str)
def test_the_oracle_gathers_what_the_reference_walks(case: NodeCase) -> None:
    assert_fast_is_reference(case)
