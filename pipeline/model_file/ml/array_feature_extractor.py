"""ArrayFeatureExtractor: y[…, j] = x[…, index[j]]."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ArrayFeatureExtractor"


def write(node: Writer) -> None:
    """X of any shape, indices of any shape. Of a list ONNX makes a matrix of one row."""
    index = node.reshape(node.x(1), -1, label="index")
    if node.given(0).rank == 1:
        node.result(0, node.add("Gather", node.reshape(node.x(0), 1, -1, label="row"), index, axis=-1))
    else:
        node.result(0, node.add("Gather", node.x(0), index, axis=-1))
