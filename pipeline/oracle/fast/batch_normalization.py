"""BatchNormalization at inference: Y = (X - mean) · scale / √(var + epsilon) + B, per channel.

Before opset 14 a node is in inference mode when it has one output (opset 7 on) or when `is_test` is set (before);
onnx.reference takes its training path for all of those. Training is left to it.
"""

from __future__ import annotations

import numpy as np

from pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "BatchNormalization"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…], scale, B, mean, var [C] ([C, spatial…] if `spatial` is 0) → X's shape."""
    if not invocation.is_real or not _is_inference(invocation):
        return None
    x, scale, bias, mean, variance = (invocation.required(i) for i in range(5))
    per_element = invocation.opset < 9 and invocation.attribute("spatial") == 0

    def per_channel(parameter: Array) -> Array:
        return parameter[None] if per_element else parameter.reshape(1, -1, *(1,) * (x.ndim - 2))

    epsilon = variance.dtype.type(invocation.attribute("epsilon"))
    y = np.asarray(x - per_channel(mean))
    y *= per_channel(scale / np.sqrt(variance + epsilon))
    y += per_channel(bias)
    return (y.astype(x.dtype, copy=False),)


def _is_inference(invocation: Invocation) -> bool:
    if invocation.opset >= 14:
        return not invocation.attribute("training_mode")
    if invocation.opset >= 7:
        return invocation.output_count == 1
    return bool(invocation.attribute("is_test"))
