"""A perceptron of 128 and 128 learns the sine in half a minute, and 2,000 steps hold no more memory than ten."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope.pipeline.training.layers import Linear, ReLU, Sequential
from texelscope.pipeline.training.optimisers import Adam
from texelscope.pipeline.training.trainer import Trainer

# Processor seconds of two cores that share the driver's work: counted so, a busy machine makes nothing late.
ROWS, SECONDS, ERROR = 128, 2 * 30.0, 1e-3
MOST_STEPS = 1000
MORE_BYTES = 4 << 20


def test_the_sine_is_learned_in_half_a_minute(gl: moderngl.Context) -> None:
    x = np.linspace(-np.pi, np.pi, ROWS, dtype=np.float32)[:, np.newaxis]
    begun = time.process_time()
    model = Sequential(Linear(1, 128), ReLU(), Linear(128, 128), ReLU(), Linear(128, 1)).model((ROWS, 1))
    with Trainer(model, "mse", Adam(1e-2), context=gl) as trainer:
        losses: list[float] = []
        while not losses or (losses[-1] >= ERROR and len(losses) < MOST_STEPS):
            losses.append(trainer.step(x, np.sin(x)))
        seconds = time.process_time() - begun
        assert np.mean((trainer.predict(x) - np.sin(x)) ** 2) < ERROR
    assert seconds < SECONDS, f"{len(losses)} steps took {seconds:.1f} s"


@pytest.mark.timeout(600)
def test_memory_is_flat_over_2000_steps() -> None:
    command = [sys.executable, "-m", "tests.gl.training.held_memory"]
    ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    early, late = json.loads(ran.stdout)
    assert late["tensors"] == early["tensors"]
    assert late["name"] - early["name"] <= 2
    assert late["process"] - early["process"] < MORE_BYTES
