"""Determinants of matrices of every size that runs, and of one that has no inverse."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_SINGULAR = np.array([[1.0, 2.0, 0.5], [2.0, 4.0, 1.0], [0.25, -1.0, 3.0]], np.float32)

CASES = (
    *(GradientCase(NodeCase("Det", (real(2, 3, size, size),))) for size in (1, 2, 4)),
    # PyTorch says 0 there, where the cofactors are none.
    GradientCase(NodeCase("Det", (_SINGULAR,)), torch_too=False),
)
