"""The values of a pipeline file are changed while it runs, undone, and saved where they stand in the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match
from tests.gui.test_bad_files import save

SHADER = """\
#version 330 core
uniform sampler2D u_image;
uniform float u_gain;
uniform vec2 u_shift;
uniform bool u_on;
out vec4 result;

void main() {
    vec4 read = texelFetch(u_image, ivec2(gl_FragCoord.xy), 0);
    result = u_on ? u_gain * read + u_shift.x - u_shift.y + float(TIMES - 1) : read;
}
"""
TEXT = """\
# Comments stay.
[pipeline]
oracle = "oracle.py"

[[input]]
name = "image"
shape = [1, 1, 8, 8]
layout = "channel_tiles"
source = "random:7"

[[pass]]
name = "gained"
shader = "gain.frag"
output = { shape = [1, 1, 8, 8], layout = "channel_tiles" }
textures.u_image = "image"
uniforms.u_gain = 2   # as the oracle has it
uniforms.u_shift = [0.5, 0.25]
uniforms.u_on = true
defines.TIMES = 1
"""
ORACLE = """\
def gained(u_image, u_gain, u_shift, u_on):
    return u_gain * u_image + u_shift[0] - u_shift[1] if u_on else u_image
"""
GAIN, SHIFT, ON, TIMES = (f"gained.{key}" for key in ("uniforms.u_gain", "uniforms.u_shift", "uniforms.u_on",
                                                        "defines.TIMES"))  # fmt: skip


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """Returns a pipeline of one pass, whose oracle gets its uniforms."""
    (tmp_path / "gain.frag").write_text(SHADER)
    (tmp_path / "oracle.py").write_text(ORACLE)
    path = tmp_path / "pipeline.toml"
    path.write_text(TEXT)
    return path


def shown(desktop: Desktop, launch: Launch, pipeline: Path) -> Window:
    """Returns the window with the rows of its values."""
    window = launch(pipeline, "--trust")
    desktop.wait_for(window, verdict("match"), "it is compared")
    if "discard_edits" in window.seen()["places"]:  # those of the test before, whose window was closed from outside
        desktop.click_on(window, "discard_edits")
    desktop.click_on(window, "panel Parameters")
    desktop.wait_for(window, lambda seen: f"value {GAIN}" in seen["places"], "the values are shown")
    return window


def verdict(wanted: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen) and seen["settled"] and seen["verdicts"] == {"gained": wanted}


def has(wanted: str, **values: str) -> Callable[[dict[str, Any]], bool]:
    """Returns whether those values alone are changed, and all passes have that verdict."""
    keys = {"gain": GAIN, "shift": SHIFT, "on": ON, "times": TIMES}
    named = {keys[name]: text for name, text in values.items()}
    return lambda seen: seen["dialect"] == named and verdict(wanted)(seen)


def logs(text: str) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: text in "".join(seen["log"])


def type_number(desktop: Desktop, window: Window, place: str, text: str) -> None:
    desktop.click(*desktop.point_at(window, place), times=2)
    desktop.press("ctrl+a")
    desktop.write(text)
    desktop.press("Return")


def test_the_panel_comes_behind_the_one_in_front(desktop: Desktop, launch: Launch, typed_folder: Path) -> None:
    save(typed_folder / "m.onnx", "Relu", (1, 3, 8, 8))
    path = typed_folder / "p.toml"
    path.write_text(TEXT.replace('oracle = "oracle.py"\n', ""))
    (typed_folder / "gain.frag").write_text(SHADER)
    window = launch("m.onnx", folder=typed_folder)
    desktop.wait_for(window, all_match, "a model without values is open")
    desktop.press("ctrl+o")
    desktop.write("p.toml")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: "panel Parameters" in seen["places"] and seen["settled"], "it has values")
    assert "inside Findings" in window.seen()["places"]


def test_a_dragged_number_runs_while_it_is_held_and_is_undone_at_once(
    desktop: Desktop, launch: Launch, pipeline: Path
) -> None:
    window = shown(desktop, launch, pipeline)
    start, end = (desktop.point_at(window, f"value {GAIN}", across) for across in (0.3, 0.6))
    desktop.hold(start, end)
    desktop.wait_for(window, lambda seen: float(seen["dialect"].get(GAIN, 2)) > 2.1, "it runs while it is held")
    middle = desktop.point_at(window, f"value {GAIN}", 0.45)
    desktop.move(*middle)
    desktop.let_go()
    desktop.wait_for(window, verdict("match"), "the oracle got it too")
    assert pipeline.read_text() == TEXT, "nothing is saved"
    kept = [title for title in window.seen()["kept"] if title.startswith("before the change of u_gain of 'gained'")]
    assert len(kept) == 1, "the state before the drag is kept, and none of those within it"
    moved = window.seen()["dialect"]
    assert moved.keys() == {GAIN}
    desktop.press("ctrl+z")
    desktop.wait_for(window, has("match"), "all of the drag is undone")
    desktop.press("ctrl+y")
    desktop.wait_for(window, lambda seen: seen["dialect"] == moved and seen["settled"], "and redone")


def test_numbers_are_typed_flags_switched_and_all_saved_where_they_stand(
    desktop: Desktop, launch: Launch, pipeline: Path
) -> None:
    window = shown(desktop, launch, pipeline)
    type_number(desktop, window, f"value {SHIFT} 1", "1.5")
    desktop.wait_for(window, has("match", shift="[0.5, 1.5]"), "the second number of a vector")
    desktop.click(*desktop.point_at(window, f"value {ON}"))
    desktop.wait_for(window, has("match", shift="[0.5, 1.5]", on="false"), "a flag")
    desktop.click_on(window, f"reset {ON}")
    desktop.wait_for(window, has("match", shift="[0.5, 1.5]"), "is reset")
    type_number(desktop, window, f"value {TIMES}", "2")
    desktop.wait_for(window, has("mismatch", shift="[0.5, 1.5]", times="2"), "a define, which no oracle gets")
    assert set(window.seen()["unsaved_values"]) == {SHIFT, TIMES}
    desktop.press("ctrl+s")
    desktop.wait_for(window, has("mismatch"), "they are the file's now")
    assert pipeline.read_text() == TEXT.replace("0.25]", "1.5]").replace("TIMES = 1", "TIMES = 2")
    desktop.press("ctrl+z")
    desktop.wait_for(window, has("match", times="1"), "what was saved can be undone")


def test_a_number_that_is_none_is_refused_in_a_sentence_and_the_old_one_stays(
    desktop: Desktop, launch: Launch, pipeline: Path
) -> None:
    window = shown(desktop, launch, pipeline)
    for typed in ("inf", "two"):
        type_number(desktop, window, f"value {GAIN}", typed)
        desktop.wait_for(window, logs(f"{GAIN}: expected a number that is finite, got '{typed}'"), "it is refused")
    desktop.wait_for(window, has("match"), "nothing is changed")


def test_a_define_that_does_not_compile_leaves_the_last_good_program(
    desktop: Desktop, launch: Launch, pipeline: Path
) -> None:
    pipeline.write_text(TEXT.replace("TIMES = 1", 'TIMES = "int(1)"'))
    window = shown(desktop, launch, pipeline)
    desktop.click_on(window, f"value {TIMES}")
    desktop.press("ctrl+a")
    desktop.write("wrong")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: "error of values of gained" in seen["places"], "its error is shown")
    desktop.wait_for(window, has("error", times="wrong"), "the pass is marked, and its last good program runs")
    assert any("gain.frag:10" in line for line in window.seen()["log"])
    desktop.click_on(window, f"reset {TIMES}")
    desktop.wait_for(window, lambda seen: "error of values of gained" not in seen["places"], "it is mended")


def test_changed_values_are_asked_about_before_they_are_lost(desktop: Desktop, launch: Launch, pipeline: Path) -> None:
    window = shown(desktop, launch, pipeline)
    type_number(desktop, window, f"value {GAIN}", "3")
    desktop.wait_for(window, has("match", gain="3"), "it is changed")
    desktop.press("ctrl+q")
    desktop.wait_for(window, lambda seen: "leave save" in seen["places"], "it is asked")
    desktop.click_on(window, "leave cancel")
    desktop.press("ctrl+q")
    desktop.click_on(window, "leave save")
    desktop.wait_until(lambda: window.process.poll() is not None, "the window closes")
    assert pipeline.read_text() == TEXT.replace("u_gain = 2 ", "u_gain = 3 ")


def test_changed_values_survive_a_window_that_is_killed(desktop: Desktop, launch: Launch, pipeline: Path) -> None:
    window = shown(desktop, launch, pipeline)
    type_number(desktop, window, f"value {GAIN}", "3")
    kept = desktop.home / "config" / "texelscope" / "unsaved"
    desktop.wait_until(
        lambda: any(GAIN in place.read_text() for place in kept.glob("*.json")), "it is kept", window=window
    )
    window.process.kill()
    window.process.wait()
    again = launch(pipeline, "--trust")
    desktop.wait_for(again, lambda seen: "restore_edits" in seen.get("places", {}), "it is offered")
    desktop.click_on(again, "restore_edits")
    desktop.wait_for(again, has("match", gain="3"), "it runs again")
    assert pipeline.read_text() == TEXT
