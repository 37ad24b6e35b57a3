"""Covers the same elements in another shape or order, or repeated."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

CASES = (
    GradientCase(NodeCase("Reshape", (real(3, 5, 2), ints(-1, 0, 3)), {"allowzero": 0}, constant=(1,))),
    GradientCase(NodeCase("Reshape", (real(7, 3),), {"shape": [3, 7]}, opset=1), fast=True),
    GradientCase(NodeCase("Flatten", (real(2, 3, 1, 5, 3),), {"axis": 3})),
    GradientCase(NodeCase("Squeeze", (real(1, 3, 1, 5), ints(0, -2)), constant=(1,))),
    GradientCase(NodeCase("Squeeze", (real(3, 1, 5),), {"axes": [1]}, opset=1)),
    GradientCase(NodeCase("Unsqueeze", (real(3, 5), ints(0, -1)), constant=(1,))),
    GradientCase(NodeCase("Unsqueeze", (real(5), ), {"axes": [0, 2]}, opset=1)),
    GradientCase(NodeCase("Transpose", (real(2, 3, 1, 5, 4),), {"perm": [3, 0, 4, 2, 1]})),
    GradientCase(NodeCase("Transpose", (real(3, 5),))),
    GradientCase(NodeCase("DepthToSpace", (real(1, 12, 3, 5),), {"blocksize": 2})),
    GradientCase(NodeCase("DepthToSpace", (real(2, 9, 1, 3),), {"blocksize": 3, "mode": "CRD"})),
    GradientCase(NodeCase("SpaceToDepth", (real(1, 3, 6, 9),), {"blocksize": 3})),
    GradientCase(NodeCase("SpaceToDepth", (real(2, 3, 2, 4),), {"blocksize": 2, "mode": "CRD"}, opset=28)),
    GradientCase(NodeCase("Expand", (real(3, 1, 5), ints(2, 1, 7, 1)), constant=(1,))),
    GradientCase(NodeCase("Expand", (real(), ints(3)), constant=(1,))),
    GradientCase(NodeCase("Tile", (real(3, 1, 2, 5), ints(2, 3, 1, 2)), constant=(1,))),
    GradientCase(NodeCase("Tile", (real(3, 5), ints(1, 1)), constant=(1,))),
    GradientCase(
        NodeCase("Tile", (real(3, 5), floats(2), floats(1)), constant=(1, 2), opset=1, output_shape=(3, 10)), fast=True
    ),
)  # fmt: skip
