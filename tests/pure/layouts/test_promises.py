"""Tests the promises of every layout, whatever its formula."""

from __future__ import annotations

import dataclasses
import math
import re
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from tests.pure.layouts.cases import AWKWARD_SHAPES, LAYOUT_IDS, LAYOUTS, layouts_to_try, small_shapes
from texelscope.layouts import Layout, LayoutError, all_layouts, layout
from texelscope.layouts.base import Coordinate

Shape = tuple[int, ...]

# Bundled layouts whose tiles hold no padding. In others what a short last group lacks of its pack is padding of a tile.
UNPADDED = frozenset(
    {
        "channel_tiles", "channel_tiles_rgba", "filter_tiles", "linear", "row_major_rgba", "tfjs_packed",
        "tfjs_unpacked",
    }
)  # fmt: skip

every_layout = pytest.mark.parametrize("entry", LAYOUTS, ids=LAYOUT_IDS)


def ramp(shape: Shape) -> NDArray[np.float32]:
    """Values that are their own linear index plus one, so that none of them is a padding of 0."""
    return np.arange(1, math.prod(shape) + 1, dtype=np.float32).reshape(shape)


@given(layouts_to_try, small_shapes())
def test_the_address_names_every_element_exactly_once(entry: Layout, shape: Shape) -> None:
    address = entry.address(shape)
    assert address.dtype == np.int32
    assert address.shape == (*entry.texture_shape(shape), entry.lanes)
    stored = address[address >= 0]
    assert np.array_equal(np.sort(stored), np.arange(math.prod(shape)))
    assert np.all(address[address < 0] == -1)


@given(layouts_to_try, small_shapes())
def test_there_is_padding_where_the_address_has_some(entry: Layout, shape: Shape) -> None:
    assert entry.has_padding(shape) == bool((entry.address(shape) < 0).any())


@given(layouts_to_try, small_shapes())
def test_decode_undoes_encode_and_does_not_read_the_padding(entry: Layout, shape: Shape) -> None:
    decoded = entry.decode(entry.encode(ramp(shape), padding=math.nan), shape)
    assert decoded.dtype == np.float32
    assert decoded.shape == shape
    assert np.array_equal(decoded, ramp(shape))


@given(layouts_to_try, small_shapes())
def test_the_closed_form_of_encode_equals_the_address(entry: Layout, shape: Shape) -> None:
    address = entry.address(shape)
    by_address = np.where(address >= 0, ramp(shape).reshape(-1)[np.maximum(address, 0)], np.float32(-7))
    encoded = entry.encode(ramp(shape), padding=-7)
    assert encoded.dtype == np.float32
    assert np.array_equal(encoded, by_address)


@given(layouts_to_try, small_shapes())
def test_the_closed_form_of_decode_equals_the_address(entry: Layout, shape: Shape) -> None:
    address = entry.address(shape)
    texels = np.arange(address.size, dtype=np.float32).reshape(address.shape)
    by_address = np.empty(math.prod(shape), dtype=np.float32)
    by_address[address[address >= 0]] = texels[address >= 0]
    assert np.array_equal(entry.decode(texels, shape), by_address.reshape(shape))


