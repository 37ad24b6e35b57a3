"""Make classifier.onnx: a small network that learns to tell filled discs, squares and crosses.

Run it from the repository root, it takes a minute or two:

    .venv/bin/python -m examples.finetune.make_model
"""

from __future__ import annotations

from pathlib import Path

from examples.finetune.shapes import NAMES, SIDE, pictures
from texelscope.pipeline.training.layers import Conv2d, Flatten, Linear, ReLU, Sequential
from texelscope.pipeline.training.optimisers import Adam
from texelscope.pipeline.training.trainer import Trainer

ROWS, STEPS = 48, 150


def main() -> None:
    """Train it from its first values, always the same, and write it."""
    layers = Sequential(
        Conv2d(1, 8, 3, stride=2, padding=1),
        ReLU(),
        Conv2d(8, 8, 3, stride=2, padding=1),
        ReLU(),
        Flatten(),
        Linear(8 * (SIDE // 4) ** 2, len(NAMES)),
    )
    with Trainer(layers.model((ROWS, 1, SIDE, SIDE), seed=1), "cross_entropy", Adam(1e-2)) as trainer:
        for step in range(STEPS):
            loss = trainer.step(*pictures(ROWS, step))
            if step % 25 == 0:
                print(f"step {step:4}  loss {loss:.4f}")
        trainer.save(Path(__file__).with_name("classifier.onnx"))


if __name__ == "__main__":
    main()
