"""A perceptron of 128 and 128 learns the sine in half a minute, and 2,000 steps hold no more memory than ten."""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import moderngl
import numpy as np
import psutil
import pytest

from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.session_lowerings import HeldBytes
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
    # A process of its own: what other tests left behind comes and goes in this one.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
        early, late = alone.submit(_held_after, (10, 2000)).result()
    assert late.tensors == early.tensors
    assert late.names - early.names <= 2
    assert late.process - early.process < MORE_BYTES


@dataclass(frozen=True)
class _Held:
    """What a process holds: its bytes and those of its tensors, and the number that GL gives its next object."""

    process: int
    tensors: HeldBytes
    names: int


def _held_after(steps: Sequence[int]) -> list[_Held]:
    """Trains, and measures after so many steps each time."""
    x = np.linspace(-np.pi, np.pi, 16, dtype=np.float32)[:, np.newaxis]
    model = Sequential(Linear(1, 16), ReLU(), Linear(16, 16), ReLU(), Linear(16, 1)).model((16, 1))
    seen = []
    gl = headless_context()
    with Trainer(model, "mse", Adam(1e-3), context=gl) as trainer:
        for step in range(max(steps) + 1):
            trainer.step(x, np.sin(x))
            if step in steps:
                gc.collect()
                probe = gl.texture((1, 1), 1)  # drivers give names of objects in order
                seen.append(_Held(psutil.Process().memory_info().rss, trainer.session.held(), probe.glo))
                probe.release()
    return seen
