"""QLinearSoftmax: the softmax of a quantised tensor, quantised; along one axis, or from one axis on before opset 13."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearSoftmax"


def write(node: Writer) -> None:
    """X with scale and zero point, then those of Y."""
    x, axis, given = real(node, 0, 1, 2), int(node.attribute("axis", -1)), node.given(0)
    if int(node.required("opset")) < 13:
        flat = node.add("Flatten", x, axis=axis)
        y = node.reshape(node.add("Softmax", flat, axis=-1), *given.shape)
    else:
        y = node.add("Softmax", x, axis=axis)
    node.result(0, codes(node, y, 3, 4, given.dtype))
