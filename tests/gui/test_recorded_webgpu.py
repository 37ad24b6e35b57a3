"""A recording of WebGPU opens in the window, and a saved wrong shader is named."""

from __future__ import annotations

from pathlib import Path

from tests.gui.desktop import Desktop, all_match
from tests.webgpu_recordings import SUM, two_dispatches


def test_a_recording_of_webgpu_matches_and_a_saved_wrong_shader_is_named(desktop: Desktop, tmp_path: Path) -> None:
    folder = two_dispatches().write(tmp_path / "recording")
    window = desktop.start(folder)
    try:
        desktop.wait_for(window, all_match, "every dispatch matches")
        (folder / "programs" / "000.wgsl").write_text(SUM.replace("x[id.x - 1u]", "x[id.x - 2u]"))
        desktop.wait_for(window, lambda seen: seen["verdicts"].get("dispatch0") == "mismatch", "it is named")
    finally:
        window.close()
