"""Covers arithmetic of tensors under broadcasting."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive, real

_SHAPES = (((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (2, 1, 5)), ((), (3,)), ((2, 3, 1, 5), (3, 4, 1)))

CASES = (
    *(GradientCase(NodeCase(op_type, (positive(*a), positive(*b, seed=1)))) for op_type in ("Add", "Sub", "Mul", "Div")
      for a, b in _SHAPES),
    *(GradientCase(NodeCase(op_type, (positive(2, 3, 4), positive(3, seed=1)), {"broadcast": 1, "axis": 1}, opset=6))
      for op_type in ("Add", "Sub", "Mul", "Div")),
    GradientCase(NodeCase("Neg", (real(2, 1, 3, 1, 2),))),
    *(GradientCase(NodeCase("Mod", (5.0 * real(*a), positive(*b, seed=1)), {"fmod": 1}))
      for a, b in (((3, 5), (3, 5)), ((3, 1), (5,)))),
    *(GradientCase(NodeCase(op_type, tuple(real(*shape, seed=i) for i, shape in enumerate(shapes))))
      for op_type in ("Sum", "Mean") for shapes in (((3, 5),), ((2, 3, 5), (5,), (3, 1)))),
)  # fmt: skip
