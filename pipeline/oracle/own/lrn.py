"""LRN in general: y = x / (bias + scale · S)^exponent, S the sum of x² over a window of channels or of the picture.

A window has `window` elements an axis, `before` of them before the element itself; outside are zeros or, with
`repeat_edge`, the nearest elements.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "LRN"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, C, spatial…] → the same shape."""
    x = invocation.required(0)
    window, before = invocation.attribute("window"), invocation.attribute("before")
    sums = np.square(x, dtype=np.float64)
    for axis in (2, 3) if invocation.attribute("spatial") else (1,):
        margins = [(before, window - before - 1) if each == axis else (0, 0) for each in range(x.ndim)]
        padded = np.pad(sums, margins, mode="edge" if invocation.attribute("repeat_edge") else "constant")
        sums = np.lib.stride_tricks.sliding_window_view(padded, window, axis=axis).sum(axis=-1)
    base = invocation.attribute("bias") + invocation.attribute("scale") * sums
    return ((x / base ** invocation.attribute("exponent")).astype(x.dtype),)
