"""Tests frames in the window: one after another, from the beginning again, and continuously."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.automata import LIFE, LIFE_CLAMPED, LIFE_TOML, glider, write_life
from tests.gui.desktop import Desktop, Window

# The last row of dots of a glider that begins there is read beyond the edge in frame 9.
FIRST_WRONG = 9
# All four numbers of the mouse in one.
MOUSE = LIFE.replace("out vec4", "uniform vec4 u_mouse;\nout vec4").replace(
    "vec4(lives ? 1.0 : 0.0)", "vec4(dot(u_mouse, vec4(1.0, 16.0, 256.0, 4096.0)) + (lives ? 0.0 : 0.0))"
)


@pytest.fixture(scope="module")
def opened(desktop: Desktop, typed_folder: Path) -> Iterator[Window]:
    window = desktop.start(write_life(typed_folder / "life", LIFE_CLAMPED, glider(10, 3)), "--trust")
    desktop.wait_for(window, compared(0), "frame 0 is compared")
    yield window
    window.close()


def compared(frame: int, verdict: str = "match") -> Any:
    return lambda seen: (
        bool(seen) and seen["frame_of_run"] == frame and seen["settled"] and seen["verdicts"] == {"state": verdict}
    )


def test_frames_run_one_after_another_until_one_is_wrong_and_begin_again(desktop: Desktop, opened: Window) -> None:
    for frame in range(1, FIRST_WRONG):
        desktop.press("shift+F8")
        desktop.wait_for(opened, compared(frame), f"frame {frame} matches")
    desktop.press("shift+F8")
    desktop.wait_for(opened, compared(FIRST_WRONG, "mismatch"), "the frame at the edge is wrong")
    assert opened.seen()["layers"] == ["seed", "state@previous", "state"]
    desktop.press("alt+F8")
    desktop.wait_for(opened, compared(0), "frame 0 runs again")
    desktop.click_on(opened, "next_frame")
    desktop.wait_for(opened, compared(1), "the button runs the next frame too")
    desktop.click_on(opened, "restart")
    desktop.wait_for(opened, compared(0), "and the other one frame 0")


def test_a_continuous_run_goes_from_frame_to_frame(desktop: Desktop, opened: Window) -> None:
    desktop.press("F8")
    desktop.wait_for(opened, lambda seen: seen["frame_of_run"] > 20, "frames go by")
    desktop.press("F8")
    desktop.wait_for(opened, lambda seen: not seen["continuous"] and seen["settled"], "it rests")
    frame = opened.seen()["frame_of_run"]
    desktop.press("F5")
    desktop.wait_for(opened, lambda seen: seen["settled"], "the present frame runs again")
    assert opened.seen()["frame_of_run"] == frame


def test_the_next_frame_knows_the_texel_under_the_mouse_and_the_one_that_was_pressed(
    desktop: Desktop, opened: Window, typed_folder: Path
) -> None:
    toml = LIFE_TOML.replace('oracle = "oracle.py"\n', "") + 'uniforms.u_mouse = "mouse"\n'
    window = desktop.start(write_life(typed_folder / "mouse", MOUSE, toml=toml))
    try:
        desktop.wait_for(window, lambda seen: bool(seen) and seen["settled"], "frame 0 has run")
        desktop.click_on(window, "layer state")
        desktop.wait_for(window, lambda seen: seen["selected"] == "state" and seen["settled"], "it is shown")
        desktop.click(*window.place_of(4, 3))
        desktop.move(*window.place_of(9, 5))
        desktop.wait_for(window, lambda seen: seen["hover"] == [9, 5], "the mouse is there")
        desktop.press("shift+F8")
        desktop.wait_for(window, lambda seen: seen["frame_of_run"] == 1 and seen["settled"], "frame 1 has run")
        desktop.wait_for(window, lambda seen: lane(seen) == 9 + 16 * 5 + 256 * (4 + 16 * 3), "it knows the mouse")
    finally:
        window.close()


def lane(seen: dict[str, Any]) -> float | None:
    readout = seen["readout"]
    return readout["lanes"][0]["actual"] if readout is not None else None
