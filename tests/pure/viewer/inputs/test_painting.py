"""Tests strokes of the paint canvas."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.viewer.inputs.model.painting import as_rgb, is_paintable, stroke


def blank(channels: int = 3) -> np.ndarray:
    return np.zeros((channels, 8, 10), dtype=np.float32)


def test_a_dot_covers_the_pixels_whose_middle_is_in_it() -> None:
    painted = stroke(blank(), (4.5, 3.5), (4.5, 3.5), 1.0, (1.0, 0.5, 0.25))
    rows, columns = np.nonzero(painted[0])
    assert sorted(zip(rows.tolist(), columns.tolist(), strict=True)) == [(2, 4), (3, 3), (3, 4), (3, 5), (4, 4)]
    assert painted[:, 3, 4].tolist() == [1.0, 0.5, 0.25]


def test_the_finest_brush_paints_the_pixel_under_the_pointer() -> None:
    painted = stroke(blank(), (2.1, 6.9), (2.1, 6.9), 0.1, (1.0, 1.0, 1.0))
    assert np.argwhere(painted[0]).tolist() == [[6, 2]]


def test_a_fast_stroke_leaves_no_gap() -> None:
    painted = stroke(blank(1), (0.5, 4.5), (9.5, 4.5), 0.6, (1.0,))
    assert (painted[0, 4] == 1.0).all()


def test_a_stroke_may_leave_the_picture_and_leaves_the_old_one_alone() -> None:
    before = blank()
    stroke(before, (-5.0, 4.0), (40.0, -9.0), 2.0, (1.0, 1.0, 1.0))
    assert not before.any()


@pytest.mark.parametrize(
    ("shape", "paintable"),
    [
        ((1, 3, 8, 8), True),
        ((1, 1, 8, 8), True),
        ((3, 8, 8), True),
        ((2, 3, 8, 8), False),
        ((1, 2, 8, 8), False),
        ((9,), False),
    ],
)
def test_pictures_are_painted_and_other_tensors_are_not(shape: tuple[int, ...], paintable: bool) -> None:
    assert is_paintable(shape) is paintable


def test_grey_and_numbers_out_of_range_are_shown_as_colours() -> None:
    rgb = as_rgb(np.array([[[-1.0, 0.5, 7.0, np.nan]]], dtype=np.float32))
    assert rgb.tolist() == [[[0, 0, 0], [128, 128, 128], [255, 255, 255], [0, 0, 0]]]
