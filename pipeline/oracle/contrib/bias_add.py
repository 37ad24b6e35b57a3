"""BiasAdd: "add input with bias, then add residual inputs"."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "BiasAdd"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, S, C], bias [C], skip [N, S, C] → X's shape."""
    return (invocation.required(0) + invocation.required(1) + invocation.required(2),)
