"""Two runs side by side in linked views: each with its values, its oracle and its verdict, and the difference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window

SHADER = """\
#version 330 core
uniform sampler2D u_image;
uniform float u_gain;
out vec4 result;
void main() { result = u_gain * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }
"""
PASS = """
[[pass]]
name = "{name}"
shader = "gain.frag"
output = {{ shape = [1, 1, 8, 8], layout = "channel_tiles" }}
textures.u_image = "{read}"
uniforms.u_gain = {gain}
"""
INPUT = """\
[pipeline]
oracle = "oracle.py"

[[input]]
name = "image"
shape = [1, 1, 8, 8]
layout = "channel_tiles"
source = "ramp"
"""


def pipeline(folder: Path, first: str, second: str, gain: float) -> Path:
    """Writes a pipeline of two passes of those names; the first multiplies by `gain`, and 2 is right."""
    folder.mkdir()
    (folder / "gain.frag").write_text(SHADER)
    (folder / "oracle.py").write_text(
        "".join(f"def {name}(u_image):\n    return 2 * u_image\n\n" for name in (first, second))
    )
    path = folder / "pipeline.toml"
    path.write_text(
        INPUT + PASS.format(name=first, read="image", gain=gain) + PASS.format(name=second, read=first, gain=2)
    )
    return path


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    """Returns a right pipeline, and a wrong one whose passes have other names."""
    return pipeline(tmp_path / "right", "first", "second", 2), pipeline(tmp_path / "wrong", "one", "two", 3)


def panes(*wanted: tuple[str, str]) -> Callable[[dict[str, Any]], bool]:
    """Returns whether the tabs show that, each with that verdict."""
    return lambda seen: [(each["shows"], each["verdict"]) for each in seen.get("panes", ())] == list(wanted)


def opened(desktop: Desktop, launch: Launch, both: tuple[Path, Path]) -> Window:
    window = launch(both[0], "--against", both[1], "--trust")
    desktop.wait_for(window, lambda seen: seen.get("against") == "target wrong/pipeline.toml", "both have run")
    desktop.click_on(window, "layer second")
    desktop.press("shift+k")
    return window


OTHER = "target wrong/pipeline.toml"
THREE = ("now", "match"), (OTHER, "inherited"), (f"now − {OTHER}", "")


def test_two_targets_are_seen_side_by_side_and_zoom_and_pick_go_together(
    desktop: Desktop, launch: Launch, both: tuple[Path, Path]
) -> None:
    window = opened(desktop, launch, both)
    desktop.wait_for(window, panes(*THREE), "each run has the verdict of its own oracle")
    assert window.seen()["against"] is None, "the oracle is back in the present run's tab"
    desktop.scroll(*desktop.point_at(window, "canvas 1"), 3)
    desktop.wait_for(window, lambda seen: len({round(each, 3) for each in seen["zooms"]}) == 1, "all have one zoom")
    before = window.seen()["zooms"][0]
    desktop.scroll(*desktop.point_at(window, "canvas 0"), 1)
    desktop.wait_for(window, lambda seen: all(each > before for each in seen["zooms"]), "from any of them")
    desktop.click(*desktop.point_at(window, "canvas 1"))
    desktop.wait_for(window, lambda seen: all(each["pick"] for each in seen["panes"]), "one texel in all")
    now, other, difference = (each["values"] for each in window.seen()["panes"])
    mine, mine_right = (float(part) for part in now.rstrip(")").split(" (oracle "))
    there, there_right = (float(part) for part in other.rstrip(")").split(" (oracle "))
    assert mine == pytest.approx(mine_right, rel=1e-4)
    assert there == pytest.approx(1.5 * mine, rel=1e-4)
    assert there_right == pytest.approx(there, rel=1e-4), "the second pass is right for the inputs that it had there"
    assert float(difference) == pytest.approx(mine - there, rel=1e-3)
    desktop.press("shift+k")
    desktop.wait_for(window, panes(("", "match")), "the present run alone")


def test_layers_with_other_names_are_paired_by_hand(desktop: Desktop, launch: Launch, both: tuple[Path, Path]) -> None:
    window = opened(desktop, launch, both)
    desktop.wait_for(window, panes(*THREE), "outputs are paired by their order")
    desktop.click_on(window, "layer first")
    desktop.wait_for(window, panes(("now", "match"), (OTHER, ""), THREE[2]), "no layer there has that name")
    desktop.click_on(window, "pair")
    desktop.click_on(window, "pair one")
    desktop.wait_for(window, panes(("now", "match"), (OTHER, "mismatch"), THREE[2]), "it is paired")
    desktop.click(*desktop.point_at(window, "canvas 1"))
    desktop.wait_for(window, lambda seen: seen["panes"][1]["values"].count("oracle") == 1, "with its oracle")


def test_the_state_before_an_edit_stands_beside_the_present_one(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    path = pipeline(tmp_path / "edited", "first", "second", 2)
    window = launch(path, "--trust")
    desktop.wait_for(window, lambda seen: seen.get("verdicts") == {"first": "match", "second": "match"}, "it matches")
    shader = path.with_name("gain.frag")
    shader.write_text(SHADER.replace("u_gain *", "1.5 * u_gain *"))
    desktop.wait_for(window, lambda seen: bool(seen["kept"]) and seen["verdicts"]["first"] == "mismatch", "it is wrong")
    desktop.press("shift+k")
    desktop.wait_for(window, lambda seen: len(seen["panes"]) == 3, "both are there")
    now, before, _ = window.seen()["panes"]
    assert now["verdict"] == "mismatch"
    assert before["shows"].startswith("before the edit of gain.frag")
    assert before["verdict"] == "match"
    desktop.click_on(window, "panel Runs")
    desktop.click_on(window, f"drop {before['shows']}")
    desktop.wait_for(window, lambda seen: len(seen["panes"]) == 1, "a run that is dropped is shown no more")
