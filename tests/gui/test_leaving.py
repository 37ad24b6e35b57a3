"""Unsaved work is asked about before it would be lost, and where it is kept is said."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match
from tests.gui.test_bad_files import save

FIXED = ROOT / "examples" / "webgl_cnn" / "fixed"


def test_a_persons_own_file_and_a_models_shader_are_not_lost(
    desktop: Desktop, launch: Launch, typed_folder: Path
) -> None:
    folder = Path(shutil.copytree(FIXED, typed_folder / "cnn"))
    save(typed_folder / "m.onnx", "Relu", (1, 3, 8, 8))
    window = launch(folder / "pipeline.toml", folder=typed_folder)
    desktop.wait_for(window, all_match, "every pass matches", 60)
    desktop.click_on(window, "layer down1")
    type_first(desktop, window, "// a")
    desktop.press("ctrl+q")
    asked(desktop, window)
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: "leave save" not in seen["places"], "it stays")
    desktop.close_window(window)
    asked(desktop, window)
    desktop.click_on(window, "leave cancel")
    desktop.wait_for(window, lambda seen: seen["unsaved"] == ["down.frag"], "it is still there")
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(typed_folder / "m.onnx"))
    desktop.press("Return")
    asked(desktop, window)
    assert not (folder / "down.frag").read_text(encoding="utf-8").startswith("// a")
    desktop.press("s")
    desktop.wait_for(window, lambda seen: seen["layers"] == ["x", "odd_one"] and all_match(seen), "the model is open")
    assert (folder / "down.frag").read_text(encoding="utf-8").startswith("// a")

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
