"""`train`: a model learns from arrays in a folder and is written; what does not fit is one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.gl.commands.running import Run
from tests.small_networks import perceptron

X = np.linspace(-2, 2, 20, dtype=np.float32)[:, np.newaxis]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx.save(perceptron((1, 6, 1), 8), tmp_path / "net.onnx")
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "target.npy", np.sin(X))
    return tmp_path


def test_a_model_is_trained_and_written(folder: Path, run: Run) -> None:
    words = ("train", folder / "net.onnx", "--data", folder, "--to", folder / "out.onnx", "--steps", 12, "--rate", 0.02)
    assert run(*words, "--weights", "1.*") == 0
    assert run.out.startswith("out.onnx: 12 steps took the loss from ")
    assert run.err.count("step ") == 12
    before, after = ({each.name: each for each in onnx.load(folder / name).graph.initializer}
                     for name in ("net.onnx", "out.onnx"))  # fmt: skip
    assert {name for name in before if before[name] != after[name]} == {"1.weight", "1.bias"}


def test_data_that_do_not_fit_are_one_line(folder: Path, run: Run) -> None:
    words = ("train", folder / "net.onnx", "--data", folder, "--to", folder / "out.onnx", "--steps", 1)
    np.save(folder / "target.npy", np.sin(X[:7]))
    assert "target.npy: expected 20 rows, as x.npy has, got 7. Write one for each." in run.refusal(*words)
    np.save(folder / "target.npy", np.zeros((20, 2), np.float32))
    assert "target.npy: expected rows of shape [1], got shape [20, 2]. Write it anew." in run.refusal(*words)
    (folder / "target.npy").unlink()
    assert "target.npy: expected" in run.refusal(*words)
    assert not (folder / "out.onnx").exists()
