"""Fine-tune the last layer of classifier.onnx, which knows filled shapes, on outlines; the rest stays as it is.

Run it from the repository root:

    .venv/bin/python -m examples.finetune.finetune finetuned.onnx
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from examples.finetune.shapes import pictures
from texelscope.pipeline.training.findings.registry import findings
from texelscope.pipeline.training.optimisers import AdamW
from texelscope.pipeline.training.trainer import Trainer, TrainerOptions

MODEL = Path(__file__).with_name("classifier.onnx")
LAST = "5.*"
ROWS, STEPS, LOOKED_AT = 48, 60, 10


def right(trainer: Trainer, seed: int) -> float:
    """The share of outlines, of a seed that is not trained on, that the network tells right."""
    images, classes = pictures(ROWS, seed, outlined=True)
    return float(np.mean(np.argmax(trainer.predict(images), axis=1) == classes))


def main(to: str) -> None:
    """Train, say how it went and what was seen, and write the model."""
    options = TrainerOptions(weights=[LAST])
    with Trainer(MODEL, "cross_entropy", AdamW(2e-2), options) as trainer:
        print(f"right before: {right(trainer, 10_000):.0%}")
        seen = []
        for step in range(STEPS):
            loss = trainer.step(*pictures(ROWS, step, outlined=True))
            if step % LOOKED_AT == 0:
                print(f"step {step:4}  loss {loss:.4f}")
                seen.append(trainer.look())
        for finding in findings(seen):
            print(finding)
        print(f"right after: {right(trainer, 10_000):.0%}")
        trainer.save(to)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "finetuned.onnx")
