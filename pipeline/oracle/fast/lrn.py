"""LRN: Y = X / (bias + alpha / size · S)^beta, S the sum of X² over `size` neighbouring channels.

Channel c sums channels max(0, c - ⌊(size - 1) / 2⌋) to min(C - 1, c + ⌈(size - 1) / 2⌉). onnx.reference
does so for the first N channels only (N the batch) and takes S = 0 for the others; this follows the specification.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.window_axes import WindowAxis

OPERATOR = "LRN"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → the same shape."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    size = invocation.attribute("size")
    channels = x.shape[1]
    begin = (size - 1) // 2
    window = WindowAxis(channels, channels, kernel=size, begin=begin)
    squares = x * x
    sums = np.zeros_like(squares)
    for tap in range(max(begin - channels + 1, 0), min(begin + channels, size)):  # others read no channel
        written, read = window.reads(tap)
        sums[:, written] += squares[:, read]
    sums *= x.dtype.type(invocation.attribute("alpha") / size)
    sums += x.dtype.type(invocation.attribute("bias"))
    np.power(sums, x.dtype.type(invocation.attribute("beta")), out=sums)
    return (np.divide(x, sums, out=sums),)
