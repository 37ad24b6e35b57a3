"""SimplifiedLayerNormalization: X by the root of its mean square over the axes from `axis` on."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_root

OPERATOR = "SimplifiedLayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """X and scale → X's shape, and the inverse root."""
    x, said = invocation.required(0), invocation.attributes
    axis, epsilon = int(said.get("axis", -1)), float(said.get("epsilon", 1e-5))
    y, inverse = by_root(x, invocation.required(1), axis=axis, epsilon=epsilon)
    return (y.astype(x.dtype), inverse.astype(np.float32))
