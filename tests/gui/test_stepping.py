"""A person steps through the shader of one texel: forwards, back, by turns of a loop, to a breakpoint's condition."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

EXAMPLE = ROOT / "examples" / "webgl_cnn"
# A step is on screen within this time, and a trace of 5,000 lines: of the processor, since others want the same cores.
STEP_MS, TRACE_MS = 50.0, 1000.0


@pytest.fixture(scope="module")
def shader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shader of the first passes of a copy of the example."""
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("work") / "cnn")) / "down.frag"


@pytest.fixture(scope="module")
def opened(desktop: Desktop, shader: Path) -> Iterator[Window]:
    """Returns one window on that copy, compared."""
    window = desktop.start(shader.with_name("fixed.toml"))
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "it is compared")
    yield window
    window.close()


@pytest.fixture
def stepping(desktop: Desktop, opened: Window) -> Iterator[Window]:
    """Texel (40, 50) of down1 is picked with the mouse and stepped through; ended afterwards."""
    if opened.seen()["selected"] != "down1":
        desktop.click_on(opened, "layer down1")
    desktop.wait_for(opened, lambda seen: seen["selected"] == "down1" and seen["settled"], "down1 is shown")
    desktop.click(*opened.place_of(40, 50))
    desktop.press("F10")
    desktop.wait_for(opened, lambda seen: bool(seen["stepping"]), "the trace is there")
    yield opened
    desktop.click_on(opened, "end_stepping")
    desktop.wait_for(opened, lambda seen: seen["stepping"] is None, "stepping has ended")


def state(window: Window) -> dict[str, Any]:
    return dict(window.seen()["stepping"])


def line_of(shader: Path, text: str) -> int:
    return next(n for n, line in enumerate(shader.read_text(encoding="utf-8").split("\n"), 1) if text in line)


def test_a_texel_is_stepped_through_there_and_back(desktop: Desktop, stepping: Window, shader: Path) -> None:
    seen = state(stepping)
    assert seen["text"].startswith("vec2 st = ")
    assert seen["variables"] == {}
    (lane,) = stepping.seen()["readout"]["lanes"]
    assert seen["outputs"]["result"][0] == lane["actual"], "the trace ends with what is in the texture"
    took = []
    for _ in range(5):
        desktop.press("F10")
        took.append(state(stepping)["shown_ms"][1])
    assert state(stepping)["variables"]["st"] == [40.5 / 32, 50.5 / 32]
    assert "current line" in stepping.seen()["places"]
    assert min(took) < STEP_MS
    at = state(stepping)["at"]
    desktop.press("F10", "shift+F10")
    assert state(stepping)["at"] == at, "back where it was"
    desktop.press("F12")
    assert state(stepping)["turns"] == ["q 1 of 4"]
    desktop.press("F12", "F12")
    assert state(stepping)["turns"] == ["q 3 of 4"]
    desktop.press("ctrl+F12")
    assert state(stepping)["line"] == ["down.frag", line_of(shader, "float x = ")]
    assert state(stepping)["turns"] == ["q 3 of 4", "p 1 of 4", "row 1 of 2", "column 1 of 2"]
    desktop.press("shift+F12")
    assert state(stepping)["turns"][:2] == ["q 3 of 4", "p 1 of 4"]
    desktop.click_on(stepping, "step_to_end")
    assert state(stepping)["at"] == state(stepping)["total"]
    desktop.click_on(stepping, "layer down3")
    desktop.wait_for(stepping, lambda seen: "back to stepping" in seen["places"], "it says what is stepped through")
    desktop.press("shift+F10")
    desktop.wait_for(stepping, lambda seen: seen["selected"] == "down1" and seen["pick"] == [40, 50], "it is back")
    slider = stepping.seen()["places"]["step slider"]
    desktop.click(round(slider[0] + slider[2] / 2), round(slider[1] + slider[3] / 2))
    assert abs(state(stepping)["at"] / state(stepping)["total"] - 0.5) < 0.05


def test_a_breakpoint_with_a_condition_stops_where_it_holds(desktop: Desktop, stepping: Window, shader: Path) -> None:
    line = line_of(shader, "float w = ")
    desktop.press("ctrl+F12", "ctrl+F12", "F10")  # the bias, the first value, the line after that
    assert state(stepping)["line"] == ["down.frag", line]
    left, top, _, height = stepping.seen()["places"]["current line"]
    margin = round(left + 10), round(top + height / 2)
    desktop.click(*margin)
    desktop.wait_for(stepping, lambda seen: f"breakpoint {line}" in seen["places"], "the breakpoint is there")
    desktop.press("F5")
    first = state(stepping)
    assert (first["line"][1], first["variables"]["column"]) == (line, [1.0]), "the next time it comes here"
    desktop.click(*margin, button=3)
    desktop.wait_for(stepping, lambda seen: "condition" in seen["places"], "a condition is asked for")
    desktop.write("x > 0.5 && p > 0.0")
    desktop.press("Return")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["breakpoints"][0][2] != "", "it has a condition")
    desktop.press("F5")
    found = state(stepping)
    assert found["line"] == ["down.frag", line]
    assert found["variables"]["x"][0] > 0.5
    assert found["variables"]["p"][0] > 0.0
    desktop.press("F5", "shift+F5")
    assert state(stepping)["at"] == found["at"], "back to the one before"
    desktop.press("F9")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["breakpoints"] == [], "F9 takes it away")


def test_a_value_shows_where_its_name_is(desktop: Desktop, stepping: Window) -> None:
    desktop.press("F10", "F10")
    left, top, _, height = stepping.seen()["places"]["current line"]
    for glyph in range(17, 30):  # the name in the line above: `vec2 position = …`
        desktop.move(round(left + glyph * 8), round(top - height / 2))
        if "hovered value" in stepping.seen()["places"]:
            break
    assert "hovered value" in stepping.seen()["places"]


def test_a_right_click_runs_to_its_line(desktop: Desktop, stepping: Window, shader: Path) -> None:
    desktop.press("F10", "F10")
    left, top, width, height = stepping.seen()["places"]["current line"]
    desktop.click(round(left + width / 3), round(top + height * 2.5), button=3)
    line = line_of(shader, "vec2 tile_size")
    desktop.click_on(stepping, f"menu Run to line {line}")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["line"] == ["down.frag", line], "it is there")


def test_a_saved_shader_is_stepped_through_as_it_is_now(desktop: Desktop, stepping: Window, shader: Path) -> None:
    text = shader.read_text(encoding="utf-8")
    before = state(stepping)["outputs"]["result"][0]
    desktop.press("F10", "F10", "F10")
    shader.write_text(text.replace("result = vec4(max(sum, 0.0));", "result = vec4(sum + 100.0);"), encoding="utf-8")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["outputs"]["result"][0] > 99.0, "it is recorded anew")
    assert state(stepping)["at"] == 3
    assert state(stepping)["stale"] is False
    shader.write_text(text, encoding="utf-8")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["outputs"]["result"][0] == before, "and once more")


def test_a_trace_of_5_000_lines_is_there_within_a_second(desktop: Desktop, opened: Window) -> None:
    desktop.click_on(opened, "layer up1")
    desktop.wait_for(opened, lambda seen: seen["selected"] == "up1" and seen["settled"], "up1 is shown")
    desktop.click(*opened.place_of(30, 40))
    desktop.press("F10")
    desktop.wait_for(opened, lambda seen: (seen["stepping"] or {}).get("shown_ms") is not None, "it is shown")
    assert state(opened)["total"] > 5000
    assert state(opened)["shown_ms"][1] < TRACE_MS
