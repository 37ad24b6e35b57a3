"""Covers Softmax and its logarithm along an axis, and over all axes from one on as before opset 13."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_SHAPES = (((7,), 0), ((3, 5), -1), ((2, 3, 5), 1), ((2, 3, 5, 3), 1), ((2, 3, 1, 5, 2), -2))

CASES = (
    *(
        GradientCase(NodeCase(op_type, (real(*shape),), {"axis": axis}))
        for op_type in ("Softmax", "LogSoftmax")
        for shape, axis in _SHAPES
    ),
    *(
        GradientCase(NodeCase(op_type, (real(2, 3, 5),), {"axis": axis}, opset=11), fast=True)
        for op_type in ("Softmax", "LogSoftmax")
        for axis in (0, 1, 2)
    ),
)
