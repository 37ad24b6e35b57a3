"""QLinearReduceMean: means of a quantised tensor, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearReduceMean"


def write(node: Writer) -> None:
    """X with scale and zero point, then those of Y."""
    axes = node.whole(*node.required("axes"), label="axes")
    mean = node.add("ReduceMean", real(node, 0, 1, 2), axes, keepdims=int(node.attribute("keepdims", 1)), label="mean")
    node.result(0, codes(node, mean, 3, 4, node.given(0).dtype))
