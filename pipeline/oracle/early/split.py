"""Split in opset 1, where sizes are an attribute or an input, and equal without both."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Split"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → its parts along `axis`, the first one without it."""
    if invocation.opset >= 2:
        return None
    x, sizes = invocation.required(0), invocation.input(1)
    given = invocation.attribute("split") if sizes is None else sizes
    ends: int | list[int] = invocation.output_count if given is None else np.cumsum(given)[:-1].tolist()
    return tuple(np.split(x, ends, axis=invocation.attribute("axis") or 0))
