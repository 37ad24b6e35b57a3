"""Frames: y[b, f, i, p] = x[b, f · step + i, p], windows of `length` elements of each signal, `step` apart."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Frames"


def evaluate(invocation: Invocation) -> Outputs:
    """X [batch, elements, parts] → [batch, frames, length, parts]."""
    x, step, length = invocation.required(0), invocation.attribute("step"), invocation.attribute("length")
    windows = np.lib.stride_tricks.sliding_window_view(x, length, axis=1)[:, ::step]
    return (np.ascontiguousarray(np.moveaxis(windows, -1, 2)),)
