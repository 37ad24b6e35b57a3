"""Forms in the window: their steps beside the pass's own shader, fused runs, a pass opened by a click, the backend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import onnx
import pytest

from tests.gl.viewer.document.test_fused_runs import model
from tests.gui.desktop import Desktop, Window, all_match
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING


@pytest.fixture(scope="module")
def shared(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """One window on two convolutions with an activation each, in draws."""
    path = tmp_path_factory.mktemp("forms") / "two.onnx"
    onnx.save(model(), path)
    window = desktop.start(path, "--backend", "fragment")
    desktop.wait_for(window, all_match, "every pass matches")
    yield window
    window.close()


@pytest.fixture
def window(desktop: Desktop, shared: Window) -> Window:
    """Compares everything and selects the input."""
    if shared.seen()["fused"]:
        desktop.press("alt+F5")
    if shared.seen()["selected"] != "x":  # a second click would be a double one
        desktop.click_on(shared, "layer x")
    desktop.wait_for(shared, lambda seen: all_match(seen) and seen["settled"], "everything is observed")
    return shared


def rests(seen: dict[str, Any]) -> bool:
    return bool(seen["settled"] and not seen["busy"] and not seen["running"])


def test_the_steps_of_a_form_stand_beside_the_shader_and_an_edit_leaves_it(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "layer c1")
    desktop.wait_for(window, lambda seen: seen["runs"].startswith("Runs as a draw of"), "how it runs is told")
    assert "how it runs" in window.seen()["places"]
    desktop.click_on(window, "shader tab form")
    desktop.wait_for(window, lambda seen: "shader text of form" in seen["places"], "its step is shown")
    desktop.click_on(window, "shader text of form")
    desktop.write("x")
    desktop.press("ctrl+s")
    assert "Runs as a draw" in window.seen()["runs"], "nobody edits a step"
    desktop.click_on(window, "layer c2")
    tab = next(place for place in window.seen()["places"] if place.startswith("shader tab conv"))
    desktop.click_on(window, tab)
    desktop.click_on(window, tab.replace("shader tab", "shader text of"))
    desktop.press("ctrl+Home")
    desktop.write("// mine")
    desktop.press("Return", "ctrl+s")
    desktop.wait_for(window, lambda seen: "edited here" in seen["runs"] and rests(seen), "it runs by itself")
    assert all_match(window.seen())
    assert "shader tab form" not in window.seen()["places"]
    desktop.write("// more")  # where the caret was
    desktop.wait_for(window, lambda seen: "save shader" in seen["places"], "it can be tried")
    assert "take other" not in window.seen()["places"], "nobody else saved anything"
    desktop.press("ctrl+s")
    desktop.wait_for(window, lambda seen: not seen["unsaved"] and rests(seen), "it runs")
    desktop.wait_for(window, lambda seen: "original shader" in seen["places"], "the original can be had back")
    desktop.click_on(window, "original shader")
    desktop.wait_for(window, lambda seen: "shader tab form" in seen["places"] and rests(seen), "it has its form again")


def test_the_run_mode_is_chosen_in_its_list_and_what_is_inside_says_so(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "run mode")
    desktop.click_on(window, "run mode fused")
    desktop.wait_for(window, lambda seen: "c1" in seen["inside"] and rests(seen), "the first convolution is inside")
    seen = window.seen()
    assert seen["verdicts"]["c1"] == "not_compared"
    assert (seen["verdicts"]["a1"], seen["verdicts"]["y"]) == ("match", "match")
    desktop.press("ctrl+Right")
    desktop.wait_for(window, lambda seen: seen["selected"] == "c1" and seen["settled"], "it is selected by keys")
    seen = window.seen()
    assert "c1" in seen["inside"], "and stays inside"
    assert "canvas 0" not in seen["places"], "there is no picture of it"
    assert seen["runs"].startswith("Runs together with a1 as a draw of")


def test_a_click_opens_a_fused_pass_up_and_its_values_are_there(desktop: Desktop, window: Window) -> None:
    desktop.press("shift+F5")
    desktop.wait_for(window, lambda seen: "c1" in seen["inside"] and rests(seen), "the first convolution is inside")
    desktop.click_on(window, "layer c1")
    desktop.wait_for(window, lambda seen: "c1" not in seen["inside"] and rests(seen), "it is opened up")
    assert (window.seen()["fused"], window.seen()["verdicts"]["c1"]) == (True, "match")
    desktop.click(*window.place_of(2, 2))
    desktop.wait_for(window, lambda seen: seen["readout"] is not None, "its values are shown")
    for lane in window.seen()["readout"]["lanes"]:
        assert lane["actual"] == pytest.approx(lane["oracle"], rel=1e-4, abs=1e-5)
    desktop.press("shift+u")
    desktop.wait_for(window, lambda seen: "c1" in seen["inside"] and rests(seen), "it is fused again")


def test_the_timing_panel_says_which_times_are_of_an_earlier_run(desktop: Desktop, window: Window) -> None:
    for _ in range(RUNS_BEFORE_TUNING + 1):
        desktop.press("F5")
        desktop.wait_for(window, lambda seen: all_match(seen) and rests(seen), "it ran")
    desktop.click_on(window, "panel Timing")
    desktop.wait_for(window, lambda seen: "earlier times" in seen["places"], "the last run was in forms")
    desktop.press("F5")
    desktop.wait_for(window, lambda seen: "earlier times" not in seen["places"] and rests(seen), "every pass is timed")
    assert "timing of c1" in window.seen()["places"]
    assert all_match(window.seen())


def test_the_backend_is_chosen_where_a_file_is_opened(desktop: Desktop, window: Window) -> None:
    desktop.press("ctrl+o")
    desktop.click_on(window, "backend compute")
    desktop.click_on(window, "open file")
    desktop.wait_for(window, lambda seen: seen["backend"] == "compute" and all_match(seen), "it runs in dispatches")
    desktop.click_on(window, "layer c1")
    desktop.wait_for(window, lambda seen: "dispatch of" in seen["runs"], "and says so")
