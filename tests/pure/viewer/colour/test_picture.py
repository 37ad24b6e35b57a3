"""Tests which tensors are pictures, where their elements lie, and which values are black and white."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.viewer.colour.picture import (
    ColourPicture,
    GreyPicture,
    TrueColour,
    black_and_white,
    has_opacity,
    has_picture,
    lane_count,
    layout_of,
    seen_with,
    shows,
)


@pytest.mark.parametrize(
    ("shape", "is_one"),
    [
        ((1, 3, 64, 64), True),
        ((3, 64, 64), True),
        ((2, 1, 64, 64), True),
        ((1, 4, 8, 9), True),
        ((1, 64, 48, 3), True),
        ((64, 48, 4), True),
        ((1, 16, 64, 64), False),
        ((1, 2, 64, 64), False),
        ((1, 3, 7, 64), False),
        ((64, 64), False),
        ((10,), False),
        ((), False),
        ((1, 1000, 1, 1), False),
    ],
)
def test_what_looks_like_a_picture(shape: tuple[int, ...], is_one: bool) -> None:
    assert has_picture(shape) is is_one


@pytest.mark.parametrize("shape", [(2, 5, 9, 12), (2, 9, 12, 4), (5, 9, 12)])
def test_every_texel_holds_the_channels_that_are_chosen(shape: tuple[int, ...]) -> None:
    seen = TrueColour(n=1, channels=(3, 0, 2))
    layout = layout_of(shape, seen)
    elements = np.arange(np.prod(shape)).reshape((1,) * (4 - len(shape)) + shape)
    n = min(1, elements.shape[0] - 1)
    chosen = elements[n, ..., [3, 0, 2]] if shape[-1] == 4 else elements[n, [3, 0, 2]]
    address = layout.address(shape)
    np.testing.assert_array_equal(np.moveaxis(address[..., :3], 2, 0), chosen)
    assert (address[..., 3] == -1).all(), "there is no opacity"
    assert layout.has_padding(shape)
    for tx, ty, lane in ((0, 0, 0), (4, 7, 2), (11, 8, 1)):
        assert layout.texel_of(shape, layout.index_of(shape, tx, ty, lane)) == (tx, ty, lane)


def test_an_element_that_is_not_shown_lies_where_its_place_is_seen() -> None:
    shape = (2, 5, 9, 12)
    layout = layout_of(shape, TrueColour(n=1, channels=(3, 0, 2)))
    assert layout.texel_of(shape, int(np.ravel_multi_index((0, 4, 7, 10), shape)))[:2] == (10, 7)


def test_an_element_is_seen_in_its_picture_of_the_batch_or_as_stored() -> None:
    shape, seen = (2, 5, 9, 12), TrueColour(channels=(3, 0, 2))
    index = {(n, c): int(np.ravel_multi_index((n, c, 7, 10), shape)) for n in range(2) for c in range(5)}
    layout = layout_of(shape, seen)
    assert [place for place, element in index.items() if shows(layout, shape, element)] == [(0, 0), (0, 2), (0, 3)]
    assert seen_with(shape, seen, index[1, 2]) == TrueColour(n=1, channels=(3, 0, 2))
    assert seen_with(shape, seen, index[1, 4]).on is False


def test_without_a_choice_the_first_channels_are_shown() -> None:
    kinds = {1: GreyPicture((0,)), 2: GreyPicture((0,)), 3: ColourPicture(), 4: ColourPicture((0, 1, 2, 3))}
    kinds[17] = ColourPicture((0, 1, 2))
    for count, wanted in kinds.items():
        assert layout_of((1, count, 9, 12), TrueColour()) == wanted
    assert [lane_count(each) for each in kinds.values()] == [1, 1, 3, 4, 3]
    assert [has_opacity(each) for each in kinds.values()] == [False, False, False, True, False]


def test_a_choice_beyond_the_tensor_is_its_last() -> None:
    layout = layout_of((2, 3, 9, 12), TrueColour(n=7, channels=(9, 0, 1)))
    assert layout == ColourPicture((2, 0, 1), n=1)


@pytest.mark.parametrize(
    ("low", "high", "limits"),
    [
        (0.0, 1.0, (0.0, 1.0)),
        (0.2, 0.4, (0.0, 1.0)),
        (-0.04, 1.03, (0.0, 1.0)),
        (-0.9, 0.8, (-1.0, 1.0)),
        (-1.1, 1.15, (-1.0, 1.0)),
        (0.0, 255.0, (0.0, 255.0)),
        (3.0, 190.0, (0.0, 255.0)),
        (0.0, 3.0, (0.0, 3.0)),
        (-2.1, 2.6, (-2.1, 2.6)),
        (0.0, 4000.0, (0.0, 4000.0)),
    ],
)
def test_black_and_white_are_those_that_such_values_are_prepared_with(
    low: float, high: float, limits: tuple[float, float]
) -> None:
    assert black_and_white(low, high) == limits


@pytest.mark.parametrize(
    ("low", "high", "share", "limits"),
    [
        (-0.31, 1.45, 0.04, (0.0, 1.0)),
        (-0.31, 0.9, 0.04, (0.0, 1.0)),
        (0.0, 1.5, 0.1, (0.0, 1.0)),
        (-80.0, 310.0, 0.05, (0.0, 255.0)),
        (-0.31, 0.9, 0.4, (-1.0, 1.0)),
        (-1.5, 1.5, 0.05, (-1.0, 1.0)),
        (-0.31, 1.45, 0.4, (-0.31, 1.45)),
        (-5.0, 9.0, 0.001, (-5.0, 9.0)),
    ],
)
def test_a_picture_that_overshoots_in_few_places_stays_one(
    low: float, high: float, share: float, limits: tuple[float, float]
) -> None:
    assert black_and_white(low, high, lambda _limits: share) == limits
