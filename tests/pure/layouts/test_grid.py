"""The grids that layouts say their tiles make are the grids that elements lie in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.pure.layouts.cases import AWKWARD_SHAPES, LAYOUTS
from texelscope.layouts import Layout, LayoutError, all_layouts, as_nchw, layout
from texelscope.layouts.grid import TileGrid

with_grids = pytest.mark.parametrize("entry", [entry for entry in LAYOUTS if entry.grid((1,))], ids=str)
awkward_shapes = pytest.mark.parametrize("shape", AWKWARD_SHAPES, ids=str)


def test_tiles_make_a_grid_where_they_do_not_lie_one_below_the_other() -> None:
    levels = {name: len(kind().grid((2, 5, 3, 7))) for name, kind in all_layouts().items()}
    bundled = {
        "channel_tiles": 1, "channel_tiles_rgba": 1, "filter_tiles": 2, "linear": 0, "ncnn_pack1": 0, "ncnn_pack4": 0,
        "ncnn_pack8": 0, "ncnn_weights": 0, "ordered": 0, "ordered_rgba": 0, "row_major_rgba": 0, "tfjs_packed": 0,
        "tfjs_unpacked": 0,
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


@pytest.mark.parametrize(
    ("parameters", "size"),
    [({}, (9, 12)), ({"columns": 1}, (21, 4)), ({"columns": 8}, (3, 32)), ({"rows": 1}, (3, 28)),
     ({"rows": 2}, (6, 16)),
     ({"rows": 9}, (27, 4)), ({"columns": 4, "rows": 3}, (9, 16))],
    ids=str,
)  # fmt: skip
def test_seven_tiles_lie_in_the_columns_and_rows_that_are_given(
    parameters: dict[str, int], size: tuple[int, int]
) -> None:
    assert layout("channel_tiles", **parameters).texture_shape((1, 7, 3, 4)) == size
    assert layout("channel_tiles_rgba", **parameters).texture_shape((1, 28, 3, 4)) == size
    assert layout("filter_tiles", **parameters).texture_shape((7, 1, 3, 4)) == size
    inner = {f"inner_{name}": value for name, value in parameters.items()}
    assert layout("filter_tiles", **inner).texture_shape((1, 7, 3, 4)) == size


def test_columns_and_rows_without_room_for_the_tiles_are_refused() -> None:
    with pytest.raises(
        LayoutError,
        match=r"^grid of tiles: expected a place for each of 7 tiles, got 3 x 2 \(columns x rows\)\. "
        r"Leave one of the two out\.$",
    ):
        layout("channel_tiles", columns=3, rows=2).texture_shape((1, 7, 3, 4))


def test_labels_follow_the_tiles_into_their_columns() -> None:
    tiles = layout("channel_tiles", columns=2).tiles((1, 3, 2, 2))
    assert [(tile.tx, tile.ty, tile.label) for tile in tiles] == [(0, 0, "c0"), (2, 0, "c1"), (0, 2, "c2")]


def test_tiles_dealt_into_other_columns_are_the_same_layout_with_that_parameter() -> None:
    assert layout("channel_tiles", rows=2).with_columns(5) == layout("channel_tiles", columns=5)
    assert layout("channel_tiles_rgba").with_columns(5) == layout("channel_tiles_rgba", columns=5)
    assert layout("filter_tiles", inner_rows=1).with_columns(5) == layout("filter_tiles", columns=5, inner_rows=1)
    assert layout("linear").with_columns(5) is None
