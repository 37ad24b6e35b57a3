"""Concat before opset 4, where the axis is 1 unless said otherwise."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Concat"


def evaluate(invocation: Invocation) -> Outputs | None:
    """Tensors → all of them along `axis`."""
    if invocation.opset >= 4:
        return None
    axis = invocation.attribute("axis")
    return (np.concatenate([x for x in invocation.inputs if x is not None], axis=1 if axis is None else axis),)
