"""Tests whose LRN a ported network follows: seen and switched in the inspector, kept where other things change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, all_match
from tests.ported_lrn import lrn_model, ported


def test_a_shader_that_follows_another_framework_is_recognised_and_compared_with_it(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    window = launch(ported(tmp_path / "ported"))
    desktop.wait_for(window, lambda seen: wrong(seen, "norm1"), "the pass is wrong")
    desktop.click_on(window, "layer norm1")
    desktop.wait_for(window, lambda seen: "fit tensorflow" in seen["places"], "the conventions are listed")
    desktop.wait_for(window, lambda seen: seen["findings"], "what stands above is there")
    desktop.scroll(*desktop.point_at(window, "inside Inspector"), -4)  # the choice and all it chooses from are in sight
    heights = {name: place[1] for name, place in window.seen()["places"].items() if name.startswith("fit ")}
    assert len(heights) == 10
    assert min(heights, key=heights.__getitem__) == "fit tensorflow"
    switch(desktop, window, "tensorflow")
    desktop.wait_for(window, all_match, "it matches")
    assert window.seen()["conventions"] == {"LRN": "tensorflow"}
    desktop.wait_for(window, lambda seen: seen["settled"], "nothing moves")
    desktop.press("F7")  # the files are read again
    desktop.wait_for(window, lambda seen: "info: Reloaded all files." in seen["log"] and not seen["busy"], "it is read")
    assert set(window.seen()["verdicts"].values()) == {"match"}


def test_a_models_own_pass_computes_what_is_chosen_in_any_layout(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    onnx.save(lrn_model(), tmp_path / "ported.onnx")
    window = launch(tmp_path / "ported.onnx")
    desktop.wait_for(window, all_match, "it is compared")
    desktop.click_on(window, "layer norm1")
    switch(desktop, window, "pytorch")
    desktop.wait_for(
        window, lambda seen: seen["conventions"] == {"LRN": "pytorch"} and all_match(seen), "it is switched"
    )
    desktop.click_on(window, "layout")
    desktop.click_on(window, "layout channel_tiles_rgba")
    desktop.wait_for(window, lambda seen: seen["layout"] == "channel_tiles_rgba" and all_match(seen), "it is reopened")
    assert window.seen()["conventions"] == {"LRN": "pytorch"}
    desktop.press("shift+b")
    desktop.wait_for(window, lambda seen: seen["backend"] == "fragment" and all_match(seen), "draws compute it")
    desktop.press("shift+b")
    desktop.wait_for(window, lambda seen: seen["backend"] == "compute" and all_match(seen), "dispatches compute it")


def switch(desktop: Desktop, window: Any, convention: str) -> None:
    desktop.click_on(window, "convention")
    desktop.click_on(window, f"convention {convention}")


def wrong(seen: dict[str, Any], name: str) -> bool:
    return bool(seen) and seen["verdicts"].get(name) == "mismatch"
