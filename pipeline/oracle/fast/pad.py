"""Pad: onnx.reference cannot take elements away, which negative pads do."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.padding import padded

OPERATOR = "Pad"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X, pads of `axes` (of all axes, if they are not given), value."""
    if invocation.opset < 11 or (np.ravel(invocation.required(1)) >= 0).all():
        return None
    x, value, axes = invocation.required(0), invocation.input(2), invocation.input(3)
    begin, end = np.zeros((2, x.ndim), dtype=np.int64)
    places = slice(None) if axes is None else np.ravel(axes)
    begin[places], end[places] = invocation.required(1).reshape(2, -1)
    filler = 0 if value is None else value.reshape(())[()]
    return (padded(x, begin.tolist(), end.tolist(), invocation.attribute("mode"), filler),)
