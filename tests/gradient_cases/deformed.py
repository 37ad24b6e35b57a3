"""Deformable convolutions: with and without a mask and a bias, in groups of both kinds, strided, dilated, padded."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _between(*shape: int) -> Array:
    """Offsets up to two elements away, none nearer to an element than a tenth."""
    random = np.random.default_rng(5)
    return (random.integers(-2, 2, shape) + random.uniform(0.1, 0.9, shape)).astype(np.float32)


def _case(
    sizes: tuple[int, int], made: tuple[int, int], *, groups: int = 1, full: bool = True, **said: Any
) -> GradientCase:
    offsets = int(said.get("offset_group", 1))
    inputs: tuple[Array, ...] = (
        real(2, 4, *sizes),
        real(4, 4 // groups, 2, 3, seed=1),
        _between(2, 12 * offsets, *made),
    )
    if full:
        inputs = (*inputs, real(4, seed=2), real(2, 6 * offsets, *made, seed=3))
    # torchvision has it, PyTorch has not.
    return GradientCase(NodeCase("DeformConv", inputs, {"group": groups} | said), torch_too=False, fast=True)


CASES = (
    _case((5, 6), (4, 4), full=False),
    _case((5, 6), (4, 4), groups=2, offset_group=2),
    _case((6, 7), (3, 3), offset_group=4, groups=2, strides=[2, 2], pads=[1, 0, 0, 2], dilations=[1, 2]),
)
