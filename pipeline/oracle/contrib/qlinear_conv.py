"""QLinearConv of com.microsoft: a convolution of quantised tensors, with `channels_last` of [N, spatial…, C]."""

from __future__ import annotations

import dataclasses

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import offset, quantised
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.fast import conv

OPERATOR = "QLinearConv"


def evaluate(invocation: Invocation) -> Outputs:
    """x, scale, zero point, w [O, C/group, kernel…], its scales and zero points, those of y, bias int32 [O] or None."""
    turned = bool(invocation.attribute("channels_last"))
    x, w = offset(invocation, 0, 2), invocation.required(3) - _by_output(invocation, 5)
    x, bias = np.moveaxis(x, -1, 1) if turned else x, invocation.input(8)
    inputs = (x, w, None if bias is None else bias.astype(np.float64))
    found = conv.evaluate(dataclasses.replace(invocation, inputs=inputs))
    if found is None:
        raise ValueError("no convolution of these shapes")
    scales = invocation.required(1).reshape(()) * invocation.required(4).astype(np.float64)
    y = found[0] * (scales if scales.size == 1 else scales.reshape(-1, *(1,) * (x.ndim - 2)))
    y = np.moveaxis(y, 1, -1) if turned else y
    return (quantised(invocation, y, 6, 7, invocation.required(7)),)


def _by_output(invocation: Invocation, position: int) -> Array:
    """A zero point of the weights, in a shape that meets them, float64."""
    zero = invocation.required(position).astype(np.float64)
    return zero.reshape(-1, *(1,) * (invocation.required(3).ndim - 1)) if zero.size > 1 else zero.reshape(())
