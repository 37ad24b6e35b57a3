"""Range of com.microsoft: that of ONNX, whose step may be left out and whose numbers may have an axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import per_tensor
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Range"


def write(node: Writer) -> None:
    """Start, limit, and step, which is 1 unless given."""
    step = per_tensor(node, 2) if node.has(2) else node.constant(1, node.given(0).dtype, "step")
    node.result(0, node.add("Range", per_tensor(node, 0), per_tensor(node, 1), step))
