"""Tests convolutions and products of quantised tensors: pass by pass, and as a whole against onnx.reference."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, Array, NodeCase, assert_follows_the_reference, floats

RANDOM = np.random.default_rng(3)


def uint8(*shape: int) -> Array:
    return RANDOM.integers(0, 256, shape, dtype=np.uint8)


def int8(*shape: int) -> Array:
    return RANDOM.integers(-128, 128, shape, dtype=np.int8)


def scalar(value: float) -> Array:
    return np.array(value, dtype=np.float32)


ZERO = np.array(130, dtype=np.uint8)
CASES = [
    NodeCase("ConvInteger", (uint8(1, 2, 5, 5), uint8(3, 2, 3, 3)), {"pads": [1, 1, 1, 1]}),
    NodeCase("ConvInteger", (uint8(1, 2, 5, 5), int8(3, 2, 3, 3), ZERO), {"strides": [2, 2]}),
    NodeCase("MatMulInteger", (uint8(4, 6), int8(6, 3), ZERO, np.array(-3, dtype=np.int8))),
    NodeCase("MatMulInteger", (uint8(2, 4, 6), uint8(6, 3))),
    NodeCase(
        "QLinearConv",
        (
            uint8(1, 2, 6, 5), scalar(0.02), ZERO, int8(3, 2, 3, 3), floats(0.01, 0.02, 0.005),
            np.zeros(3, dtype=np.int8), scalar(0.3), np.array(100, dtype=np.uint8),
            np.array([5, -700, 90], dtype=np.int32),
        ),
        {"pads": [1, 0, 0, 1]},
    ),
    NodeCase(
        "QLinearMatMul",
        (
            uint8(4, 6), scalar(0.02), ZERO, uint8(6, 3), scalar(0.03), ZERO, scalar(0.2),
            np.array(120, dtype=np.uint8),
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_form_follows_its_specification(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_follows_the_reference(case, layout, gl)
