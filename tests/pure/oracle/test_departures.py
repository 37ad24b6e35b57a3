"""Where onnx.reference departs from the specification, the oracle does not.

Each case has the value by the specification, worked out by hand. That onnx.reference still gives another one, or
none, is part of the test: once it agrees, the note beside the fast version is out of date.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.pure.oracle.nodes import Array, fast, node, plain
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node


def numbers(*values: float, shape: tuple[int, ...]) -> Array:
    """float32 values in a shape."""
    return np.array(values, np.float32).reshape(shape)


ONES = np.ones((1, 2, 1), np.float32)
FOUR = numbers(1, 2, 3, 4, shape=(1, 1, 4))

DEPARTURES: dict[str, tuple[Node, list[Array], list[float]]] = {
    # Squares are summed for every channel, not for the first N of them.
    "LRN": (
        node("LRN", 1, size=1, alpha=3.0, beta=1.0, bias=1.0),
        [numbers(1, 2, shape=(1, 2, 1, 1))],
        [1 / 4, 2 / 13],
    ),
    # One output means inference; the batch's own mean is not mixed in.
    "BatchNormalization 9": (
        node("BatchNormalization", 5, opset=9, epsilon=0.0),
        [FOUR.reshape(4, 1), *(numbers(v, shape=(1,)) for v in (2, 1, 3, 4))],
        [-1, 0, 1, 2],
    ),
    # All spatial axes are reduced, channels are not.
    "GlobalMaxPool in one dimension": (node("GlobalMaxPool", 1), [numbers(1, 2, 3, 0, shape=(1, 2, 2))], [2, 3]),
    # exp(0) against the sum over both flattened axes.
    "Softmax 11": (node("Softmax", 1, opset=11, axis=1), [np.zeros((1, 2, 2), np.float32)], [0.25] * 4),
    # Two output channels a group.
    "ConvTranspose in groups": (
        node("ConvTranspose", 2, group=2),
        [numbers(1, 10, shape=(1, 2, 1)), numbers(1, 2, 3, 4, shape=(2, 2, 1))],
        [1, 2, 30, 40],
    ),
    # The surplus of 2 is taken from both ends.
    "ConvTranspose to a shape": (
        node("ConvTranspose", 2, output_shape=(2,)),
        [numbers(1, 2, shape=(1, 1, 2)), numbers(1, 1, 1, shape=(1, 1, 3))],
        [3, 3],
    ),
    # A negative pad takes an element away.
    "Pad with a negative pad": (
        node("Pad", 2, mode="constant"),
        [numbers(1, 2, 3, shape=(3,)), np.array([-1, 1])],
        [2, 3, 0],
    ),
    "Pad with a negative pad of an axis": (
        node("Pad", 4, mode="reflect"),
        [numbers(1, 2, 3, 4, shape=(1, 4)), np.array([-1, 1]), np.zeros((), np.float32), np.array([-1])],
        [2, 3, 4, 3],
    ),
    # pads are top, left, bottom, right: here a column on the left.
    "MaxPool with padding on one side": (
        node("MaxPool", 1, kernel_shape=(1, 2), pads=(0, 1, 0, 0)),
        [FOUR.reshape(1, 1, 1, 4)],
        [1, 2, 3, 4],
    ),
    # The last window hangs over the end; the first one still starts at the beginning.
    "AveragePool over the end": (
        node("AveragePool", 1, kernel_shape=(5,), strides=(3,), ceil_mode=1),
        [numbers(1, 2, 3, 4, 5, 6, shape=(1, 1, 6))],
        [3, 5],
    ),
    # Outputs are input / stride, rounded up, for SAME_LOWER too.
    "MaxPool SAME_LOWER": (
        node("MaxPool", 1, kernel_shape=(2,), strides=(2,), auto_pad="SAME_LOWER"),
        [numbers(1, 2, 3, shape=(1, 1, 3))],
        [1, 3],
    ),
    "GlobalLpPool": (node("GlobalLpPool", 1, p=2), [numbers(3, 4, shape=(1, 1, 2))], [5]),
    "Upsample 7": (node("Upsample", 1, opset=7, scales=(1.0, 1.0, 2.0)), [ONES], [1] * 4),
    "Resize 10": (node("Resize", 2, opset=10), [ONES, numbers(1, 1, 2, shape=(3,))], [1] * 4),
    # Signs are left out of the sum.
    "LpNormalization of absolute values": (
        node("LpNormalization", 1, p=1, axis=0),
        [numbers(1, -3, shape=(2,))],
        [0.25, -0.75],
    ),
    "GatherElements from the last axis": (
        node("GatherElements", 2, axis=-1),
        [numbers(1, 2, 3, 4, shape=(2, 2)), np.array([[1], [0]])],
        [2, 3],
    ),
    "OneHot of a depth in a list": (
        node("OneHot", 3, axis=-1),
        [np.array([1]), np.array([3]), numbers(0, 5, shape=(2,))],
        [0, 5, 0],
    ),
    "Unique as they come": (node("Unique", 1, sorted=0), [numbers(2, 1, 2, shape=(3,))], [2, 1]),
    "Gemm 6": (node("Gemm", 3, opset=6, beta=2.0), [np.ones((1, 1), np.float32)] * 3, [3]),
    "Concat 1": (node("Concat", 2, opset=1), [ONES, 2 * ONES], [1, 1, 2, 2]),
    "Reshape 1": (node("Reshape", 1, opset=1, shape=(0, -1)), [ONES], [1, 1]),
    "Split 1": (node("Split", 2, opset=1, axis=1), [ONES, np.array([1, 1])], [1]),
    "Tile 1": (node("Tile", 3, opset=1), [ONES, np.array(2), np.array(1)], [1, 1, 1, 1]),
}


@pytest.mark.parametrize(("made", "inputs", "expected"), DEPARTURES.values(), ids=DEPARTURES.keys())
def test_the_specification_is_followed(made: Node, inputs: list[Array], expected: list[float]) -> None:
    np.testing.assert_allclose(fast(made, *inputs).ravel(), expected, rtol=1e-6)


@pytest.mark.parametrize(("made", "inputs", "expected"), DEPARTURES.values(), ids=DEPARTURES.keys())
def test_the_reference_still_departs(made: Node, inputs: list[Array], expected: list[float]) -> None:
    try:
        result: Any = plain(made, *inputs).ravel()
    except TexelscopeError:
        return
    assert len(result) != len(expected) or not np.allclose(result, expected, rtol=1e-6)
