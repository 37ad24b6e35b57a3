"""Covers tensors put together and taken apart."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_CONDITION = np.array([False, True, False, True, True])


def _slice(shape: tuple[int, ...], *arguments: tuple[int, ...]) -> GradientCase:
    given = tuple(ints(*each) for each in arguments)
    return GradientCase(NodeCase("Slice", (real(*shape), *given), constant=tuple(range(1, len(given) + 1))))


CASES = (
    GradientCase(NodeCase("Concat", (real(3, 2, 5), real(3, 1, 5, seed=1), real(3, 4, 5, seed=2)), {"axis": -2})),
    GradientCase(NodeCase("Concat", (real(3), real(5, seed=1)), {"axis": 0})),
    GradientCase(NodeCase("Concat", (real(2, 3, 1), real(2, 2, 1, seed=1)), opset=1), fast=True),
    *(
        GradientCase(NodeCase("Split", (real(2, 7, 3), ints(2, 4, 1)), {"axis": 1}, constant=(1,), outputs=3), output)
        for output in (0, 1, 2)
    ),
    GradientCase(NodeCase("Split", (real(5),), {"num_outputs": 2}, outputs=2), 1),
    GradientCase(NodeCase("Split", (real(5, 3),), {"split": [2, 3]}, outputs=2, opset=2), 1, fast=True),
    GradientCase(NodeCase("Split", (real(3, 1),), {"num_outputs": 1})),
    _slice((5, 7), (1, 2), (4, 9)),
    _slice((7,), (-1,), (-100,), (0,), (-1,)),
    _slice((2, 7, 1, 5, 3), (5, 0, 1), (0, 9, 3), (1, -2, 4), (-2, 3, 1)),
    _slice((3, 5), (0,), (5,), (1,), (1,)),
    GradientCase(NodeCase("Slice", (real(3, 7),), {"starts": [-4], "ends": [-1], "axes": [1]}, opset=1), fast=True),
    GradientCase(NodeCase("Compress", (real(3, 5, 2), _CONDITION), {"axis": 1}, constant=(1,))),
    GradientCase(NodeCase("Compress", (real(3, 2), _CONDITION), constant=(1,))),
    GradientCase(NodeCase("Trilu", (real(2, 4, 5),))),
    GradientCase(NodeCase("Trilu", (real(5, 3), np.array(-1)), {"upper": 0}, constant=(1,))),
    GradientCase(
        NodeCase("ReverseSequence", (real(5, 3, 2), ints(1, 5, 3)), {"time_axis": 0, "batch_axis": 1}), torch_too=False
    ),
)  # fmt: skip
