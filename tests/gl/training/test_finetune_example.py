"""The example's last layer learns outlines from a network that knows filled shapes."""

from __future__ import annotations

import moderngl
import numpy as np

from examples.finetune.finetune import LAST, MODEL, ROWS
from examples.finetune.shapes import pictures
from texelscope.pipeline.training.optimisers import AdamW
from texelscope.pipeline.training.trainer import Trainer, TrainerOptions


def test_the_last_layer_learns_outlines(gl: moderngl.Context) -> None:
    images, classes = pictures(ROWS, 10_000, outlined=True)
    with Trainer(MODEL, "cross_entropy", AdamW(2e-2), TrainerOptions(weights=[LAST]), gl) as trainer:
        before = np.mean(np.argmax(trainer.predict(images), axis=1) == classes)
        for step in range(20):
            trainer.step(*pictures(ROWS, step, outlined=True))
        after = np.mean(np.argmax(trainer.predict(images), axis=1) == classes)
    assert before < 0.85
    assert after > 0.9
