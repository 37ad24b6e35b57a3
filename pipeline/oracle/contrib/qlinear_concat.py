"""QLinearConcat: tensors with scales of their own, side by side along `axis`, in the scale of Y."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearConcat"


def evaluate(invocation: Invocation) -> Outputs:
    """Scale and zero point of Y, then a tensor, its scale and its zero point, as often as there are tensors."""
    starts = range(2, len(invocation.inputs), 3)
    joined = np.concatenate([real(invocation, i, i + 1, i + 2) for i in starts], axis=invocation.attribute("axis"))
    return (quantised(invocation, joined, 0, 1, invocation.required(2)),)
