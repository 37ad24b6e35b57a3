"""`train --steps` prints the loss of each step and writes a model that has learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from tests.gl.commands.running import Run
from tests.small_networks import perceptron, weights_of

pytestmark = pytest.mark.usefixtures("gl")


@pytest.fixture
def sine(tmp_path: Path) -> Path:
    """A model, and beside it `pairs` of points and their sines."""
    onnx.save(perceptron([1, 8, 1], rows=16), tmp_path / "sine.onnx")
    (tmp_path / "pairs").mkdir()
    points = np.linspace(-3.0, 3.0, 16, dtype=np.float32)[:, None]
    np.save(tmp_path / "pairs" / "all.npy", points)
    np.save(tmp_path / "pairs" / "all.target.npy", np.sin(points))
    return tmp_path / "sine.onnx"


def test_the_last_layer_learns_what_the_pairs_say(run: Run, sine: Path) -> None:
    to = sine.with_name("trained.onnx")
    assert run("train", sine, "--data", sine.parent / "pairs", "--rate", "0.05", "--steps", 30, "--to", to) == 0
    losses = [float(line.split()[-1]) for line in run.out.splitlines() if line.startswith("step")]
    assert len(losses) == 30
    assert losses[-1] < 0.5 * losses[0]
    before, after = (weights_of(onnx.load(path)) for path in (sine, to))
    assert {name for name in before if (before[name] != after[name]).any()} == {"1.weight", "1.bias"}


def test_what_cannot_be_is_one_line(run: Run, sine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "expected --steps with it, got a window" in run.refusal("train", sine, "--to", "out.onnx")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert "expected a display, or --steps, got neither" in run.refusal("train", sine)
    table = sine.with_name("pipeline.toml")
    table.write_text("", encoding="utf-8")
    assert "expected a model (.onnx), got another file" in run.refusal("train", table, "--steps", 1)


def test_rows_are_taken_in_order_and_findings_told(run: Run, sine: Path) -> None:
    folder = sine.parent
    model = perceptron([1, 8, 1], rows=16)
    bias = next(each for each in model.graph.initializer if each.name == "0.bias")
    bias.CopyFrom(numpy_helper.from_array(np.full(8, -50.0, np.float32), "0.bias"))
    onnx.save(model, sine)
    points = np.linspace(-3.0, 3.0, 20, dtype=np.float32)[:, None]
    np.save(folder / "x.npy", points)
    np.save(folder / "target.npy", np.sin(points))
    words = ("train", sine, "--data", folder, "--weights", "0", "--weights", "1", "--steps", 10)
    assert run(*words) == 0
    assert run.out.splitlines()[11].startswith("10 steps took the loss from ")
    assert "dead ReLU: 'a0' is zero in 8 of 8 channels" in run.out
    np.save(folder / "target.npy", np.sin(points[:7]))
    assert "target.npy: expected 20 rows, as x.npy has, got 7. Write one for each." in run.refusal(*words)
    np.save(folder / "target.npy", np.zeros((20, 2), np.float32))
    assert "target.npy: expected rows of shape [1], got shape [20, 2]. Write it again." in run.refusal(*words)
