"""GatherND of com.microsoft: that of ONNX."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "GatherND"
_INT64 = 7  # TensorProto.INT64


def write(node: Writer) -> None:
    """X and indices, int32 or int64."""
    indices = node.x(1) if node.given(1).dtype == "int64" else node.add("Cast", node.x(1), to=_INT64, label="indices")
    node.result(0, node.add("GatherND", node.x(0), indices))
