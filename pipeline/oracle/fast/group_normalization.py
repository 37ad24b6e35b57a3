"""GroupNormalization: groups of channels by their own mean and variance, then scale and bias.

The definition's function casts to `stash_type` on the way, by which onnx.reference rounds doubles to float32.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "GroupNormalization"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → the same shape; scale and bias are [C] since opset 21, before [number of groups]."""
    x, scale, bias = (invocation.required(i) for i in range(3))
    groups = int(invocation.attribute("num_groups"))
    if not invocation.is_real or scale.size != (groups if invocation.opset < 21 else x.shape[1]):
        return None
    view = x.reshape(x.shape[0], groups, x.shape[1] // groups, -1)

    def aligned(parameter: Array) -> Array:
        return parameter.reshape(1, groups, -1, 1)

    centred = view - view.mean(axis=(2, 3), keepdims=True, dtype=np.float64)
    deviation = np.sqrt(np.square(centred).mean(axis=(2, 3), keepdims=True) + float(invocation.attribute("epsilon")))
    return ((centred / deviation * aligned(scale) + aligned(bias)).astype(x.dtype).reshape(x.shape),)
