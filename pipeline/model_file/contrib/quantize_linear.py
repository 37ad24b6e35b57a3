"""QuantizeLinear of com.microsoft: that of ONNX, of one scale for all unless an axis is named."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QuantizeLinear"


def write(node: Writer) -> None:
    """X, its scale, and a zero point whose type is that of the result."""
    if node.given(1).shape in ((), (1,)):
        node.result(0, codes(node, node.x(0), 1, 2, "uint8"))
        return
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    node.result(0, node.add("QuantizeLinear", *inputs, axis=int(node.attribute("axis", 1))))
