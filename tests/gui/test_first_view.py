"""Tests the first ten seconds: the demo shows input and output, and a stroke on the input repaints the house."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Position, Window, all_match

MODEL = ROOT / "examples" / "facades" / "facades.onnx"
# A window of the house is painted with this.
WINDOW_COLOUR = "#0033ff"


@pytest.fixture(scope="module")
def demo(desktop: Desktop) -> Iterator[Window]:
    """Returns a window on the demo in which nobody has done anything."""
    window = desktop.start(MODEL)
    desktop.wait_for(window, all_match, "every pass matches")
    yield window
    window.close()


def picture(desktop: Desktop, window: Window, name: str) -> NDArray[np.int64]:
    """What a pane shows, [height, width, 3] of 0 to 255, without the pointer."""
    left, top, width, height = (round(each) for each in window.seen()["places"][name])
    desktop.move(1599, 999)
    still = desktop.wait_until_still(seconds=150).crop((left, top, left + width, top + height))
    return np.asarray(still, dtype=np.int64)


def shown(desktop: Desktop, window: Window, name: str) -> NDArray[np.int64]:
    """What a pane shows now."""
    left, top, width, height = (round(each) for each in window.seen()["places"][name])
    return np.asarray(desktop.screenshot().crop((left, top, left + width, top + height)), dtype=np.int64)


def across(desktop: Desktop, window: Window) -> tuple[Position, Position]:
    """Two places in the input, a quarter of the pane's height apart, in the middle of the picture."""
    x, y = desktop.point_at(window, "canvas 0")
    reach = window.seen()["places"]["canvas 0"][3] / 8
    return (round(x - reach), y), (round(x + reach), y)


def rests(seen: dict[str, Any]) -> bool:
    return all_match(seen) and bool(seen["settled"])


def test_pressing_a_colour_and_dragging_on_the_input_repaints_the_house(desktop: Desktop, demo: Window) -> None:
    assert {"canvas 0", "canvas 1"} <= demo.seen()["places"].keys(), "input and output stand side by side"
    assert (demo.seen()["selected"], demo.seen()["views"]) == ("labels", [None, "facade"])
    plan, house = picture(desktop, demo, "canvas 0"), picture(desktop, demo, "canvas 1")
    zoom = demo.seen()["zooms"][0]
    desktop.click_on(demo, f"swatch {WINDOW_COLOUR}")
    desktop.drag(*across(desktop, demo))
    desktop.wait_for(demo, lambda seen: "painted" in seen["inputs"]["labels"] and rests(seen), "it has run")
    painted, repainted = picture(desktop, demo, "canvas 0"), picture(desktop, demo, "canvas 1")
    y, x = painted.shape[0] // 2, painted.shape[1] // 2
    assert np.abs(painted[y, x] - (0, 51, 255)).max() <= 2, "the stroke has the colour of the swatch"
    assert (np.abs(painted - plan).max(axis=2) > 40).any()
    assert (np.abs(repainted - house).max(axis=2) > 40).mean() > 0.002, "the house has changed"
    assert demo.seen()["zooms"][0] == zoom
    assert demo.seen()["pick"] is None, "a stroke picks no texel"


def test_the_house_changes_while_the_button_is_held_and_the_stroke_is_undone_whole(
    desktop: Desktop, demo: Window
) -> None:
    desktop.press("ctrl+z")
    desktop.wait_for(demo, rests, "the first stroke is undone")
    house = picture(desktop, demo, "canvas 1")
    desktop.hold(*across(desktop, demo))
    desktop.wait_until(
        lambda: (np.abs(shown(desktop, demo, "canvas 1") - house).max(axis=2) > 40).mean() > 0.002,
        "the house changes",
        window=demo,
    )
    desktop.let_go()
    desktop.wait_for(demo, rests, "all is compared")
    painted = picture(desktop, demo, "canvas 0")
    desktop.click_on(demo, "brush undo")
    desktop.wait_for(demo, rests, "it is undone")
    undone = picture(desktop, demo, "canvas 0")
    assert (np.abs(painted - undone).max(axis=2) > 40).any()
    desktop.press("ctrl+z")
    desktop.wait_for(demo, lambda seen: "nothing to undo" in "".join(seen["log"]), "it was one stroke")


def test_without_the_brush_a_drag_moves_the_picture_as_ever(desktop: Desktop, demo: Window) -> None:
    source, centre = demo.seen()["inputs"]["labels"], demo.seen()["centre"]
    desktop.press("e")
    desktop.drag(*across(desktop, demo))
    desktop.wait_for(demo, lambda seen: seen["centre"] != centre, "it has moved")
    assert demo.seen()["inputs"]["labels"] == source
    desktop.press("f", "e")


def test_whoever_skips_the_tour_gets_the_same_view(desktop: Desktop, demo: Window) -> None:
    desktop.click_on(demo, "close view 1")
    desktop.press("End", "F1")
    desktop.wait_for(demo, lambda seen: seen["views"] == [None] and seen["tour"] == 0, "the tour begins")
    desktop.click_on(demo, "tour skip")
    desktop.wait_for(demo, lambda seen: {"canvas 0", "canvas 1"} <= seen["places"].keys(), "both pictures are there")
    assert demo.seen()["tour"] is None
    assert (demo.seen()["selected"], demo.seen()["views"]) == ("labels", [None, "facade"])


def test_another_file_opens_in_one_tab_without_the_brush_and_a_key_brings_both_pictures(
    desktop: Desktop, demo: Window
) -> None:
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(ROOT / "examples" / "webgl_cnn" / "fixed.toml"))
    desktop.press("Return")
    desktop.wait_for(demo, lambda seen: seen["target"].endswith("fixed.toml") and rests(seen), "it is open")
    assert demo.seen()["views"] == [None]
    assert "canvas 1" not in demo.seen()["places"]
    desktop.press("shift+e")
    desktop.wait_for(demo, lambda seen: {"canvas 0", "canvas 1"} <= seen["places"].keys(), "both are there")
    assert demo.seen()["selected"] == "image"


_WATCH = """
import sys
from texelscope.pipeline.target import Target
from texelscope.viewer.window import MainWindow

window = MainWindow()
display = window.app.display
window.app.document.open(Target(sys.argv[1]))
window.run(until=lambda: "canvas 0" in display.places, timeout_s=60)
print("canvas 0" in display.places, display.canvas.thumbnails.drawn_count)
window.run(until=lambda: display.canvas.thumbnails.drawn_count > 0, timeout_s=60)
print(display.canvas.thumbnails.drawn_count > 0)
window.close()
"""


def test_the_first_large_picture_does_not_wait_for_small_ones(desktop: Desktop) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _WATCH, str(MODEL)],
        env=desktop.environment,
        capture_output=True,
        text=True,
        timeout=150,
        check=True,
    )
    assert run.stdout.split() == ["True", "0", "True"]
