"""GridSample of com.microsoft: X read at places in −1 … 1, by default bilinear and zero outside."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.fast import grid_sample

OPERATOR = "GridSample"
_DEFAULTS = {"mode": "bilinear", "padding_mode": "zeros", "align_corners": 0}


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, H, W], grid [N, rows, columns, 2] → [N, C, rows, columns]."""
    return grid_sample.evaluate(dataclasses.replace(invocation, attributes={**_DEFAULTS, **invocation.attributes}))
