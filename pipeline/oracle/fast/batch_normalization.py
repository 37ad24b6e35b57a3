"""BatchNormalization: Y = (X - mean) · scale / √(var + epsilon) + B, per channel.

Before opset 14 a node is in inference mode when it has one output (opset 7 on) or when `is_test` is set (before);
onnx.reference takes its training path for all of those. In training the mean and variance are those of the batch;
before opset 14 onnx.reference mixes the running ones in, and gives one output.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "BatchNormalization"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…], scale, B, mean, var [C] ([C, spatial…] if `spatial` is 0) → Y of X's shape.

    In training also the running mean and variance, and before opset 14 those of the batch.
    """
    if not invocation.is_real:
        return None
    x, mean, variance = (invocation.required(i) for i in (0, 3, 4))
    per_element = invocation.opset < 9 and invocation.attribute("spatial") == 0
    if _is_inference(invocation):
        return (_normalised(invocation, (mean, variance), per_element=per_element),)
    if per_element:
        return None
    axes = tuple(axis for axis in range(x.ndim) if axis != 1)
    batch = x.mean(axis=axes, dtype=np.float64), x.var(axis=axes, dtype=np.float64)
    momentum = float(invocation.attribute("momentum"))
    running = (old * momentum + new * (1.0 - momentum) for old, new in zip((mean, variance), batch, strict=True))
    y = _normalised(invocation, batch, per_element=False)
    return (y, *(each.astype(x.dtype) for each in (*running, *batch)))[: invocation.output_count]


def _normalised(invocation: Invocation, statistics: tuple[Array, Array], *, per_element: bool) -> Array:
    x, scale, bias = (invocation.required(i) for i in range(3))
    mean, variance = (each.astype(x.dtype, copy=False) for each in statistics)

    def per_channel(parameter: Array) -> Array:
        return parameter[None] if per_element else parameter.reshape(1, -1, *(1,) * (x.ndim - 2))

    epsilon = variance.dtype.type(invocation.attribute("epsilon"))
    y = np.asarray(x - per_channel(mean))
    y *= per_channel(scale / np.sqrt(variance + epsilon))
    y += per_channel(bias)
    return y.astype(x.dtype, copy=False)


def _is_inference(invocation: Invocation) -> bool:
    if invocation.opset >= 14:
        return not invocation.attribute("training_mode")
    if invocation.opset >= 7:
        return invocation.output_count == 1
    return bool(invocation.attribute("is_test"))
