"""A tensor in rectangles of an atlas: it lies there as its own layout says, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.layouts.rectangles import RECTANGLES, RECTANGLES_IDS
from texelscope.layouts import Layout, LayoutError, layout
from texelscope.layouts.rectangles import Rectangles, alone
from texelscope.pipeline.toml_text import layout_value

placed = pytest.mark.parametrize(("entry", "shape"), RECTANGLES, ids=RECTANGLES_IDS)


def ramp(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.arange(1, math.prod(shape) + 1, dtype=np.float32).reshape(shape)


@placed
def test_each_element_lies_once_and_only_inside_the_areas(entry: Layout, shape: tuple[int, ...]) -> None:
    address = entry.address(shape)
    assert address.shape == (*entry.texture_shape(shape), entry.lanes)
    assert np.array_equal(np.sort(address[address >= 0]), np.arange(math.prod(shape)))
    outside = np.ones(address.shape[:2], dtype=bool)
    for x, y, width, height in entry.areas(shape):
        outside[y : y + height, x : x + width] = False
    assert np.all(address[outside] == -1)


@placed
def test_places_and_elements_agree_with_the_address(entry: Layout, shape: tuple[int, ...]) -> None:
    address = entry.address(shape)
    rows, columns, lanes = np.indices(address.shape)
    np.testing.assert_array_equal(entry.indices_at(shape, columns, rows, lanes), address)
    for index in range(0, math.prod(shape), 7):
        tx, ty, lane = entry.texel_of(shape, index)
        assert address[ty, tx, lane] == index == entry.index_of(shape, tx, ty, lane)


@placed
def test_texels_are_encoded_and_decoded_by_the_address(entry: Layout, shape: tuple[int, ...]) -> None:
    address, texels = entry.address(shape), entry.encode(ramp(shape), padding=-7)
    expected = np.where(address >= 0, ramp(shape).reshape(-1)[np.maximum(address, 0)], np.float32(-7))
    assert np.array_equal(texels, expected)
    assert np.array_equal(entry.decode(texels, shape), ramp(shape))


@placed
def test_tiles_lie_in_the_areas(entry: Layout, shape: tuple[int, ...]) -> None:
    owner = np.full(entry.texture_shape(shape), -1)
    for tile in entry.tiles(shape):
        assert np.all(owner[tile.ty : tile.ty + tile.height, tile.tx : tile.tx + tile.width] == -1)
        owner[tile.ty : tile.ty + tile.height, tile.tx : tile.tx + tile.width] = tile.index
    assert np.all(owner[np.any(entry.address(shape) >= 0, axis=2)] >= 0)
    for (ty, tx), index in np.ndenumerate(owner):
        assert entry.tile_index(shape, tx, ty) == index


def test_channels_lie_in_the_rectangles_in_their_order() -> None:
    entry = Rectangles("atlas", (5, 4), ((3, 2, 2, 1), (0, 0, 2, 1)), layout("channel_tiles"), is_grid=True)
    assert entry.address((1, 2, 1, 2))[:, :, 0].tolist() == [
        [2, 3, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [-1, -1, -1, 0, 1],
        [-1, -1, -1, -1, -1],
    ]
    assert [tile.label for tile in entry.tiles((1, 2, 1, 2))] == ["c0", "c1"]


def test_it_is_bound_by_what_the_file_says_of_it() -> None:
    one = Rectangles("a", (9, 9), ((1, 2, 4, 3),), layout("channel_tiles", columns=1))
    assert layout_value(one) == '{ rectangle = [1, 2, 4, 3], of = "a", name = "channel_tiles", columns = 1 }'
    several = Rectangles("a", (9, 9), ((1, 2, 4, 3), (5, 5, 4, 3)), layout("channel_tiles"), is_grid=True)
    assert layout_value(several) == '{ rectangle = [[1, 2, 4, 3], [5, 5, 4, 3]], of = "a" }'
    assert (one.atlas, alone(one).atlas, alone(one).areas((1, 1, 3, 4))) == ("a", "", ((1, 2, 4, 3),))
    assert str(one) == "channel_tiles with columns 1 at 1, 2 of a"
    assert str(several) == "2 rectangles of a"


def test_a_pass_draws_into_the_rectangle_around_all_areas() -> None:
    entry = Rectangles("a", (9, 9), ((1, 2, 2, 3), (5, 4, 2, 3)), layout("channel_tiles"), is_grid=True)
    assert entry.bounds((1, 2, 3, 2)) == (1, 2, 6, 5)
    assert layout("channel_tiles").bounds((1, 2, 3, 2)) == (0, 0, 4, 3)


def test_rectangles_that_do_not_fit_the_shape_are_refused() -> None:
    one = Rectangles("a", (9, 9), ((1, 2, 4, 3),), layout("channel_tiles"))
    with pytest.raises(LayoutError, match=r"expected rectangles of 5 x 3 texels for shape \(1, 1, 3, 5\), got 4 x 3\."):
        one.texture_shape((1, 1, 3, 5))
    several = Rectangles("a", (9, 9), ((1, 2, 4, 3), (5, 5, 4, 3)), layout("channel_tiles"), is_grid=True)
    with pytest.raises(LayoutError, match=r"expected 3 rectangles, one for each channel, got 2\. Add or remove"):
        several.texture_shape((1, 3, 3, 4))
    four = Rectangles("a", (9, 9), ((1, 2, 4, 3),), layout("channel_tiles_rgba"), is_grid=True)
    with pytest.raises(LayoutError, match=r"expected 2 rectangles, one for each 4 channels, got 1\."):
        four.texture_shape((1, 5, 3, 4))
