"""Colour maps read without colour vision, and pictures of texels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.export.snapshots import INFINITY_COLOUR, NAN_COLOUR, picture
from texelscope.viewer.colour.ranges import DIVERGING, SEQUENTIAL

# Linear RGB as those without green or red cones see it (Viénot, Brettel and Mollon 1999, in linear sRGB).
CONES = {
    "deuteranope": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "protanope": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
}


def lightness(rgb: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns CIE L* of sRGB in [0, 1]."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    y = linear @ np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y), np.float64)


@pytest.mark.parametrize("name", colour_maps.names())
def test_a_map_is_256_steps_of_rgb_that_nobody_can_change(name: str) -> None:
    table = colour_maps.table(name)
    assert table.shape == (256, 3)
    assert table.dtype == np.float32
    assert table.min() >= 0
    assert table.max() <= 1
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 0


@pytest.mark.parametrize("name", list(SEQUENTIAL))
def test_more_is_lighter_all_the_way(name: str) -> None:
    assert (np.diff(lightness(colour_maps.table(name))) > 0).all()


def test_of_signed_numbers_zero_is_darkest_and_both_sides_rise() -> None:
    values = lightness(colour_maps.table("signed"))
    assert values[127:129].max() < 10
    assert (np.diff(values[128:]) > 0).all()
    assert (np.diff(values[:128]) < 0).all()


@pytest.mark.parametrize("name", [name for name in DIVERGING if name != "signed"])
def test_maps_about_white_fall_to_both_sides_alike(name: str) -> None:
    values = lightness(colour_maps.table(name))
    assert values[127:129].min() > 95
    assert (np.diff(values[128:]) < 0).all()
    assert (np.diff(values[:128]) > 0).all()
    np.testing.assert_allclose(values, values[::-1], atol=5)


@pytest.mark.parametrize("name", list(DIVERGING))
@pytest.mark.parametrize("kind", list(CONES))
def test_sides_of_a_diverging_map_differ_without_red_or_green_cones_too(name: str, kind: str) -> None:
    table = colour_maps.table(name)[[20, -21]].astype(np.float64)
    linear = np.where(table <= 0.04045, table / 12.92, ((table + 0.055) / 1.055) ** 2.4)
    first, second = np.clip(linear @ np.array(CONES[kind]).T, 0.0, 1.0) ** (1 / 2.2)
    assert np.abs(first - second).max() > 0.1


def test_every_map_that_is_offered_is_there() -> None:
    assert {*SEQUENTIAL, *DIVERGING} == set(colour_maps.names())


class TestPicture:
    """Tests texels as people see them."""

    def test_positive_texels_span_the_map(self) -> None:
        rgb, low, high = picture(np.array([[[0.5], [1.5]]], np.float32))
        assert (low, high) == (0.5, 1.5)
        table = np.rint(colour_maps.table("unsigned") * 255)
        np.testing.assert_array_equal(rgb[0], table[[0, -1]])

    def test_signed_texels_are_centred_on_zero(self) -> None:
        rgb, low, high = picture(np.array([[[-1.0], [0.0], [4.0]]], np.float32))
        assert (low, high) == (-4.0, 4.0)
        assert rgb[0, 1].max() < 25

    def test_four_lanes_are_red_green_and_blue(self) -> None:
        rgb, _, _ = picture(np.array([[[1, 0, 0, 9], [0, 9, 0, 0]]], np.float32))
        assert rgb[0, 1].tolist() == [0, 255, 0]

    def test_nan_and_infinity_have_colours_of_their_own(self) -> None:
        rgb, low, high = picture(np.array([[[np.nan], [np.inf], [-np.inf], [1.0], [0.0]]], np.float32))
        expected = [[round(255 * part) for part in colour] for colour in (NAN_COLOUR, INFINITY_COLOUR, INFINITY_COLOUR)]
        assert rgb[0, :3].tolist() == expected
        assert (low, high) == (0.0, 1.0)

    @pytest.mark.parametrize("number", [0.0, 3.0, -3.0, np.nan, 1e38])
    def test_texels_that_are_all_alike_have_a_picture(self, number: float) -> None:
        rgb, low, high = picture(np.full((2, 2, 1), number, np.float32))
        assert rgb.shape == (2, 2, 3)
        assert high >= low
