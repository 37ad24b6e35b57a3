"""ImageScaler: y = scale · x + bias of the channel."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ImageScaler"


def write(node: Writer) -> None:
    """X [N, C, H, W]; without a bias it is 0."""
    bias = np.asarray(node.attribute("bias", (0.0,) * node.given(0).shape[1]), dtype=np.float32)
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("scale", 1.0), label="scale"), label="scaled")
    node.result(0, node.add("Add", scaled, node.constant(bias.reshape(1, -1, 1, 1), label="bias")))
