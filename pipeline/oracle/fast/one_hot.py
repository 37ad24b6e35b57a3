"""OneHot: its depth may be one number in a list, which onnx.reference refuses."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "OneHot"


def evaluate(invocation: Invocation) -> Outputs | None:
    """Indices, depth, (off, on) → on where the place along a new axis is the index, off elsewhere."""
    indices, depth, values = (invocation.required(i) for i in range(3))
    count, axis = int(depth.item()), int(invocation.attribute("axis"))
    whole = np.trunc(indices.astype(np.float64))
    places = np.expand_dims(np.where(whole < 0, whole + count, whole), axis % (indices.ndim + 1))
    along = np.arange(count).reshape([-1 if i == axis % places.ndim else 1 for i in range(places.ndim)])
    return (np.where(places == along, values[1], values[0]),)
