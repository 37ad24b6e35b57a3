"""The parameters of an mpv shader are sliders: the picture and the verdicts follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match

SHADER = """\
//!PARAM gain
//!DESC brightness
//!TYPE float
//!MINIMUM 0.0
//!MAXIMUM 2.0
1.0

//!PARAM steps
//!TYPE int
//!MINIMUM 1
//!MAXIMUM 5
1

//!PARAM colour
//!TYPE ENUM DEFINE
all
red

//!PARAM inverted
//!TYPE DEFINE
//!MINIMUM 0
//!MAXIMUM 1
0

//!HOOK MAIN
//!BIND HOOKED
vec4 hook() {
    vec4 color = HOOKED_texOff(0) * gain * float(steps);
#if colour == red
    color.gb = vec2(0.0);
#endif
#if inverted
    color.rgb = 1.0 - color.rgb;
#endif
    return color;
}
"""


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / "gain.glsl"
    path.write_text(SHADER)
    return path


def shown(desktop: Desktop, launch: Launch, shader: Path, slider: str = "parameter gain") -> Window:
    window = launch(shader)
    desktop.wait_for(window, lambda seen: all_match(seen) and "panel Parameters" in seen["places"], "it is compared")
    desktop.click_on(window, "panel Parameters")
    desktop.wait_for(window, lambda seen: slider in seen["places"], "the sliders are shown")
    return window


def has(**numbers: str) -> Any:
    return lambda seen: seen["dialect"] == numbers and seen["settled"] and all_match(seen)


def test_a_slider_changes_the_picture_while_it_moves_and_it_matches(
    desktop: Desktop, launch: Launch, shader: Path
) -> None:
    window = shown(desktop, launch, shader)
    start, middle = (desktop.point_at(window, "parameter gain", across) for across in (0.5, 0.75))
    desktop.hold(start, middle)
    desktop.wait_for(window, lambda seen: float(seen["dialect"].get("gain", 1)) > 1.3, "it follows while it is held")
    desktop.let_go()
    desktop.wait_for(window, lambda seen: seen["settled"] and all_match(seen), "the new numbers are compared")
    assert 1.3 < float(window.seen()["dialect"]["gain"]) < 1.7
    assert not any("Reloaded" in line for line in window.seen()["log"])


def test_whole_numbers_choices_and_defines_are_changed_and_reset(
    desktop: Desktop, launch: Launch, shader: Path
) -> None:
    window = shown(desktop, launch, shader)
    desktop.click(*desktop.point_at(window, "parameter steps", 0.98))
    desktop.wait_for(window, has(steps="5"), "the last whole number runs")
    desktop.click_on(window, "parameter colour")
    desktop.click_on(window, "choice red")
    desktop.wait_for(window, has(steps="5", colour="1"), "the choice is compiled in")
    desktop.click(*desktop.point_at(window, "parameter inverted", 0.98))
    desktop.wait_for(window, has(steps="5", colour="1", inverted="1"), "the definition is compiled in")
    desktop.click_on(window, "reset steps")
    desktop.wait_for(window, has(steps="1", colour="1", inverted="1"), "one is reset")
    desktop.click_on(window, "reset parameters")
    desktop.wait_for(window, has(steps="1", colour="0", inverted="0"), "all are reset")
    desktop.press("ctrl+z")
    desktop.wait_for(window, has(steps="1", colour="1", inverted="1"), "that is undone at once")
    desktop.press("ctrl+z")
    desktop.wait_for(window, has(steps="5", colour="1", inverted="1"), "and the reset of one before it")
    desktop.press("ctrl+y")
    desktop.wait_for(window, has(steps="1", colour="1", inverted="1"), "which is redone")


def test_a_block_that_a_parameter_turns_off_is_turned_on_in_the_window(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    path = tmp_path / "switched.glsl"
    path.write_text(
        "//!PARAM on\n//!TYPE int\n//!MINIMUM 0\n//!MAXIMUM 1\n0\n"
        "//!HOOK MAIN\n//!BIND HOOKED\n//!WHEN on\n//!SAVE half\nvec4 hook() { return HOOKED_texOff(0) * 0.5; }\n"
    )
    window = launch(path)
    desktop.wait_for(window, lambda seen: bool(seen) and seen["verdicts"] == {"MAIN#2": "not_compared"}, "open")
    desktop.click_on(window, "panel Parameters")
    desktop.click(*desktop.point_at(window, "parameter on", 0.98))
    desktop.wait_for(window, has(on="1"), "its block runs")
    assert window.seen()["verdicts"] == {"half": "match"}
    desktop.click_on(window, "reset on")
    desktop.wait_for(
        window, lambda seen: seen["settled"] and seen["verdicts"] == {"MAIN#2": "not_compared"}, "it does not any more"
    )


def test_numbers_beyond_what_a_slider_takes_are_typed(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    path = tmp_path / "large.glsl"
    path.write_text(
        "//!PARAM whole\n//!TYPE uint\n//!MINIMUM 0\n//!MAXIMUM 999999999\n7\n"
        "//!PARAM large\n//!TYPE float\n//!MINIMUM -1e99\n//!MAXIMUM 1e99\n2.0\n"
        "//!PARAM one\n//!TYPE int\n//!MINIMUM 1\n//!MAXIMUM 1\n1\n"
        "//!HOOK MAIN\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0) * float(whole * uint(one)) * large; }\n"
    )
    window = shown(desktop, launch, path, "parameter whole")
    desktop.click_on(window, "parameter whole")
    desktop.press("ctrl+a")
    desktop.write("12")
    desktop.press("Return")
    desktop.wait_for(window, has(whole="12"), "the typed number runs")
    desktop.click_on(window, "parameter large")
    desktop.press("ctrl+a")
    desktop.write("3.5")
    desktop.press("Return")
    desktop.wait_for(window, has(whole="12", large="3.5"), "the other one too")


def test_a_shader_without_parameters_has_no_panel_of_them(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    path = tmp_path / "plain.glsl"
    path.write_text("//!HOOK MAIN\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0); }\n")
    window = launch(path)
    desktop.wait_for(window, all_match, "it is compared")
    assert "panel Parameters" not in window.seen()["places"]
