"""ScatterElements: onnx.reference walks the updates one by one in Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "ScatterElements"

_FOLDS = {"add": np.add, "mul": np.multiply}


def evaluate(invocation: Invocation) -> Outputs | None:
    """X, indices, updates → X with the updates put, added or multiplied along `axis`; of several put the last stays."""
    x, indices, updates = (invocation.required(position) for position in range(3))
    reduction = str(invocation.attribute("reduction") or "none")
    if reduction not in ("none", *_FOLDS):
        return None
    axis = int(invocation.attribute("axis")) % x.ndim
    places: list[NDArray[np.int64]] = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices
    result = x.copy()
    if reduction == "none":
        result[tuple(places)] = updates
    else:
        _FOLDS[reduction].at(result, tuple(places), updates)
    return (result,)
