"""NhwcMaxPool: the largest code of each window; padding never wins."""

from __future__ import annotations

import dataclasses

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.pools import max_pool

OPERATOR = "NhwcMaxPool"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, spatial…, C] → [N, spatial…, C]."""
    x = invocation.required(0)
    real = np.moveaxis(x, -1, 1).astype(np.float64)
    found = max_pool.evaluate(dataclasses.replace(invocation, inputs=(real,), output_count=1))
    if found is None:
        raise ValueError("no pool of this shape")
    return (np.moveaxis(found[0], 1, -1).astype(x.dtype),)
