"""Tests the window's first size."""

from __future__ import annotations

from texelscope.viewer.native.native_window import WANTED, first_size


def test_a_window_starts_as_it_is_meant_on_a_screen_with_room_for_it() -> None:
    assert first_size(None, (1920, 1200), 1.0) == WANTED


def test_a_window_with_larger_text_is_larger() -> None:
    assert first_size(None, (3840, 2160), 2.0) == (3200, 2000)


def test_no_part_of_a_window_starts_outside_the_screen() -> None:
    assert first_size(None, (1280, 720), 1.0) == (1280, 720)
    assert first_size((3000, 900), (1280, 1024), 1.0) == (1280, 900)


def test_a_window_starts_as_it_was_left_and_shows_as_much_at_another_scale() -> None:
    assert first_size((1111, 777), (1920, 1200), 1.0) == (1111, 777)
    assert first_size((1111, 777), (3840, 2160), 2.0) == (2222, 1554)
