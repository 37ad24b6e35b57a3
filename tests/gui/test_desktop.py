"""The desktop that the window's tests stand on: real GL windows, real mouse, real keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window

SCRIPT = Path(__file__).with_name("colour_window.py")
INSIDE = (250, 180)  # on the screen; the window's corner is at (100, 50)
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


@pytest.fixture
def window(launch: Launch) -> Window:
    return launch(script=SCRIPT)


def expect_colour(desktop: Desktop, colour: tuple[int, int, int]) -> None:
    desktop.wait_until(lambda: desktop.colour_at(*INSIDE) == colour, f"the window turns {colour}")


def expect_printed(desktop: Desktop, window: Window, text: str) -> None:
    desktop.wait_until(lambda: text in window.printed(), f"it prints '{text}'", window=window)


def test_a_gl_window_is_seen_on_the_screen_where_it_stands(desktop: Desktop, window: Window) -> None:
    expect_colour(desktop, RED)
    picture = desktop.wait_until_still()
    assert picture.size == (1600, 1000)
    assert [picture.getpixel(at) for at in ((100, 50), (499, 349))] == [RED, RED]
    assert RED not in [picture.getpixel(at) for at in ((99, 50), (500, 349), (100, 49), (499, 350))]


def test_a_click_arrives_at_its_place(desktop: Desktop, window: Window) -> None:
    desktop.click(*INSIDE, button=3)
    expect_colour(desktop, GREEN)
    expect_printed(desktop, window, "press 150 130 4\n")


def test_a_drag_ends_at_its_place(desktop: Desktop, window: Window) -> None:
    desktop.drag(INSIDE, (300, 200))
    expect_printed(desktop, window, "drag 200 150\n")


def test_the_wheel_turns_both_ways(desktop: Desktop, window: Window) -> None:
    desktop.scroll(*INSIDE, notches=1)
    desktop.scroll(*INSIDE, notches=-2)
    expect_colour(desktop, WHITE)
    expect_printed(desktop, window, "scroll 1\nscroll -1\nscroll -1\n")


def test_a_chord_arrives_with_its_modifier(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+b")
    expect_colour(desktop, BLUE)
    expect_printed(desktop, window, "key B 2\n")


def test_typed_text_arrives_in_order(desktop: Desktop, window: Window) -> None:
    desktop.write("c1 / x")
    expect_printed(desktop, window, "text x\n")
    typed = [line.removeprefix("text ") for line in window.printed().splitlines() if line.startswith("text ")]
    assert "".join(typed) == "c1 / x"


def test_a_program_that_ends_without_a_window_is_reported_with_what_it_said(desktop: Desktop, tmp_path: Path) -> None:
    script = tmp_path / "gone.py"
    script.write_text("raise SystemExit('no such file')")
    with pytest.raises(AssertionError, match="ended with 1; it printed:\nno such file"):
        desktop.start(script=script)
