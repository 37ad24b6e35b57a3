"""Running sums and products."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive, real

_ENDS = tuple({"exclusive": exclusive, "reverse": reverse} for exclusive in (0, 1) for reverse in (0, 1))
_ZEROS = np.array([[1.5, 0.0, 2.0, 0.5, 3.0], [2.0, 1.5, 0.0, 0.0, 1.0], [0.0, 1.0, 2.0, -1.0, 0.0]], dtype=np.float32)

CASES = (
    *(GradientCase(NodeCase("CumSum", (real(2, 5, 3), np.array(1)), ends, constant=(1,))) for ends in _ENDS),
    GradientCase(NodeCase("CumSum", (real(7), np.array(-1)), constant=(1,))),
    *(
        GradientCase(NodeCase("CumProd", (_ZEROS, np.array(1)), ends, constant=(1,), opset=26), fast=True)
        for ends in _ENDS
    ),
    GradientCase(NodeCase("CumProd", (positive(3, 7, 2), np.array(-2)), constant=(1,), opset=26), fast=True),
)
