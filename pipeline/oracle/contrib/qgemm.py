"""QGemm: Y = alpha · a_scale · b_scale · ((A − a_zero)·(B − b_zero) + C), quantised if y_scale is there."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import offset
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "QGemm"


def evaluate(invocation: Invocation) -> Outputs:
    """A, scale, zero point, B, its scales and zero points, C int32, scale and zero point of Y → [M, N]."""
    said = invocation.attributes
    a, b = offset(invocation, 0, 2), invocation.required(3).astype(np.float64)
    columns = (b.T if said.get("transB", 0) else b) - invocation.required(5)
    total = (a.T if said.get("transA", 0) else a) @ columns
    if invocation.input(6) is not None:
        total = total + invocation.required(6)
    scales = invocation.required(1).reshape(()) * invocation.required(4).astype(np.float64)
    y = total * (float(said.get("alpha", 1.0)) * (scales if scales.size > 1 else scales.reshape(())))
    step, zero = invocation.input(7), invocation.input(8)
    return (y.astype(np.float32) if step is None else _codes(y / step.reshape(()), zero),)


def _codes(steps: Array, zero: Array | None) -> Array:
    point = np.zeros((), dtype=np.uint8) if zero is None else zero.reshape(())
    limits = np.iinfo(point.dtype)
    codes: Array = np.clip(np.rint(steps) + point.astype(np.float64), limits.min, limits.max)
    return codes.astype(point.dtype)
