"""SkipLayerNormalization: a sum with what was skipped, by its own mean and deviation along the last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_layer, with_skip
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "SkipLayerNormalization"


def write(node: Writer) -> None:
    """X, skip, gamma, beta or none, bias or none; the sum is the fourth output."""
    total = with_skip(node, 4)
    by_layer(node, total, 2, 3, epsilon=float(node.attribute("epsilon", 1e-12)))
    node.result(3, total)
