"""A model learns in the window: its loss falls, training pauses, steps, goes back and saves what it learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, all_match
from tests.small_networks import perceptron


@pytest.fixture
def sine(tmp_path: Path) -> Path:
    """A model, and beside it `pairs` of points and their sines."""
    onnx.save(perceptron([1, 16, 16, 1], rows=32), tmp_path / "sine.onnx")
    (tmp_path / "pairs").mkdir()
    for seed in range(3):
        points = np.random.default_rng(seed).uniform(-3.0, 3.0, (32, 1)).astype(np.float32)
        np.save(tmp_path / "pairs" / f"{seed}.npy", points)
        np.save(tmp_path / "pairs" / f"{seed}.target.npy", np.sin(points))
    return tmp_path / "sine.onnx"


def test_a_model_learns_before_ones_eyes(desktop: Desktop, launch: Launch, sine: Path) -> None:
    pairs = sine.parent / "pairs"
    window = launch("train", sine, "--data", pairs, "--weights", "0,1,2", "--rate", "0.01")
    desktop.wait_for(window, lambda seen: bool(seen) and (seen["training"]["steps"] >= 30), "30 steps are done")
    desktop.click_on(window, "train run")
    desktop.wait_for(window, lambda seen: not seen["training"]["running"] and not seen["busy"], "it pauses")
    seen = window.seen()
    steps, losses = seen["training"]["steps"], seen["training"]["losses"]
    assert losses[-1] < 0.5 * losses[0]
    assert set(seen["verdicts"].values()) == {"match"}

    desktop.click_on(window, "train step")
    desktop.wait_for(window, lambda seen: seen["training"]["steps"] == steps + 1, "one step")
    desktop.click_on(window, "train keep")
    desktop.click_on(window, "train rewind")
    desktop.wait_for(window, lambda seen: "train rewind 1" in seen["places"], "what was kept")
    desktop.click_on(window, "train rewind 0")
    desktop.wait_for(window, lambda seen: seen["training"]["steps"] == 0, "the start")
    desktop.press("ctrl+shift+z")
    desktop.wait_for(window, lambda seen: seen["training"]["steps"] == steps + 1, "the state kept last")
    desktop.click_on(window, "train anew")
    desktop.wait_for(window, lambda seen: "leave save" in seen["places"], "it is asked about the weights")
    desktop.press("Escape")
    assert window.seen()["training"]["steps"] == steps + 1, "training is as it was"
    desktop.click_on(window, "train save")
    saved = sine.with_name("sine.trained.onnx")
    desktop.wait_until(saved.is_file, "the model is saved", window=window)
    desktop.click_on(window, "train anew")
    desktop.wait_for(
        window, lambda seen: not seen["training"]["kept"] and all_match(seen), "what is saved is not asked about"
    )
    assert "train plot" not in window.seen()["places"], "no curve stands beside a training that has not begun"
    before, after = (_weights(path) for path in (sine, saved))
    assert before.keys() == after.keys()
    assert all((before[name] != after[name]).any() for name in before)


def _weights(path: Path) -> dict[str, np.ndarray]:
    return {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
