"""Unsaved work is asked about before it would be lost, and where it is kept is said."""

from __future__ import annotations

from pathlib import Path

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match
from tests.gui.test_bad_files import save


def test_what_was_tried_in_a_models_shader_is_kept_in_a_bundle_and_in_a_folder(
    desktop: Desktop, launch: Launch, typed_folder: Path
) -> None:
    save(typed_folder / "m.onnx", "Relu", (1, 3, 8, 8))
    window = launch(typed_folder / "m.onnx", folder=typed_folder)
    desktop.wait_for(window, all_match, "the model is open", 60)
    desktop.click_on(window, "layer odd_one")
    type_first(desktop, window, "// b")
    desktop.press("ctrl+s")
    desktop.wait_for(window, lambda seen: "where kept" in seen["places"] and seen["settled"], "it is tried")
    desktop.click_on(window, "layout")
    desktop.click_on(window, "layout channel_tiles")
    desktop.wait_for(window, lambda seen: seen["layout"] == "channel_tiles" and all_match(seen), "another layout")
    desktop.press("ctrl+q")
    asked(desktop, window)
    desktop.press("s")
    desktop.wait_until(lambda: window.process.poll() == 0, "the window closes")

    window = launch(typed_folder / "out" / "m" / "m.texelscope", folder=typed_folder)
    desktop.wait_for(window, lambda seen: all_match(seen) and "where kept" in seen["places"], "it says where it is", 60)
    desktop.wait_for(window, lambda seen: "original shader" in seen["places"], "it runs as it was tried")
    type_first(desktop, window, "// c")
    desktop.click_on(window, "keep in bundle")
    desktop.wait_for(window, lambda seen: any("Written" in line for line in seen["log"]), "it is written")
    desktop.click_on(window, "save shader")
    desktop.click_on(window, "keep in folder")
    desktop.wait_for(window, lambda seen: seen["target"].endswith("pipeline.toml") and all_match(seen), "it is open")
    assert "// c\n" in (typed_folder / "out/m/m/shaders/odd_one.frag").read_text(encoding="utf-8")
    desktop.press("ctrl+q")
    desktop.wait_until(lambda: window.process.poll() == 0, "nothing is left to ask")


def type_first(desktop: Desktop, window: Window, text: str) -> None:
    """Type a line before the shader's first."""
    desktop.click_on(window, "shader text")
    desktop.press("ctrl+Home")
    desktop.write(text)
    desktop.press("Return")


def asked(desktop: Desktop, window: Window) -> None:
    desktop.wait_for(window, lambda seen: "leave save" in seen["places"], "it is asked")
