"""A recording of WebGL opens in the window, with a model as its oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.gui.desktop import Desktop, all_match
from tests.pure.models import model, node, value
from tests.webgl_recordings import SUM, two_draws


def test_a_recording_with_a_model_matches_and_a_saved_wrong_shader_is_named(desktop: Desktop, tmp_path: Path) -> None:
    folder = two_draws().write(tmp_path / "recording")
    nodes = [node("Conv", "x w", "c", kernel_shape=[1, 2], pads=[0, 1, 0, 0], group=4), node("Relu", "c", "y")]
    shape, weights = (1, 4, 4, 6), {"w": np.ones((4, 1, 1, 2), np.float32)}
    path = tmp_path / "sum.onnx"
    path.write_bytes(model(nodes, [value("x", shape)], [value("y", shape)], weights=weights).SerializeToString())
    window = desktop.start(folder, "--oracle", str(path))
    try:
        desktop.wait_for(window, all_match, "every draw matches")
        shader = folder / "programs" / "000.frag"
        shader.write_text(SUM.replace("ivec2(1, 0)", "ivec2(2, 0)"))
        desktop.wait_for(window, lambda seen: seen["verdicts"].get("draw0") == "mismatch", "it is named")
    finally:
        window.close()
