"""ThresholdedRelu before opset 10: what it has been since."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ThresholdedRelu"


def write(node: Writer) -> None:
    """X of any shape."""
    node.result(0, node.add("ThresholdedRelu", node.x(0), alpha=float(node.attribute("alpha", 1.0))))
