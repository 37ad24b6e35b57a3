"""Pictures read at places, and the places."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _grid(sizes: tuple[int, ...], *places: int) -> Array:
    """Places up to half a picture outside, none nearer to an element's middle than a tenth of an element."""
    random = np.random.default_rng(3)
    along = [random.integers(-size, 2 * size, places) + random.uniform(0.1, 0.4, places) for size in sizes[::-1]]
    middles = [(size - 1) / 2 for size in sizes[::-1]]
    found = [(each - middle) / (size / 2) for each, middle, size in zip(along, middles, sizes[::-1], strict=True)]
    return np.stack(found, axis=-1).astype(np.float32)


def _sampled(sizes: tuple[int, ...], places: tuple[int, ...], **said: Any) -> GradientCase:
    grid = np.clip(_grid(sizes, 2, *places), -1.7, 1.7)
    return GradientCase(NodeCase("GridSample", (real(2, 3, *sizes), grid), said), fast=True)


CASES = (
    *(_sampled((3, 5), (2, 3), mode="linear", padding_mode=each) for each in ("zeros", "border", "reflection")),
    *(
        _sampled((4, 3), (3, 1), mode="linear", padding_mode=each, align_corners=1)
        for each in ("zeros", "border", "reflection")
    ),
    _sampled((3, 5), (2, 3), mode="nearest"),
    _sampled((3, 5), (2, 3), mode="nearest", padding_mode="reflection"),
    _sampled((3, 2, 5), (2, 1, 3), mode="linear"),
    GradientCase(NodeCase("AffineGrid", (real(2, 2, 3), ints(2, 1, 3, 5)), constant=(1,)), step=0.5),
    GradientCase(
        NodeCase("AffineGrid", (real(1, 3, 4), ints(1, 2, 3, 4, 2)), {"align_corners": 1}, constant=(1,)), step=0.5
    ),
)
