"""Covers choices of one tensor among several."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import Array, apart, real

_CONDITIONS = (((2, 3, 5), (2, 3, 5), (2, 3, 5)), ((3, 1), (5,), (2, 1, 1)), ((2, 1, 3, 1, 2), (3, 2), ()))


def _apart(*shapes: tuple[int, ...]) -> tuple[Array, ...]:
    """No two elements alike, of any of the tensors."""
    return tuple(apart(*shape, seed=i) + np.float32(0.03 * i) for i, shape in enumerate(shapes))


CASES = (
    *(GradientCase(NodeCase("Where", (real(*c) > 0, real(*a, seed=1), real(*b, seed=2)))) for c, a, b in _CONDITIONS),
    *(GradientCase(NodeCase(each, _apart(*shapes))) for each in ("Max", "Min")
      for shapes in (((3, 5), (3, 5)), ((2, 3, 1), (5,), (3, 1)), ((7,),), ((2, 1, 3, 1, 3), (3, 1, 1)))),
    GradientCase(NodeCase("Max", _apart((3, 5), (3, 5)), opset=6)),
)  # fmt: skip
