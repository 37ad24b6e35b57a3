"""Covers padding and cropping of a tensor."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _pad(shape: tuple[int, ...], pads: tuple[int, ...], mode: str) -> GradientCase:
    return GradientCase(NodeCase("Pad", (real(*shape), ints(*pads)), {"mode": mode}, constant=(1,)), fast=min(pads) < 0)


CASES = (
    _pad((3, 5), (1, 0, 0, 2), "constant"),
    _pad((2, 5, 1, 7), (0, -1, 2, -2, 1, -1, 0, 3), "constant"),
    _pad((5, 4), (-1, -1, -2, 0), "constant"),
    GradientCase(NodeCase("Pad", (real(3, 5), ints(1, 2, 0, -1), floats(0.5)), constant=(1,)), fast=True),
    GradientCase(NodeCase("Pad", (real(2, 3, 5), ints(1, 2), np.array(0.5, np.float32), ints(-1)), constant=(1, 3))),
    _pad((2, 3, 5, 7), (0, 0, 2, 3, 0, 0, 1, 3), "reflect"),
    _pad((5,), (4, 2), "reflect"),
    _pad((3, 5), (2, 0, 7, 1), "edge"),
    _pad((1, 3, 3, 1, 4), (0, 1, 0, 0, 1, 0, 1, 0, 0, 1), "edge"),
    _pad((3, 5), (2, 4, 1, 3), "wrap"),
    _pad((5, 2, 7), (-1, 2, 2, 2, 0, -2), "edge"),
    _pad((2, 7), (0, -2, 0, 3), "reflect"),
    _pad((5, 7), (-2, 1, 2, -2), "wrap"),
    GradientCase(NodeCase("Pad", (real(2, 5),), {"pads": [0, 3, 0, 1], "mode": "reflect"}, opset=2), fast=True),
)
