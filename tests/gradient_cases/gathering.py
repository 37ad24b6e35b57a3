"""Elements picked by indices, known before the run and not, once and several times."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, real

_TWICE = np.array([[3, -1, 0], [3, 3, 1]], dtype=np.int64)
_COLUMNS = np.array([[0, 2, 2], [-1, 0, 2]], dtype=np.int64)
_TUPLES = np.array([[0, 2], [1, -1], [0, 2]], dtype=np.int64)

CASES = (
    GradientCase(NodeCase("Gather", (real(5, 3), ints(3, -5, 1)), constant=(1,))),
    GradientCase(NodeCase("Gather", (real(2, 5, 3), ints(4, 2, 0, 1, 3)), {"axis": 1}, constant=(1,))),
    GradientCase(NodeCase("Gather", (real(2, 5, 3), np.array(-2)), {"axis": 1}, constant=(1,))),
    GradientCase(NodeCase("Gather", (real(5, 3), _TWICE))),
    GradientCase(NodeCase("Gather", (real(5), _TWICE), constant=(1,))),
    GradientCase(NodeCase("Gather", (real(3, 2, 5, 2), _TWICE), {"axis": -2})),
    GradientCase(NodeCase("Gather", (real(9, 3), _TWICE))),
    GradientCase(NodeCase("Gather", (real(2, 9, 3), _TWICE), {"axis": 1})),
    GradientCase(NodeCase("GatherElements", (real(2, 5), _COLUMNS), {"axis": 1})),
    GradientCase(NodeCase("GatherElements", (real(5, 3), _COLUMNS), {"axis": 0}, constant=(1,))),
    GradientCase(NodeCase("GatherElements", (real(5), ints(4, 4, 0)), {"axis": -1}), fast=True),
    GradientCase(NodeCase("GatherND", (real(2, 5, 3), _TUPLES))),
    GradientCase(NodeCase("GatherND", (real(3, 5, 3), _TUPLES), {"batch_dims": 1})),
    GradientCase(NodeCase("GatherND", (real(5), ints(3, 1)[:, None]), constant=(1,))),
    GradientCase(NodeCase("TopK", (apart(3, 7, 2), ints(3)), {"axis": 1}, constant=(1,), outputs=2)),
    GradientCase(NodeCase("TopK", (apart(7), ints(7)), {"largest": 0}, constant=(1,), outputs=2)),
    GradientCase(NodeCase("TopK", (apart(2, 5),), {"k": 2}, outputs=2, opset=1)),
)
