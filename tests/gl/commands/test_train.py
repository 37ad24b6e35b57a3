"""`train --steps` prints the loss of each step and writes a model that has learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

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
