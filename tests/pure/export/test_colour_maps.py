"""Colour maps read without colour vision, and pictures of texels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.export import colour_maps
from pipeline.export.snapshots import INFINITY_COLOUR, NAN_COLOUR, picture


def lightness(rgb: NDArray[np.float32]) -> NDArray[np.float64]:
    """CIE L* of sRGB in [0, 1]."""
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


@pytest.mark.parametrize("name", ["grey", "unsigned"])
def test_more_is_lighter_all_the_way(name: str) -> None:
    assert (np.diff(lightness(colour_maps.table(name))) > 0).all()


def test_of_signed_numbers_zero_is_darkest_and_both_sides_rise() -> None:
    values = lightness(colour_maps.table("signed"))
    assert values[127:129].max() < 10
    assert (np.diff(values[128:]) > 0).all()
    assert (np.diff(values[:128]) < 0).all()


class TestPicture:
    """Texels as people see them."""

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
