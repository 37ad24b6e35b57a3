"""Covers axes resized, in all modes, larger and smaller."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

# Opset 11 wants an input for the region where none is.
_NONE = np.zeros(0, dtype=np.float32)


def _scaled(shape: tuple[int, ...], scales: tuple[float, ...], *, fast: bool = False, **said: Any) -> GradientCase:
    node = NodeCase("Resize", (real(*shape), None, floats(*scales)), said, constant=(2,))
    return GradientCase(node, fast=fast, single=(2,))


def _sized(shape: tuple[int, ...], sizes: tuple[int, ...], *, fast: bool = False, **said: Any) -> GradientCase:
    return GradientCase(NodeCase("Resize", (real(*shape), None, None, ints(*sizes)), said, constant=(3,)), fast=fast)


def _cropped(size: tuple[int, int], region: tuple[float, ...], wanted: tuple[int, int]) -> GradientCase:
    roi = floats(0, 0, *region[:2], 1, 1, *region[2:])
    said = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 1.0}
    node = NodeCase("Resize", (real(1, 1, *size), roi, None, ints(1, 1, *wanted)), said, constant=(1, 3))
    return GradientCase(node, torch_too=False)


def _upsample(opset: int, *inputs: Any, **said: Any) -> GradientCase:
    node = NodeCase("Upsample", inputs, said, constant=tuple(range(1, len(inputs))), opset=opset)
    return GradientCase(node, fast=True, single=(1,))


CASES = (
    _scaled((2, 3, 3, 5), (1, 1, 2, 3), coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    _sized((1, 2, 3, 5), (1, 2, 7, 2), mode="nearest"),
    _sized((1, 2, 5, 3), (1, 2, 2, 7), mode="linear"),
    _scaled((7,), (0.6,), mode="linear", antialias=1, fast=True),
    _scaled((1, 3, 4, 5), (1, 1, 2, 2), mode="linear", coordinate_transformation_mode="align_corners"),
    _sized((1, 2, 4, 5), (1, 2, 7, 3), mode="cubic", exclude_outside=1),
    _sized((1, 1, 3, 4, 3), (1, 1, 5, 3, 7), mode="linear", fast=True),
    _sized((3, 5), (7, 5), mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
    _cropped((5, 5), (-0.2, 0.3, 0.7, 1.4), (3, 4)),
    _cropped((7, 9), (0.4, 0.0, 0.6, 1.0), (9, 3)),
    GradientCase(
        NodeCase("Resize", (real(1, 2, 3, 3), floats(1, 1, 2, 1.7)), {"mode": "linear"}, constant=(1,), opset=10),
        fast=True, single=(1,), torch_too=False,
    ),
    _upsample(9, real(1, 2, 3, 5), floats(1, 1, 2, 3)),
    _upsample(7, real(1, 2, 3, 5), mode="linear", scales=[1.0, 1.0, 2.0, 2.0]),
    _upsample(1, real(1, 1, 3, 2), height_scale=3.0, width_scale=2.0),
)  # fmt: skip
