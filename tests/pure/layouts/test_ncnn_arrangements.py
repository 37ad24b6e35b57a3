"""ncnn's blobs and weights against examples worked out by hand, as memory has them: texels row by row."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.layouts import Layout, LayoutError, layout
from texelscope.layouts.ncnn_pack1 import NcnnPack1
from texelscope.layouts.ncnn_pack4 import NcnnPack4
from texelscope.layouts.ncnn_pack8 import NcnnPack8


def memory(entry: Layout, shape: tuple[int, ...]) -> list[int]:
    return list(entry.address(shape).reshape(-1))


def test_channels_of_elempack_1_begin_at_multiples_of_16_bytes() -> None:
    assert memory(layout("ncnn_pack1"), (1, 2, 1, 3)) == [0, 1, 2, -1, 3, 4, 5, -1]
    assert layout("ncnn_pack1").texture_shape((1, 2, 4, 4)) == (8, 4), "whole rows of the channel are texture rows"
    assert memory(layout("ncnn_pack1", align=8), (1, 2, 1, 3)) == [0, 1, 2, *[-1] * 5, 3, 4, 5, *[-1] * 5], "of float16"
    assert memory(layout("ncnn_pack1", align=1), (1, 3, 1, 1)) == [0, 1, 2], "of a vector, which has no channels"


def test_four_channels_are_a_texel_of_elempack_4() -> None:
    assert memory(layout("ncnn_pack4"), (1, 4, 1, 3)) == [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]
    assert layout("ncnn_pack4").texture_shape((1, 8, 3, 5)) == (6, 5)
    assert layout("ncnn_pack4", align=2).texture_shape((1, 8, 3, 5)) == (2, 16), "15 places of 8 bytes go on at 16"


def test_eight_channels_are_two_texels_side_by_side_of_elempack_8() -> None:
    assert memory(layout("ncnn_pack8"), (1, 8, 1, 2)) == [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]
    assert [tile.label for tile in layout("ncnn_pack8").tiles((1, 16, 2, 2))] == ["c0-7", "c8-15"]


def test_what_aligns_channels_to_16_bytes_depends_on_the_bytes_of_a_number() -> None:
    kinds = (NcnnPack1, NcnnPack4, NcnnPack8)
    assert [[kind.alignment(size) for kind in kinds] for size in (4, 2)] == [[4, 1, 1], [8, 2, 1]]
    assert [kind().cstep((1, 8, 3, 5)) for kind in kinds] == [16, 15, 15]


def test_channels_may_be_any_step_apart() -> None:
    assert memory(layout("ncnn_pack1", step=3), (1, 2, 1, 2)) == [0, 1, -1, 2, 3, -1]
    assert layout("ncnn_pack4").with_step(7) == layout("ncnn_pack4", step=7)
    assert layout("row_major_rgba").with_step(7) is None, "there are no steps in it"


def test_weights_are_blocks_of_outputs_by_inputs_kernel_places_within() -> None:
    values = np.arange(8 * 4 * 3).reshape(8, 4, 1, 3)
    packed = values.reshape(2, 4, 1, 4, 3).transpose(0, 2, 4, 1, 3).reshape(-1)
    assert memory(layout("ncnn_weights", pack=4, out_pack=4), values.shape) == [*packed, *[-1] * 4], "a near square"


def test_a_matrix_is_packed_as_kernels_of_one_place() -> None:
    entry = layout("ncnn_weights", pack=4, out_pack=8)
    assert memory(entry, (8, 8)) == memory(entry, (8, 8, 1, 1))


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("ncnn_pack4", {"align": -1}, "expected align to be a whole number, 0 or more, got -1"),
        ("ncnn_pack8", {"step": -2}, "expected step to be a whole number, 0 or more, got -2"),
        ("ncnn_weights", {"pack": 2}, "layout 'ncnn_weights': expected pack 1, 4 or 8, got 2"),
        ("ncnn_weights", {"out_pack": True}, "expected out_pack 1, 4 or 8, got True"),
    ],
)
def test_other_packings_are_refused(name: str, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        layout(name, **parameters)