@given(layouts_to_try, small_shapes())
def test_texel_of_and_index_of_are_inverse_and_agree_with_the_address(entry: Layout, shape: Shape) -> None:
    address = entry.address(shape)
    count = math.prod(shape)
    for index in {0, count // 3, count // 2, count - 1}:
        tx, ty, lane = entry.texel_of(shape, index)
        assert address[ty, tx, lane] == index
        assert entry.index_of(shape, tx, ty, lane) == index
    height, width, lanes = address.shape
    for ty, tx, lane in {
        (0, 0, 0),
        (height - 1, width - 1, lanes - 1),
        (height // 2, width // 2, lanes // 2),
    }:
        assert entry.index_of(shape, tx, ty, lane) == address[ty, tx, lane]
    rows, columns, depths = np.indices(address.shape)
    np.testing.assert_array_equal(entry.indices_at(shape, columns, rows, depths), address)


@every_layout
def test_every_lane_of_awkward_shapes_agrees_with_the_address(entry: Layout) -> None:
    for shape in AWKWARD_SHAPES:
        for (ty, tx, lane), index in np.ndenumerate(entry.address(shape)):
            assert entry.index_of(shape, tx, ty, lane) == index
            if index >= 0:
                assert entry.texel_of(shape, int(index)) == (tx, ty, lane)


@given(layouts_to_try, small_shapes())
def test_tiles_cover_each_stored_texel_once_and_no_other(entry: Layout, shape: Shape) -> None:
    height, width = entry.texture_shape(shape)
    owner = np.full((height, width), -1)
    for position, tile in enumerate(entry.tiles(shape)):
        assert tile.index == position
        assert tile.tx >= 0
        assert tile.ty >= 0
        assert tile.tx + tile.width <= width
        assert tile.ty + tile.height <= height
        area = owner[tile.ty : tile.ty + tile.height, tile.tx : tile.tx + tile.width]
        assert np.all(area == -1), "tiles overlap"
        area[...] = position
    stored = np.any(entry.address(shape) >= 0, axis=2)
    assert np.all(owner[stored] >= 0)
    if entry.name in UNPADDED:
        assert np.array_equal(owner >= 0, stored)
    assert len(entry.tiles(shape)) == entry.tile_count(shape)


@given(layouts_to_try, small_shapes())
def test_tile_index_tells_whose_texel_it_is(entry: Layout, shape: Shape) -> None:
    height, width = entry.texture_shape(shape)
    owner = np.full((height, width), -1)
    for tile in entry.tiles(shape):
        owner[tile.ty : tile.ty + tile.height, tile.tx : tile.tx + tile.width] = tile.index
    for ty in {0, height // 2, height - 1}:
        for tx in {0, width // 2, width - 1}:
            assert entry.tile_index(shape, tx, ty) == owner[ty, tx]


@given(layouts_to_try, small_shapes())
def test_labels_are_unique_within_a_tensor(entry: Layout, shape: Shape) -> None:
    labels = [tile.label for tile in entry.tiles(shape)]
    assert all(labels) or len(labels) == 1  # a texture that is one tile needs no name for it
    assert len(set(labels)) == len(labels)


@every_layout
@pytest.mark.parametrize("shape", [(2, 5, 3, 7), (9,)], ids=str)
def test_glsl_is_a_few_lines_of_integer_arithmetic_under_the_given_name(entry: Layout, shape: Shape) -> None:
    for text, head in (
        (entry.glsl_texel_of(shape, "place_of"), "ivec3 place_of(ivec4 at) {"),
        (entry.glsl_element_at(shape, "what_is"), "ivec4 what_is(ivec3 texel) {"),
    ):
        lines = text.splitlines()
        assert lines[0] == head
        assert lines[-1] == "}"
        assert text.endswith("}\n")
        assert len(lines) <= 8
        assert not re.search(r"\d\.|float|uniform|u_", text)


LARGE = [(4, 1250, 50, 80), (1250, 16, 50, 20), (4000, 5000)]


@pytest.mark.parametrize(
    ("name", "shape"),
    # A layout without a closed form needs the index. Padding may be most of a texture, half a gigabyte of it here.
    [
        (name, shape)
        for name, kind in sorted(all_layouts().items())
        for shape in LARGE
        if kind.views is not Layout.views and math.prod(kind().texture_shape(shape)) * kind.lanes < 2 * math.prod(shape)
    ],
)
def test_a_large_tensor_is_encoded_and_decoded_without_an_index_of_its_size(name: str, shape: Shape) -> None:
    entry = layout(name)
    elements = np.zeros(shape, dtype=np.float32)
    tracemalloc.start()
    try:
        texels = entry.encode(elements)
        assert tracemalloc.get_traced_memory()[1] < texels.nbytes + 1_000_000
        tracemalloc.reset_peak()
        decoded = entry.decode(texels, shape)
        assert tracemalloc.get_traced_memory()[1] < texels.nbytes + decoded.nbytes + 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", ["float16", "float64", "int64", "uint8", "bool"])
def test_encode_takes_any_real_dtype_and_any_strides(dtype: str) -> None:
    values = (np.arange(2 * 6 * 4 * 5) % 2).reshape(5, 4, 6, 2).astype(dtype).transpose(3, 2, 1, 0)
    for entry in LAYOUTS:
        texels = entry.encode(values)
        assert texels.dtype == np.float32
        assert np.array_equal(entry.decode(texels[:, ::1], values.shape), values.astype(np.float32))


def test_decode_takes_texels_of_any_strides() -> None:
    shape = (2, 5, 3, 7)
    for entry in LAYOUTS:
        upside_down = entry.encode(ramp(shape))[::-1].copy()
        assert np.array_equal(entry.decode(upside_down[::-1], shape), ramp(shape))


def test_a_value_beyond_float32_becomes_infinite_as_it_would_on_the_gpu() -> None:
    assert layout("channel_tiles").encode(np.array([1e300])).item() == math.inf


def test_encode_refuses_an_array_that_holds_no_real_numbers() -> None:
    with pytest.raises(LayoutError, match=r"^layout 'channel_tiles': expected an array of real numbers, got "):
        layout("channel_tiles").encode(np.array(["cat"]))


def test_decode_refuses_texels_of_another_shape() -> None:
    with pytest.raises(
        LayoutError,
        match=re.escape(
            "layout 'channel_tiles': expected texels [4, 6, 1] (height, width, lanes) "
            "for shape (1, 3, 2, 3), got [4, 6, 4]. "
            "Decode with the layout and shape that the texture was made with."
        ),
    ):
        layout("channel_tiles").decode(np.zeros((4, 6, 4), dtype=np.float32), (1, 3, 2, 3))


@pytest.mark.parametrize("name", sorted(all_layouts()))
def test_the_block_is_what_the_lanes_of_a_texel_hold(name: str) -> None:
    entry, shape = layout(name), (1, 1, 16, 16)
    tx, ty, _ = entry.texel_of(shape, 0)
    held = [index for lane in range(entry.lanes) if (index := entry.index_of(shape, tx, ty, lane)) >= 0]
    rows, columns = ({index // 16 for index in held}, {index % 16 for index in held})
    assert entry.block == (len(rows), len(columns))


@pytest.mark.parametrize(
    ("name", "block"),
    [("tfjs_packed", (2, 2)), ("row_major_rgba", (1, 4)), ("ncnn_weights", (1, 4)), ("linear", (1, 1))],
)
def test_the_block_of_a_bundled_layout_is_that_of_its_engine(name: str, block: tuple[int, int]) -> None:
    assert layout(name).block == block


def test_filters_take_the_layout_made_for_them_beside_tiles_of_channels_and_the_same_beside_others() -> None:
    assert layout("channel_tiles").for_filters == layout("filter_tiles")
    assert layout("channel_tiles_rgba").for_filters == layout("channel_tiles_rgba")
    assert {kind().for_filters.name for kind in all_layouts().values()} <= set(all_layouts())


@pytest.mark.parametrize("shape", AWKWARD_SHAPES, ids=str)
def test_no_layout_has_a_shorter_longest_side_than_one_of_near_squares(shape: Shape) -> None:
    longest = {entry: max(entry.texture_shape(shape)) for entry in LAYOUTS}
    squares = [entry for entry in LAYOUTS if entry.near_square]
    assert layout("row_major_rgba") in squares
    assert {longest[entry] for entry in squares} == {min(longest.values())}


@every_layout
def test_a_layout_that_takes_a_width_has_textures_of_that_width(entry: Layout) -> None:
    wide = entry.with_width(5)
    assert wide is not None or entry.name != "row_major_rgba"
    assert wide is None or wide.texture_shape((1, 3, 8, 8))[1] == 5


@every_layout
def test_its_name_and_parameters_make_a_layout_again(entry: Layout) -> None:
    assert layout(entry.name, **entry.parameters) == entry
    assert not layout(entry.name).parameters


def test_a_layout_is_called_by_its_name_and_the_parameters_that_are_not_the_default_ones() -> None:
    assert str(layout("row_major_rgba")) == "row_major_rgba"
    assert str(layout("row_major_rgba", width=5)) == "row_major_rgba with width 5"


@every_layout
@pytest.mark.parametrize("index", [-1, 6])
def test_texel_of_refuses_an_element_outside_the_tensor(entry: Layout, index: int) -> None:
    with pytest.raises(
        LayoutError, match=rf"expected an element index from 0 to 5, got {index}\. The shape is \(2, 3\)\."
    ):
        entry.texel_of((2, 3), index)


@every_layout
@pytest.mark.parametrize("place", [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 4), (99, 0, 0), (0, 99, 0)])
def test_index_of_refuses_a_place_outside_the_texture(entry: Layout, place: tuple[int, int, int]) -> None:
    with pytest.raises(LayoutError, match=r"expected a lane of a texture of \d+ x \d+ texels with [14], got texel"):
        entry.index_of((2, 3), *place)
    if place[2] == 0:
        with pytest.raises(LayoutError, match="Clamp the coordinates to the texture"):
            entry.tile_index((2, 3), *place[:2])


@every_layout
@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (1, 3, -2, 2), (2, 0, 1, 1, 1)], ids=str)
def test_a_shape_without_elements_is_refused_by_every_method(entry: Layout, shape: Shape) -> None:
    for method in (entry.texture_shape, entry.address, entry.tiles, entry.tile_count, entry.grid):
        with pytest.raises(LayoutError, match=r"expected every dimension at least 1, got (0|-2) at axis"):
            method(shape)


def test_encode_refuses_an_empty_array() -> None:
    with pytest.raises(LayoutError, match=r"shape \(0, 3\): expected every dimension at least 1, got 0 at axis 0"):
        layout("channel_tiles").encode(np.zeros((0, 3)))


def test_an_address_beyond_32_bits_is_refused_before_memory_is_taken() -> None:
    with pytest.raises(LayoutError, match="expected at most 2147483647 lanes in a texture, got 100000 x 100000"):
        layout("tfjs_unpacked").address((100_000, 100_000))


def test_a_huge_shape_has_a_texture_shape_for_free() -> None:
    assert layout("channel_tiles").texture_shape((10**6, 10**6, 3, 3)) == (3 * 10**6, 3 * 10**6)


def test_a_layout_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'width'"):
        layout("row_major_rgba", width=3).width = 4  # type: ignore[attr-defined]


@dataclasses.dataclass(frozen=True)
class Reversed(Layout):
    """The least that a layout may define: last element first, one lane, one row."""

    name = "reversed"
    lanes = 1

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        return 1, math.prod(shape) + 2

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        return shape[-1] - 1 - w, 0, 0

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        return np.where(tx < shape[-1], 0, -1), 0, 0, shape[-1] - 1 - tx

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        return ""

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        return ""


def test_a_layout_that_gives_only_its_formulas_gets_all_the_rest() -> None:
    entry = Reversed()
    assert entry.address((1, 1, 1, 3)).reshape(-1).tolist() == [2, 1, 0, -1, -1]
    assert entry.encode(np.array([1.0, 2.0, 3.0]), padding=9).reshape(-1).tolist() == [3, 2, 1, 9, 9]
    assert entry.decode(np.array([[[3.0], [2.0], [1.0], [9.0], [9.0]]]), (3,)).tolist() == [1, 2, 3]
    assert entry.texel_of((3,), 0) == (2, 0, 0)
    assert entry.index_of((3,), 4, 0, 0) == -1
    assert [(tile.width, tile.height) for tile in entry.tiles((3,))] == [(5, 1)]
    assert entry.tile_index((3,), 4, 0) == 0
    assert (entry.grid((3,)), entry.block, entry.near_square, entry.for_filters) == ((), (1, 1), False, entry)
