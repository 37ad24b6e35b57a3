"""Covers the two values of OneHot."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase

_INDICES = np.array([[0, 3, -1], [2, 7, 1]], dtype=np.int64)

CASES = (
    GradientCase(NodeCase("OneHot", (_INDICES, np.array(5), floats(0.25, 2.0)), {"axis": 1}, constant=(1,)), fast=True),
    GradientCase(NodeCase("OneHot", (ints(1, 3, 0), np.array(4), floats(0, 1)), constant=(1,)), torch_too=False),
)
