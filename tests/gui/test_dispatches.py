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
