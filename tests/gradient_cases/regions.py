"""Covers regions of pictures: inside, across a border, beyond it, smaller than an element."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_REGIONS = np.array([[1.3, 2.1, 6.9, 5.2], [-3, -2, 4, 9], [5, 5, 5.2, 5.1], [2, 1, 10, 4]], np.float32)
_IMAGES = np.array([1, 0, 1, 1], np.int64)


def _case(opset: int = 22, **said: Any) -> GradientCase:
    sizes = {"output_height": 3, "output_width": 2, "sampling_ratio": 2}
    node = NodeCase("RoiAlign", (real(2, 2, 6, 7), _REGIONS, _IMAGES), sizes | said, constant=(1,), opset=opset)
    # torchvision has it, PyTorch has not.
    return GradientCase(node, torch_too=False, fast=True)


CASES = (
    _case(spatial_scale=0.7),
    _case(coordinate_transformation_mode="output_half_pixel", sampling_ratio=1),
    _case(opset=10, sampling_ratio=3),
)
