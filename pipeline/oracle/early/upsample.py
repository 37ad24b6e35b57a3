"""Upsample (opsets 1 to 9): nearest or linear enlargement by a factor an axis.

onnx.reference knows nearest with whole factors given as an input, no more.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.fast.resize import asymmetric, resampled

OPERATOR = "Upsample"
# What opset 1 calls it.
_MODES = {"bilinear": "linear"}


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → X enlarged; `scales` is an attribute in opset 7, the second input from 9 on, of two axes before."""
    x = invocation.required(0)
    scales = invocation.input(1)
    factors = invocation.attribute("scales") if scales is None else scales.tolist()
    if invocation.opset < 7:
        factors = (1.0, 1.0, invocation.attribute("height_scale"), invocation.attribute("width_scale"))
    if x.dtype not in (np.float32, np.float64) or not x.size or factors is None:
        return None
    mode = str(invocation.attribute("mode") or "nearest")
    return resampled(x, asymmetric(x, factors, _MODES.get(mode, mode)), 0.0)
