"""Evaluates Softmax and its kin along the elements that they normalise together: X → the same shape.

That is along one axis, or below opset 13 along the flattened last ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Evaluate, Invocation, Outputs


def softmax(invocation: Invocation) -> Outputs | None:
    """Evaluates Softmax: exp(x - max x) / Σ exp(x - max x)."""
    x, axis = one_axis(invocation)
    if not invocation.is_real or not x.size:
        return None
    y = np.exp(x - x.max(axis=axis, keepdims=True))
    y /= y.sum(axis=axis, keepdims=True)
    return (y.reshape(invocation.required(0).shape),)


def log_softmax(invocation: Invocation) -> Outputs | None:
    """Evaluates LogSoftmax: (x - max x) - log Σ exp(x - max x).

    onnx.reference takes the logarithm of Softmax, which is -inf where the exponential underflows.
    """
    x, axis = one_axis(invocation)
    if not invocation.is_real or not x.size:
        return None
    y = x - x.max(axis=axis, keepdims=True)
    y = y - np.log(np.exp(y).sum(axis=axis, keepdims=True))
    return (y.reshape(invocation.required(0).shape),)


def hardmax(invocation: Invocation) -> Outputs | None:
    """Evaluates Hardmax: one for the first largest element, zero for the others."""
    x, axis = one_axis(invocation)
    if not x.size:
        return None
    y = np.zeros_like(x)
    np.put_along_axis(y, np.expand_dims(x.argmax(axis=axis), axis), 1, axis)
    return (y.reshape(invocation.required(0).shape),)


def one_axis(invocation: Invocation) -> tuple[Array, int]:
    """Arranges the input so that the operator works along one axis; returns it with that axis.

    From opset 13 on it is `axis` itself. Before, the input is seen as a matrix whose rows are all axes
    before `axis` and whose columns are the others; the operator works along the columns. onnx.reference
    implements the new rule alone. Results must be reshaped to the input's shape.
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


OPERATORS: Mapping[str, Evaluate] = {
    "Softmax": softmax,
    "LogSoftmax": log_softmax,
    "Hardmax": hardmax,
}
