"""Tests frames in the window: one after another, from the beginning again, and continuously."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.automata import LIFE_CLAMPED, glider, write_life
from tests.gui.desktop import Desktop, Window

# The last row of dots of a glider that begins there is read beyond the edge in frame 9.
FIRST_WRONG = 9


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


def test_a_continuous_run_goes_from_frame_to_frame(desktop: Desktop, opened: Window) -> None:
    desktop.press("F8")
    desktop.wait_for(opened, lambda seen: seen["frame_of_run"] > 20, "frames go by")
    desktop.press("F8")
    desktop.wait_for(opened, lambda seen: not seen["continuous"] and seen["settled"], "it rests")
    frame = opened.seen()["frame_of_run"]
    desktop.press("F5")
    desktop.wait_for(opened, lambda seen: seen["settled"], "the present frame runs again")
    assert opened.seen()["frame_of_run"] == frame
