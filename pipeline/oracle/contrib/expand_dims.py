"""ExpandDims: "specified axis to insert a dimension", a negative one counted from behind the last."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "ExpandDims"


def evaluate(invocation: Invocation) -> Outputs:
    """X and the axis → X with an axis of size 1."""
    return (np.expand_dims(invocation.required(0), int(invocation.required(1).reshape(()))),)
