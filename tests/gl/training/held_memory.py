"""Trains, and prints as JSON what the process holds after 10 and after 2,000 steps.

Run with `python -m tests.gl.training.held_memory`. Other tests in the process would leave garbage that comes and goes.
"""

from __future__ import annotations

import gc
import json
import sys
from dataclasses import asdict

import numpy as np
import psutil

from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.training.layers import Linear, ReLU, Sequential
from texelscope.pipeline.training.optimisers import Adam
from texelscope.pipeline.training.trainer import Trainer

MEASURED = (10, 2000)


def main() -> None:
    """Prints for each measured step the bytes of the process, those of tensors, and the next name that GL gives."""
    x = np.linspace(-np.pi, np.pi, 16, dtype=np.float32)[:, np.newaxis]
    model = Sequential(Linear(1, 16), ReLU(), Linear(16, 16), ReLU(), Linear(16, 1)).model((16, 1))
    seen = []
    gl = headless_context()
    with Trainer(model, "mse", Adam(1e-3), context=gl) as trainer:
        for step in range(max(MEASURED) + 1):
            trainer.step(x, np.sin(x))
            if step in MEASURED:
                gc.collect()
                probe = gl.texture((1, 1), 1)  # drivers give names of objects in order
                held = asdict(trainer.session.held())
                seen.append({"process": psutil.Process().memory_info().rss, "tensors": held, "name": probe.glo})
                probe.release()
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main()
