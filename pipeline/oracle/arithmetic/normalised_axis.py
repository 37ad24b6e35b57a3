"""Which elements Softmax and its kin normalise together; the rule changed with opset 13."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation


def one_axis(invocation: Invocation) -> tuple[Array, int]:
    """The input, arranged so that the operator works along one axis, and that axis.

    From opset 13 on it is `axis` itself. Before, the input is seen as a matrix whose rows are all axes
    before `axis` and whose columns are the others; the operator works along the columns. onnx.reference
    knows the new rule alone. Results must be reshaped to the input's shape.
    """
    x = invocation.required(0)
    axis = invocation.attribute("axis")
    if invocation.opset >= 13:
        return x, axis
    if axis < 0:
        axis += x.ndim
    rows = 1
    for count in x.shape[:axis]:
        rows *= count
    return x.reshape(rows, x.size // rows if rows else 0), 1
