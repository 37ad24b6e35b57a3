"""LayerNormalization in ONNX's domain before ONNX had it: as it is since opset 17."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_layer
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "LayerNormalization"


def write(node: Writer) -> None:
    """X, scale, and a bias or none."""
    by_layer(node, node.x(0), 1, 2, epsilon=float(node.attribute("epsilon", 1e-5)))
