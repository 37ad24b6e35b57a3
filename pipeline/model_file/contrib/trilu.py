"""Trilu of com.microsoft: that of ONNX."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Trilu"


def write(node: Writer) -> None:
    """X […, rows, columns], k or none."""
    inputs = [node.x(position) for position in range(2) if node.has(position)]
    node.result(0, node.add("Trilu", *inputs, upper=int(node.attribute("upper", 1))))
