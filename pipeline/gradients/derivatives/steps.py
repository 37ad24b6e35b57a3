"""Functions that are flat between jumps, and those of truth values and whole numbers: nothing flows back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from texelscope.pipeline.gradients.derivatives.backward import Backward

DERIVATIVES: Mapping[str, Callable[[Backward], None]] = {}
FLAT = (
    "And", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Ceil", "Equal", "Floor", "Greater",
    "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Round", "Sign", "Xor",
)  # fmt: skip
