"""Convolutions over one to three axes, of odd sizes, with every kind of step, padding and group."""

from __future__ import annotations

from typing import Any

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

Shape = tuple[int, ...]


def _case(op_type: str, x: Shape, w: Shape, bias: int = 0, **attributes: Any) -> GradientCase:
    inputs = (real(*x), real(*w, seed=1), *([real(bias, seed=2)] if bias else []))
    return GradientCase(NodeCase(op_type, inputs, attributes), fast=True)


CASES = (
    _case("Conv", (2, 3, 9), (4, 3, 3), strides=[2], pads=[1, 0], bias=4),
    _case("Conv", (2, 3, 7, 6), (5, 3, 3, 2), bias=5),
    _case("Conv", (2, 4, 8, 9), (6, 2, 3, 4), group=2, strides=[2, 3], pads=[0, 2, 1, 1], dilations=[2, 1]),
    _case("Conv", (1, 4, 7, 7), (4, 1, 3, 3), group=4, pads=[1, 1, 1, 1], bias=4),
    _case("Conv", (1, 3, 9, 8), (4, 3, 1, 1), strides=[2, 3]),
    _case("Conv", (1, 2, 7, 8), (3, 2, 3, 3), strides=[2, 2], auto_pad="SAME_UPPER"),
    _case("Conv", (1, 2, 7, 8), (3, 2, 2, 4), auto_pad="SAME_LOWER"),
    _case("Conv", (2, 2, 5, 4, 6), (3, 2, 2, 3, 3), strides=[1, 2, 2], pads=[1, 0, 1, 0, 2, 1], bias=3),
    _case("Conv", (1, 4, 3, 5, 4), (6, 2, 2, 2, 2), group=2, dilations=[1, 2, 1]),
    _case("ConvTranspose", (2, 3, 5), (3, 2, 4), strides=[3], pads=[1, 0], output_padding=[2], bias=2),
    _case("ConvTranspose", (2, 3, 4, 5), (3, 2, 3, 3), bias=2),
    _case("ConvTranspose", (1, 4, 4, 3), (4, 3, 3, 2), group=2, strides=[2, 3], pads=[1, 0, 0, 1], dilations=[2, 1]),
    _case("ConvTranspose", (1, 2, 4, 4), (2, 3, 2, 3), strides=[1, 2], dilations=[3, 2], output_padding=[2, 1]),
    _case("ConvTranspose", (1, 2, 4, 3), (2, 2, 3, 3), strides=[2, 2], output_shape=[8, 6]),
    _case("ConvTranspose", (1, 2, 3, 4), (2, 2, 3, 3), strides=[2, 2], auto_pad="SAME_UPPER"),
    _case("ConvTranspose", (1, 2, 2, 3, 3), (2, 3, 2, 2, 3), strides=[2, 1, 2], pads=[0, 1, 1, 1, 0, 0], bias=3),
)  # fmt: skip
