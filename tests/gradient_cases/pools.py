"""Pools over one to three axes, of odd sizes, with windows that overlap, leave gaps and reach over the edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, positive, real

Shape = tuple[int, ...]


def _case(op_type: str, *shape: int, **attributes: Any) -> GradientCase:
    values = apart if "Max" in op_type else real
    return GradientCase(NodeCase(op_type, (values(*shape),), attributes), fast=True)


def _unpooled(*shape: int) -> GradientCase:
    """Draws windows of 2 along each axis, each with its largest element at a different place."""
    spatial = shape[2:]
    corners = np.indices(shape)
    chosen = np.random.default_rng(3).integers(0, 2, (len(spatial), *shape))
    index = corners[0] * shape[1] + corners[1]
    for axis, size in enumerate(spatial):
        index = index * 2 * size + 2 * corners[2 + axis] + chosen[axis]
    inputs = (real(*shape), index.astype(np.int64))
    window = [2] * len(spatial)
    return GradientCase(NodeCase("MaxUnpool", inputs, {"kernel_shape": window, "strides": window}), fast=True)


CASES = (
    _case("AveragePool", 2, 3, 9, kernel_shape=[3], strides=[2], pads=[1, 1]),
    _case("AveragePool", 1, 3, 7, 8, kernel_shape=[2, 3], strides=[2, 2], pads=[1, 0, 0, 2], count_include_pad=1),
    _case("AveragePool", 1, 2, 8, 7, kernel_shape=[3, 2], strides=[2, 3], ceil_mode=1, dilations=[2, 1]),
    _case("AveragePool", 1, 2, 8, 7, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, pads=[1] * 4,
          count_include_pad=1),
    _case("AveragePool", 1, 2, 4, 5, 5, kernel_shape=[2, 2, 3], auto_pad="SAME_UPPER"),
    _case("GlobalAveragePool", 2, 3, 5, 3),
    _case("MaxPool", 2, 3, 9, kernel_shape=[3], strides=[2]),
    _case("MaxPool", 1, 3, 6, 8, kernel_shape=[3, 2], strides=[3, 2]),
    _case("MaxPool", 2, 2, 7, 9, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    _case("MaxPool", 1, 2, 8, 7, kernel_shape=[2, 3], strides=[3, 2], dilations=[3, 1], ceil_mode=1),
    _case("MaxPool", 1, 2, 4, 5, 5, kernel_shape=[2, 3, 2], strides=[2, 1, 2], auto_pad="SAME_LOWER"),
    GradientCase(
        NodeCase("MaxPool", (apart(1, 2, 5, 5),), {"kernel_shape": [2, 2], "storage_order": 1}, outputs=2), fast=True
    ),
    _case("GlobalMaxPool", 2, 3, 5, 3),
    *(_case("LpPool", 1, 3, 7, 6, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 0, 1], p=p) for p in (1, 2, 3)),
    _case("LpPool", 2, 2, 9, kernel_shape=[4], strides=[3]),
    GradientCase(NodeCase("GlobalLpPool", (positive(1, 3, 4, 5),), {"p": 3}), fast=True),
    _case("GlobalLpPool", 2, 3, 5),
    _unpooled(2, 3, 4),
    _unpooled(1, 2, 3, 5),
    *(_case("LRN", 2, 5, *more, size=size, alpha=0.5, bias=1.5) for more, size in (((3, 4), 3), ((7,), 4))),
)  # fmt: skip
