"""A repair of a number in a pipeline file is run by a click, undone by a key, and saved by another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.gui.conftest import BUSY, Launch
from tests.gui.desktop import Desktop

SHADER = """\
#version 330 core
uniform sampler2D u_image;
uniform float u_gain;
out vec4 result;
void main() { result = u_gain * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }
"""
TEXT = """\
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
uniforms.u_gain = 3 # a slip
"""
GAIN = "gained.uniforms.u_gain"


@pytest.fixture(scope="module")
def repair_seconds() -> float:
    """Returns the time in which one number is found."""
    return 10.0 * BUSY


def test_a_repair_of_a_number_runs_by_a_click_and_is_saved_where_it_stands(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "gain.frag").write_text(SHADER)
    (tmp_path / "oracle.py").write_text("def gained(u_image):\n    return 2 * u_image\n")
    path = tmp_path / "pipeline.toml"
    path.write_text(TEXT)

    def runs(seen: dict[str, Any], verdict: str, *changed: str) -> bool:
        return [*seen["dialect"]] == [*changed] and seen["settled"] and seen["verdicts"] == {"gained": verdict}

    window = launch(path, "--trust")
    desktop.wait_for(window, lambda seen: any("pipeline.toml" in each for each in seen.get("repairs", ())), "repaired")
    first = window.seen()["repairs"][0]
    assert "-uniforms.u_gain = 3 # a slip\n+uniforms.u_gain = 2.0 # a slip" in first
    desktop.click_on(window, "apply repair")
    desktop.wait_for(window, lambda seen: runs(seen, "match", GAIN), "it runs")
    assert path.read_text() == TEXT
    desktop.press("ctrl+z")
    desktop.wait_for(window, lambda seen: runs(seen, "mismatch"), "it is undone")
    desktop.press("ctrl+y", "ctrl+s")
    desktop.wait_for(window, lambda seen: runs(seen, "match"), "it is saved")
    assert path.read_text() == TEXT.replace("u_gain = 3", "u_gain = 2.0")
