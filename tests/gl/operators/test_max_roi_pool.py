"""MaxRoiPool matches its oracle, which matches a region counted out by hand."""

from __future__ import annotations

import moderngl
import numpy as np

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, normal

REGIONS = np.array(
    [[0, 0, 0, 4, 5], [1, 1, 2, 6, 3], [1, -2, -1, 2, 9], [0, 3, 3, 3, 3], [1, 2.5, 1.5, 7, 4]], dtype=np.float32
)


def test_regions_inside_and_outside_of_the_picture_match(gl: moderngl.Context) -> None:
    for scale in (1.0, 0.5):
        case = NodeCase(
            "MaxRoiPool", (normal(2, 3, 7, 8), REGIONS), {"pooled_shape": [2, 3], "spatial_scale": scale}, opset=22
        )
        for layout in LAYOUTS:
            assert_matches(case, layout, gl)


def test_cells_overlap_where_the_size_is_no_multiple_of_their_number(gl: moderngl.Context) -> None:
    x = np.arange(5, dtype=np.float32).reshape(1, 1, 1, 5)[..., ::-1].copy()
    region = np.array([[0, 0, 0, 4, 0]], dtype=np.float32)
    (y,) = assert_matches(NodeCase("MaxRoiPool", (x, region), {"pooled_shape": [1, 2]}, opset=22), "channel_tiles", gl)
    # Five columns 4 3 2 1 0 in two cells: columns 0 to 2 and 2 to 4.
    np.testing.assert_array_equal(y.reshape(-1), [4.0, 2.0])
