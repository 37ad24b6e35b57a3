"""Lists functions that are constant between jumps, or of truth values and whole numbers, which have no gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from texelscope.pipeline.gradients.derivatives.backward import Backward

DERIVATIVES: Mapping[str, Callable[[Backward], None]] = {}
FLAT = (
    "And", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Ceil", "Equal", "Floor", "Greater",
    "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Round", "Sign", "Xor",
)  # fmt: skip
