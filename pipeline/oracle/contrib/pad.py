"""Pad of com.microsoft: elements added, or with negative pads taken away, at the ends of each axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Pad"


def evaluate(invocation: Invocation) -> Outputs:
    """X, pads [2 · rank] or [1, 2 · rank], value or None → X with other sizes."""
    x, value = invocation.required(0), invocation.input(2)
    begin, end = invocation.required(1).reshape(2, -1)
    kept = tuple(slice(max(0, -low), size + min(0, high)) for low, high, size in zip(begin, end, x.shape, strict=True))
    mode: Any = invocation.attributes.get("mode", "constant")
    said = {"constant_values": 0 if value is None else value.reshape(())[()]} if mode == "constant" else {}
    widths = [(max(0, low), max(0, high)) for low, high in zip(begin, end, strict=True)]
    return (np.pad(x[kept], widths, mode=mode, **said),)
