"""GlobalMaxPool: the largest element of each channel.

onnx.reference reduces the wrong axes unless there are exactly two spatial ones.
"""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GlobalMaxPool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, 1…]."""
    x = invocation.required(0)
    return (x.max(axis=tuple(range(2, x.ndim)), keepdims=True),) if x.size else None
