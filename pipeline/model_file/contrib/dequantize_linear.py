"""DequantizeLinear of com.microsoft: that of ONNX, of one scale for all unless an axis is named."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "DequantizeLinear"


def write(node: Writer) -> None:
    """Codes, their scale and zero point."""
    if node.given(1).shape in ((), (1,)):
        node.result(0, real(node, 0, 1, 2))
        return
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    node.result(0, node.add("DequantizeLinear", *inputs, axis=int(node.attribute("axis", 1))))
