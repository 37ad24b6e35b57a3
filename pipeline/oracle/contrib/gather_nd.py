"""GatherND of com.microsoft: the elements or slices of X at tuples of indices."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GatherND"


def evaluate(invocation: Invocation) -> Outputs:
    """X and indices […, k] → […, the axes of X from k on]."""
    return (invocation.required(0)[tuple(np.moveaxis(invocation.required(1), -1, 0))],)
