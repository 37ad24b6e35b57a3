"""Range of com.microsoft: numbers from start up to and without limit, delta apart, 1 unless given."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Range"


def evaluate(invocation: Invocation) -> Outputs:
    """Start, limit, delta, each one number → [count]."""
    start, limit, delta = (None if x is None else x.reshape(()) for x in (invocation.input(i) for i in range(3)))
    assert start is not None
    assert limit is not None
    step = np.ones((), start.dtype) if delta is None else delta
    count = max(0, int(np.ceil((float(limit) - float(start)) / float(step))))
    return (start + step * np.arange(count, dtype=start.dtype),)
