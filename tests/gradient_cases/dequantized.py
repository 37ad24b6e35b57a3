"""Scales of whole numbers: one for all, one a slice of an axis, one a block, the last of which is cut short."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive


def _case(shape: tuple[int, ...], scales: tuple[int, ...], zero_point: int | None = None, **said: Any) -> GradientCase:
    random = np.random.default_rng(0)
    inputs: tuple[Array, ...] = (random.integers(-100, 100, shape).astype(np.int8), positive(*scales))
    if zero_point is not None:
        inputs = (*inputs, np.full(scales, zero_point, np.int8))
    # Linear in the scales, so that a long step is as good as a short one.
    node = NodeCase("DequantizeLinear", inputs, said, constant=(0, 2)[: len(inputs) - 1])
    return GradientCase(node, step=0.125, double=False, rtol=1e-4)


CASES = (
    _case((3, 4), (), 3),
    _case((2, 3, 4), (3,), -5),
    _case((2, 3), (2,), axis=0),
    _case((2, 7, 2), (2, 3, 2), 4, axis=1, block_size=3),
)
