"""TransposeMatMul: "duplicate of FusedMatMul", without its attributes about batches."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.contrib import fused_matmul

OPERATOR = "TransposeMatMul"


def evaluate(invocation: Invocation) -> Outputs:
    """A and B → their product."""
    return fused_matmul.evaluate(invocation)
