"""Arithmetic of two tensors under broadcasting."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive

_SHAPES = (((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (2, 1, 5)), ((), (3,)), ((2, 3, 1, 5), (3, 4, 1)))

CASES = tuple(
    GradientCase(NodeCase(op_type, (positive(*a), positive(*b, seed=1))))
    for op_type in ("Add", "Sub", "Mul", "Div")
    for a, b in _SHAPES
)
