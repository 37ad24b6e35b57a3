"""GatherElements: onnx.reference takes no axis counted from the end."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GatherElements"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X, indices → along `axis` what the index says; on other axes the same place."""
    x, indices = invocation.required(0), invocation.required(1)
    axis = int(invocation.attribute("axis")) % x.ndim
    same = tuple(slice(None) if i == axis else slice(size) for i, size in enumerate(indices.shape))
    return (np.take_along_axis(x[same], np.where(indices < 0, indices + x.shape[axis], indices), axis),)
