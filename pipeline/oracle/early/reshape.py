"""Reshape before opset 5, which has the shape as an attribute; onnx.reference knows it as an input alone."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Reshape"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → the same elements; in `shape` 0 keeps a size and -1 is what is left."""
    if invocation.opset >= 5:
        return None
    x = invocation.required(0)
    shape = [x.shape[axis] if size == 0 else size for axis, size in enumerate(invocation.attribute("shape"))]
    return (x.reshape(shape),)
