"""Each layout against an example worked out by hand: a formula that is wrong in both directions shows.

Numbers in the arrays are linear element indices; -1 is padding.
"""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.layouts import LayoutError, layout


def labels(name: str, shape: tuple[int, ...], **parameters: int) -> list[str]:
    return [tile.label for tile in layout(name, **parameters).tiles(shape)]


def test_channel_tiles_put_five_channels_in_three_columns_and_two_rows() -> None:
    assert layout("channel_tiles").address((1, 5, 2, 2))[:, :, 0].tolist() == [
        [0, 1, 4, 5, 8, 9],
        [2, 3, 6, 7, 10, 11],
        [12, 13, 16, 17, -1, -1],
        [14, 15, 18, 19, -1, -1],
    ]


def test_channel_tiles_of_a_batch_go_on_where_the_first_n_ended() -> None:
    address = layout("channel_tiles").address((2, 3, 1, 1))[:, :, 0]
    assert address.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert labels("channel_tiles", (2, 3, 1, 1)) == ["n0 c0", "n0 c1", "n0 c2", "n1 c0", "n1 c1", "n1 c2"]


@pytest.mark.parametrize(
    ("channels", "columns", "rows"),
    [(1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2), (7, 3, 3), (16, 4, 4), (17, 5, 4), (512, 23, 23)],
)
def test_channel_tiles_have_a_near_square_grid(channels: int, columns: int, rows: int) -> None:
    assert layout("channel_tiles").texture_shape((1, channels, 10, 3)) == (rows * 10, columns * 3)


def test_a_bias_is_one_row_in_channel_tiles() -> None:
    entry = layout("channel_tiles")
    assert entry.texture_shape((9,)) == (1, 9)
    assert labels("channel_tiles", (9,)) == ["c0"]


def test_channel_tiles_rgba_pack_four_channels_and_leave_lanes_of_the_last_group_empty() -> None:
    address = layout("channel_tiles_rgba").address((1, 6, 1, 2))
    assert address.tolist() == [[[0, 2, 4, 6], [1, 3, 5, 7], [8, 10, -1, -1], [9, 11, -1, -1]]]


def test_channel_tiles_rgba_start_each_n_with_a_new_group() -> None:
    address = layout("channel_tiles_rgba").address((2, 5, 1, 1))
    assert address.tolist() == [
        [[0, 1, 2, 3], [4, -1, -1, -1]],
        [[5, 6, 7, 8], [9, -1, -1, -1]],
    ]
    assert labels("channel_tiles_rgba", (2, 5, 1, 1)) == ["n0 c0-3", "n0 c4", "n1 c0-3", "n1 c4"]
    assert labels("channel_tiles_rgba", (1, 10, 1, 1)) == ["c0-3", "c4-7", "c8-9"]


def test_filter_tiles_nest_a_grid_of_kernels_in_a_grid_of_filters() -> None:
    # Three filters of two 1 x 2 kernels: outer grid 2 x 2, inner grid 2 columns and one row.
    address = layout("filter_tiles").address((3, 2, 1, 2))[:, :, 0]
    assert address.tolist() == [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [8, 9, 10, 11, -1, -1, -1, -1],
    ]
    assert labels("filter_tiles", (3, 2, 1, 2)) == ["o0 i0", "o0 i1", "o1 i0", "o1 i1", "o2 i0", "o2 i1"]


def test_filter_tiles_give_every_filter_a_block_of_the_same_size() -> None:
    # Two filters of three 1 x 1 kernels: inner grid 2 x 2 with one place empty.
    address = layout("filter_tiles").address((2, 3, 1, 1))[:, :, 0]
    assert address.tolist() == [[0, 1, 3, 4], [2, -1, 5, -1]]


def test_filter_tiles_take_kernels_that_are_not_square() -> None:
    address = layout("filter_tiles").address((1, 2, 3, 1))[:, :, 0]
    assert address.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_row_major_rgba_fills_texels_by_four_and_rows_by_width() -> None:
    address = layout("row_major_rgba", width=2).address((1, 1, 3, 3))
    assert address.tolist() == [[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, -1, -1, -1], [-1, -1, -1, -1]]]
    assert labels("row_major_rgba", (1, 1, 3, 3), width=2) == ["0-7", "8"]


def test_row_major_rgba_is_near_square_unless_told_a_width() -> None:
    assert layout("row_major_rgba").texture_shape((1, 1, 1, 41)) == (3, 4)
    assert layout("row_major_rgba", width=16).texture_shape((1, 1, 1, 41)) == (1, 16)


@pytest.mark.parametrize("width", [-1, 2.5, "wide", True])
def test_row_major_rgba_refuses_a_width_that_is_no_whole_number(width: object) -> None:
    with pytest.raises(
        LayoutError,
        match=r"^layout 'row_major_rgba': expected width to be a whole number, 0 or more, got ",
    ):
        layout("row_major_rgba", width=width)


def test_tfjs_unpacked_stacks_the_logical_rows() -> None:
    address = layout("tfjs_unpacked").address((1, 2, 2, 3))[:, :, 0]
    assert address.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert labels("tfjs_unpacked", (1, 2, 2, 3)) == ["c0", "c1"]


def test_linear_has_the_tensors_rows_and_folds_what_is_too_long() -> None:
    """Element i is the i-th of the texture's texels, be they folded or not."""
    address = layout("linear").address((1, 2, 2, 3))[:, :, 0]
    assert address.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert labels("linear", (1, 2, 2, 3)) == ["c0", "c1"]
    assert layout("linear").texture_shape((1, 2, 2, 9000)) == (190, 190)
    folded = layout("linear").address((1, 2, 2, 9000)).ravel()
    assert np.array_equal(folded[:36000], np.arange(36000))
    assert set(folded[36000:]) == {-1}
    assert layout("linear").tile((1, 2, 2, 9000), 189).label == "35910-35999"


def test_tfjs_packed_holds_two_by_two_blocks_and_pads_odd_sides() -> None:
    address = layout("tfjs_packed").address((1, 2, 3, 3))
    assert address.tolist() == [
        [[0, 1, 3, 4], [2, -1, 5, -1]],
        [[6, 7, -1, -1], [8, -1, -1, -1]],
        [[9, 10, 12, 13], [11, -1, 14, -1]],
        [[15, 16, -1, -1], [17, -1, -1, -1]],
    ]
    assert labels("tfjs_packed", (3, 3)) == ["c0"]


def test_the_first_row_in_memory_is_the_top_row_of_the_tensor() -> None:
    for name in ("channel_tiles", "channel_tiles_rgba", "filter_tiles", "linear", "tfjs_unpacked", "tfjs_packed"):
        texels = layout(name).encode(np.arange(8.0).reshape(1, 1, 4, 2))
        assert texels[0, 0, 0] == 0
        assert texels[-1, 0, 0] > texels[0, 0, 0]
