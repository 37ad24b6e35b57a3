"""A layer drawn and the same layer dispatched, side by side; a barrier that is taken out of it is missed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, all_match

EXAMPLE = ROOT / "examples" / "convolution_twice"


def test_both_versions_of_a_layer_stand_side_by_side(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "twice")
    window = launch(folder / "pipeline.toml")
    desktop.wait_for(window, all_match, "both match")
    desktop.click_on(window, "layer dispatched", times=2)
    desktop.wait_for(window, lambda seen: seen["views"] == [None, "dispatched"], "it has a tab")
    desktop.click_on(window, "layer drawn")
    desktop.press("s")
    both = {"canvas 0", "canvas 1"}
    desktop.wait_for(window, lambda seen: both <= seen["places"].keys() and seen["settled"], "both are there")
    desktop.click_on(window, "layer dispatched")
    desktop.wait_for(window, lambda seen: "shader tab conv.comp" in seen["places"], "its shader is shown")
    assert "shader tab vertex" not in window.seen()["places"]

    shader = folder / "conv.comp"
    text = shader.read_text(encoding="utf-8")
    shader.write_text(text.replace("        barrier();  // everything is in the tile\n", ""), encoding="utf-8")
    desktop.wait_for(window, lambda seen: seen["findings"] == ["missing_barrier"], "the finding is there")
    desktop.click_on(window, "panel Findings")
    desktop.click_on(window, "finding missing_barrier")
    desktop.wait_for(window, lambda seen: seen["line"] == ["conv.comp", 37], "its line is shown")


def test_an_invocation_is_stepped_through_by_the_texel_that_it_writes(desktop: Desktop, launch: Launch) -> None:
    window = launch(EXAMPLE / "pipeline.toml")
    desktop.click_on(window, "layer dispatched")
    desktop.wait_for(window, lambda seen: seen["selected"] == "dispatched" and seen["settled"], "it is shown")
    desktop.click(*window.place_of(5, 3))
    desktop.press("F10")
    desktop.wait_for(window, lambda seen: bool(seen["stepping"]), "the trace is there")
    seen = window.seen()["stepping"]
    assert seen["text"].startswith("ivec3 at = ")
    desktop.press("F10")
    desktop.wait_for(window, lambda seen: seen["stepping"]["at"] == 1, "a step further")
    assert window.seen()["stepping"]["variables"]["at"] == [5, 3, 0]
