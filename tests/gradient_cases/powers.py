"""Covers powers: of positive bases, and of any with whole exponents."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive, real

_EXPONENTS = (0.0, 0.5, 2.0)

CASES = (
    GradientCase(NodeCase("Sqrt", (positive(2, 3, 1, 2, 3),))),
    GradientCase(NodeCase("Reciprocal", (positive(3, 5),))),
    GradientCase(NodeCase("Pow", (positive(2, 3, 4), real(3, 1, seed=1)))),
    GradientCase(NodeCase("Pow", (positive(3, 1), real(2, 1, 5, seed=1)))),
    *(GradientCase(NodeCase("Pow", (positive(2, 3), np.full((), each, np.float32)), constant=(1,)))
      for each in _EXPONENTS),
    GradientCase(NodeCase("Pow", (real(1, 3), ints(2, 3, 0)))),
    *(GradientCase(NodeCase("Pow", (real(7), ints(each)), constant=(1,))) for each in (1, 2, 3, -1)),
    GradientCase(NodeCase("Pow", (positive(2, 3, 4), real(3, seed=1)), {"broadcast": 1, "axis": 1}, opset=6)),
)  # fmt: skip
