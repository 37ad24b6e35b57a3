"""Gelu: y = x · Φ(x), Φ the share of a normal distribution below x."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.curves import normal_share
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Gelu"


def evaluate(invocation: Invocation) -> Outputs:
    """X → its shape."""
    x = invocation.required(0)
    return ((x * normal_share(x)).astype(x.dtype),)
