"""Tests the brush and a stroke while it is painted."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.viewer.inputs.model.brush import Brush, LiveStroke

EMPTY = np.zeros((3, 16, 20), dtype=np.float32)


def test_a_brush_paints_each_number_of_channels() -> None:
    brush = Brush(colour=(0.0, 0.3, 0.9))
    assert brush.values(1) == pytest.approx((0.4,))
    assert [brush.values(channels) for channels in (3, 4)] == [(0.0, 0.3, 0.9), (0.0, 0.3, 0.9, 1.0)]


def test_pressing_a_colour_takes_the_brush_and_pressing_it_again_puts_it_away() -> None:
    brush, blue, red = Brush(), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    states = []
    for colour in (blue, red, red, red):
        brush.take(colour)
        states.append((brush.on, brush.colour))
    assert states == [(True, blue), (True, red), (False, red), (True, red)]


def test_a_stroke_goes_on_from_point_to_point_and_leaves_the_input_before_it() -> None:
    stroke, brush = LiveStroke.begin("x", "view 0", EMPTY), Brush((1.0, 0.5, 0.0), radius=1.0)
    for at in ((2.5, 3.5), (2.5, 3.5), (8.5, 3.5)):
        stroke.go_to(at, brush)
    assert stroke.points == [(2.5, 3.5), (8.5, 3.5)]
    np.testing.assert_array_equal(stroke.after[:, 3, 2:9], np.repeat([[1.0], [0.5], [0.0]], 7, axis=1))
    assert not stroke.before.any()


def test_what_the_network_ran_on_is_not_sent_again() -> None:
    stroke, brush = LiveStroke.begin("x", "view 0", EMPTY), Brush()
    assert stroke.to_send() is None
    stroke.go_to((2.0, 2.0), brush)
    assert stroke.to_send() is stroke.after
    assert stroke.to_send() is None
    stroke.go_to((9.0, 2.0), brush)
    assert stroke.to_send() is stroke.after
