"""GatedAdd: output = X + Y · gate, the gate broadcast over the last axis."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GatedAdd"


def evaluate(invocation: Invocation) -> Outputs:
    """X and Y […, C], gate […, 1] → X's shape."""
    x, y, gate = (invocation.required(position) for position in range(3))
    return (x + y * gate,)
