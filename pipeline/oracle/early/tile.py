"""Tile before opset 6: a number of repeats along one axis."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Tile"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X, a count, an axis → X repeated along that axis."""
    if invocation.opset >= 6:
        return None
    x = invocation.required(0)
    repeats = [1] * x.ndim
    repeats[int(invocation.required(2).item())] = int(invocation.required(1).item())
    return (np.tile(x, repeats),)
