"""FusedGemm: "the same as Gemm besides it includes attributes activation" and its parameters."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import activation
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "FusedGemm"


def evaluate(invocation: Invocation) -> Outputs:
    """A [M, K] and B [K, N], or turned over; C that broadcasts to [M, N] or None → [M, N]."""
    a, b, c = invocation.required(0), invocation.required(1), invocation.input(2)
    said = invocation.attributes
    left = a.T if said.get("transA", 0) else a
    right = b.T if said.get("transB", 0) else b
    y = float(said.get("alpha", 1.0)) * (left.astype(np.float64) @ right.astype(np.float64))
    if c is not None:
        y = y + float(said.get("beta", 1.0)) * c
    given = [said[f"activation_{name}"] for name in ("alpha", "beta", "gamma") if f"activation_{name}" in said]
    return (activation(said.get("activation"), y, given).astype(a.dtype),)
