"""Updates put into a copy: replacing, added, multiplied, and the largest and smallest."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, real

_ONCE = np.array([[0, 2, 3], [-1, 0, 2]], dtype=np.int64)
_TWICE = np.array([[0, 2, 2], [-1, 1, 2]], dtype=np.int64)
_TUPLES = np.array([[0, 2], [1, 0], [1, -1]], dtype=np.int64)
_TUPLES_TWICE = np.array([[1], [0], [1]], dtype=np.int64)


def _apart(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[Array, Array]:
    """Two tensors with no number in common."""
    count = int(np.prod(first))
    numbers = apart(count + int(np.prod(second)))
    return numbers[:count].reshape(first), numbers[count:].reshape(second)


def _elements(reduction: str) -> GradientCase:
    x, u = _apart((3, 4), (2, 3))
    attributes = {"axis": 1, "reduction": reduction}
    return GradientCase(
        NodeCase("ScatterElements", (x, _ONCE if reduction == "none" else _TWICE, u), attributes), fast=True
    )


def _nd(reduction: str) -> GradientCase:
    x, u = _apart((2, 5), (3, 5))
    return GradientCase(NodeCase("ScatterND", (x, _TUPLES_TWICE, u), {"reduction": reduction}))


def _tensor(mode: str, shape: tuple[int, ...], update: tuple[int, ...], first: Array | None, axis: int) -> GradientCase:
    given = (real(*shape), real(*update, seed=1), first)
    node = NodeCase("TensorScatter", given, {"mode": mode, "axis": axis}, opset=24)
    return GradientCase(node, torch_too=False)


_ZERO_AMONG = np.array([[0.0, 2.0, 0.0, 0.5], [1.5, 0.0, -1.0, 3.0]], dtype=np.float32)
_ZERO_UPDATES = np.array([[2.0, 0.0, 1.5], [-1.0, 0.0, 0.0]], dtype=np.float32)

CASES = (
    *(_elements(reduction) for reduction in ("none", "add", "mul", "max", "min")),
    GradientCase(
        NodeCase("ScatterElements", (_ZERO_AMONG, _TWICE, _ZERO_UPDATES), {"axis": 1, "reduction": "mul"}), fast=True
    ),
    GradientCase(NodeCase("ScatterElements", (real(5), ints(1, 4), real(2, seed=1)), constant=(1,))),
    GradientCase(NodeCase("Scatter", (real(3, 5), _ONCE[:, :2], real(2, 2, seed=1)), opset=9), fast=True),
    GradientCase(NodeCase("ScatterND", (real(2, 3, 5), _TUPLES, real(3, 5, seed=1)))),
    *(_nd(reduction) for reduction in ("add", "mul", "max", "min")),
    _tensor("linear", (2, 3, 5, 3), (2, 3, 2, 3), ints(3, 0), -2),
    _tensor("circular", (2, 5, 3), (2, 3, 3), ints(4, 1), 1),
    _tensor("linear", (1, 5, 3), (1, 2, 3), None, -2),
)
