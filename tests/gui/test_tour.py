"""Tests the tour of the first start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop
from texelscope.viewer.memory.settings import FILE_NAME, Settings


def at_step(step: int) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen) and seen["tour"] == step and seen["settled"]


def test_the_first_start_shows_a_planted_bug_and_a_tour_that_names_it_and_does_not_come_again(
    desktop: Desktop, launch: Launch
) -> None:
    window = launch()
    for step in range(5):
        desktop.wait_for(window, at_step(step), f"step {step} is shown")
        if step < 4:
            desktop.click_on(window, "tour next")
    desktop.wait_for(window, lambda seen: seen["selected"] == "down2" and seen["findings"] == ["shift"], "named")
    desktop.click_on(window, "original shader")
    desktop.wait_for(window, lambda seen: set(seen["verdicts"].values()) == {"match"}, "the bug is out")
    desktop.click_on(window, "tour example")
    desktop.wait_for(window, lambda seen: seen["target"].endswith("as_written.toml"), "the bug is there")
    assert window.seen()["tour"] is None
    assert Settings.load(next(desktop.home.rglob(FILE_NAME))).toured
    for place in ("bar File", "examples", "example magpie"):
        desktop.wait_for(window, lambda seen, place=place: place in seen["places"], f"{place} is shown")  # type: ignore[misc]
        desktop.click_on(window, place)
    desktop.wait_for(window, lambda seen: seen["target"].endswith("sharpen_x2.hlsl"), "an example of another kind")
