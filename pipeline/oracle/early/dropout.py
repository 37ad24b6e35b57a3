"""Dropout below opset 7, which onnx.reference lacks: at inference it passes its input on."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Dropout"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → X and, if asked for, a mask of ones. `is_test` is taken as set: nothing here trains."""
    if invocation.opset >= 7:
        return None
    x = invocation.required(0)
    return (x, np.ones_like(x))[: invocation.output_count]
