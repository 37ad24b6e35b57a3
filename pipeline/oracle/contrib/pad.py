"""Pad of com.microsoft: elements added, or with negative pads taken away, at the ends of each axis."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.padding import padded

OPERATOR = "Pad"


def evaluate(invocation: Invocation) -> Outputs:
    """X, pads [2 · rank] or [1, 2 · rank], value or None → X with other sizes."""
    x, value = invocation.required(0), invocation.input(2)
    begin, end = invocation.required(1).reshape(2, -1).tolist()
    filler = 0 if value is None else value.reshape(())[()]
    return (padded(x, begin, end, invocation.attributes.get("mode", "constant"), filler),)
