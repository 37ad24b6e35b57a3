"""Covers windows added up to a picture."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

CASES = (
    GradientCase(NodeCase("Col2Im", (real(1, 6, 12), ints(5, 4), ints(2, 3)), {"pads": [0, 0, 0, 1]}, constant=(1, 2))),
    GradientCase(
        NodeCase(
            "Col2Im", (real(2, 12, 9), ints(7, 5), ints(3, 2)),
            {"strides": [2, 2], "dilations": [2, 1], "pads": [1, 0, 1, 1]}, constant=(1, 2),
        )
    ),
    GradientCase(NodeCase("Col2Im", (real(2, 3, 5), ints(7), ints(3)), constant=(1, 2)), torch_too=False),
)  # fmt: skip
