"""Tests that another device's results stand beside those here: pictures, verdicts in the list, in a frame."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop
from tests.small_models import one_convolution
from texelscope import pipeline


def test_a_capture_is_shown_beside_and_its_verdicts_are_listed(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    target = tmp_path / "model.onnx"
    onnx.save(one_convolution(), target)
    with pipeline.open(target) as session:
        session.set_input("image", np.ones((1, 3, 8, 8), np.float32))
        session.run()
        (3.0 * session.texels("conv1")).astype(np.float32).tofile(tmp_path / "conv1.f32")
    entry = {"name": "conv1", "file": "conv1.f32", "type": "float32"}
    manifest = {"version": 1, "device": {"renderer": "Mali-G72"}, "tensors": [entry],
                "inputs": [{"name": "image", "source": "ones"}]}  # fmt: skip
    (tmp_path / "capture.json").write_text(json.dumps(manifest))
    window = launch(target, "--captured", tmp_path)
    there = {"conv1": "mismatch", "relu1": "not_run"}
    desktop.wait_for(window, lambda seen: bool(seen) and seen["captured"] == there, "the capture is judged")
    desktop.wait_for(window, lambda seen: set(seen["verdicts"].values()) == {"match"}, "what is made here matches")
    desktop.click_on(window, "layer conv1")
    pictures = [f"captured {each} picture" for each in ("there", "here", "difference")]
    desktop.wait_for(window, lambda seen: all(each in seen["places"] for each in pictures), "three pictures")
    assert "captured legend" in window.seen()["places"]
    desktop.press("shift+k")
    three = [("now", "match"), ("device Mali-G72", "mismatch"), ("now − device Mali-G72", "")]
    desktop.wait_for(
        window,
        lambda seen: [(each["shows"], each["verdict"]) for each in seen["panes"]] == three,
        "the two devices side by side",
    )
    desktop.press("ctrl+shift+w")
    desktop.wait_for(window, lambda seen: len(seen["panes"]) == 1 and not seen["kept"], "the capture is closed")
    assert not [line for line in window.seen()["log"] if line.startswith("error")]
