"""The shape of what is filled: an attribute, the shape of the input, or the input itself; and what is appended."""

from __future__ import annotations

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.writer import Writer


def filled_shape(node: Writer) -> Shape:
    """The shape of the node's output. Raises UnsupportedError where it depends on the run."""
    if not node.has(0):
        return tuple(int(size) for size in node.required("shape"))
    given = node.value(0, "a shape") if node.attribute("input_as_shape", 0) else node.given(0).shape
    return (*(int(size) for size in given), *(int(size) for size in node.attribute("extra_shape", ())))
