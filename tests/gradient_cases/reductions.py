"""The Reduce family: axes as an attribute and as an input, kept or not, none at all, ties and zeros."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import Array, apart, positive, real


def _case(op_type: str, x: Array, axes: tuple[int, ...] | None = None, keep: int = 1, **more: int) -> GradientCase:
    if axes is None:
        return GradientCase(NodeCase(op_type, (x,), {"keepdims": keep, **more}))
    return GradientCase(NodeCase(op_type, (x, ints(*axes)), {"keepdims": keep, **more}, (1,)))


_ALL = {
    "ReduceL1": apart, "ReduceL2": real, "ReduceLogSum": positive, "ReduceLogSumExp": real, "ReduceMax": apart,
    "ReduceMean": real, "ReduceMin": apart, "ReduceProd": positive, "ReduceSum": real, "ReduceSumSquare": real,
}  # fmt: skip
# Two of three beside a zero, a zero alone, two zeros.
_ZEROS = np.array([[1.5, 0.0, -2.0], [0.5, 2.0, 3.0], [0.0, 0.0, 4.0]], dtype=np.float32)
_TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [0.5, 4.0, 1.0]], dtype=np.float32)

CASES = (
    *(_case(name, make(7)) for name, make in _ALL.items()),
    *(_case(name, make(3, 5), (-1,), 0) for name, make in _ALL.items()),
    *(_case(name, make(2, 3, 5, 3), (3, 1), 0) for name, make in _ALL.items()),
    *(_case(name, make(2, 3, 1, 3, 2), (1, 3)) for name, make in _ALL.items()),
    *(_case(name, make(3, 3), (), noop_with_empty_axes=1) for name, make in _ALL.items()),
    *(
        GradientCase(NodeCase(name, (make(2, 3, 5),), {"axes": [-1, 0], "keepdims": 0}, opset=11))
        for name, make in _ALL.items()
    ),
    _case("ReduceSum", real(), None),
    _case("ReduceProd", _ZEROS, (1,), 0),
    _case("ReduceL2", floats(0.7), (0,)),
)
