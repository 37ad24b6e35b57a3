"""The grids that layouts say their tiles make are the grids that elements lie in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.pure.layouts.cases import AWKWARD_SHAPES, LAYOUTS
from texelscope.layouts import Layout, all_layouts, as_nchw, layout
from texelscope.layouts.grid import TileGrid

with_grids = pytest.mark.parametrize("entry", [entry for entry in LAYOUTS if entry.grid((1,))], ids=str)
awkward_shapes = pytest.mark.parametrize("shape", AWKWARD_SHAPES, ids=str)


def test_tiles_make_a_grid_where_they_do_not_lie_one_below_the_other() -> None:
    levels = {name: len(kind().grid((2, 5, 3, 7))) for name, kind in all_layouts().items()}
    bundled = {
        "channel_tiles": 1, "channel_tiles_rgba": 1, "filter_tiles": 2, "linear": 0, "ncnn_pack1": 0, "ncnn_pack4": 0,
        "ncnn_pack8": 0, "ncnn_weights": 0, "row_major_rgba": 0, "tfjs_packed": 0, "tfjs_unpacked": 0,
    }  # fmt: skip
    assert bundled.items() <= levels.items()


@with_grids
@awkward_shapes
def test_a_grid_says_where_each_tile_lies(entry: Layout, shape: tuple[int, ...]) -> None:
    levels = entry.grid(shape)
    n, c, h, w = np.indices(as_nchw(shape))
    tx, ty, _ = (np.broadcast_to(part, n.shape) for part in entry.texel_at(shape, n, c, h, w))
    for grid in levels:
        number = grid.number(n, c)
        assert set(np.unique(number)) == set(range(grid.count))
        tx, ty = tx - number % grid.columns * grid.width, ty - number // grid.columns * grid.height
    # What is left is the place in the tile, the same in all of them.
    assert np.array_equal(tx, np.broadcast_to(tx[:1, :1], tx.shape))
    assert np.array_equal(ty, np.broadcast_to(ty[:1, :1], ty.shape))
    assert 0 <= tx.min() <= tx.max() < levels[-1].width
    assert 0 <= ty.min() <= ty.max() < levels[-1].height


@with_grids
@awkward_shapes
def test_the_grids_of_a_layout_hold_all_its_tiles_and_fill_its_texture(entry: Layout, shape: tuple[int, ...]) -> None:
    levels = entry.grid(shape)
    assert math.prod(grid.count for grid in levels) == entry.tile_count(shape)
    assert (levels[0].rows * levels[0].height, levels[0].columns * levels[0].width) == entry.texture_shape(shape)


def test_weights_count_filters_in_the_outer_grid_and_kernels_in_the_inner_one() -> None:
    assert [grid.counted for grid in layout("filter_tiles").grid((3, 5, 2, 2))] == ["outputs", "inputs"]


@pytest.mark.parametrize(("count", "rows"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
def test_the_last_row_of_a_grid_may_be_short(count: int, rows: int) -> None:
    assert TileGrid("tiles", count, 3, 1, 1, per_n=count, per_c=1).rows == rows
