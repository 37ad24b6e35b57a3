"""Pad: what was put around a tensor, taken away or added to the elements that it was a copy of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.along_axes import AxisMap, copies, placed, turned_round
from texelscope.pipeline.gradients.derivatives.backward import Backward

# What numpy calls the modes in which elements are copied.
_COPYING = ("edge", "reflect", "wrap")
# Opsets since which the amounts are an input, and the axes are.
PADS_BY_INPUT, AXES_BY_INPUT = 11, 18


def pad(node: Backward) -> None:
    """dx is the middle of dy, plus what went to the copies; the constant's own gradient sums dy around it."""
    shape, padded = node.shape(0), node.y_info().shape
    mode = str(node.attribute("mode", "constant"))
    begin, end = _amounts(node)
    if mode == "constant":
        if node.wants(0):
            node.result(0, placed(node, node.dy(), padded, [-each for each in begin], shape, "dx"))
        if node.wants(2):
            _of_the_constant(node, begin, end)
        return
    if mode not in _COPYING:
        raise node.refusal(f"a mode of constant, {', '.join(_COPYING)}", f"'{mode}'", "Re-export the model.")
    maps = {
        axis: _copied(shape[axis], begin[axis], end[axis], mode)
        for axis in range(len(shape))
        if begin[axis] or end[axis]
    }
    if node.wants(0):
        node.result(0, turned_round(node, node.dy(), padded, maps, "dx")[0])


def _of_the_constant(node: Backward, begin: list[int], end: list[int]) -> None:
    """dy where nothing of x is, added up."""
    inside = node.filled(0.0, node.shape(0), label="inside")
    amounts, one = node.whole(*begin, *end, label="pads"), node.constant(1.0, label="one")
    around = node.add("Pad", inside, amounts, one, label="around")
    kept = node.add("Mul", node.dy(), around, label="dy_around")
    summed = node.reduced("ReduceSum", kept, range(len(begin)), keep=False, label="sum_around")
    node.result(2, node.to_shape(summed, node.shape(2), label="d_constant") if node.shape(2) else summed)


def _copied(size: int, begin: int, end: int, mode: str) -> AxisMap:
    """Which elements of an axis stand where after padding; negative amounts cut off first."""
    kept = np.arange(size)[max(-begin, 0) : size - max(-end, 0)]
    around = (max(begin, 0), max(end, 0))
    padded: NDArray[np.int64] = np.pad(kept, around, mode=mode)  # type: ignore[call-overload]
    return copies(size, padded)


def _amounts(node: Backward) -> tuple[list[int], list[int]]:
    """Elements put before and after, axis by axis."""
    rank = len(node.shape(0))
    if node.opset >= PADS_BY_INPUT:
        amounts = np.ravel(node.value(1, "pads"))
    else:
        amounts = np.ravel(node.required("pads" if node.opset > 1 else "paddings"))
    axes = range(rank)
    if node.opset >= AXES_BY_INPUT and node.has(3):
        axes = [int(axis) % rank for axis in np.ravel(node.value(3, "axes"))]  # type: ignore[assignment]
    begin, end = [0] * rank, [0] * rank
    for axis, first, last in zip(axes, *amounts.reshape(2, -1).tolist(), strict=True):
        begin[axis], end[axis] = first, last
    return begin, end


DERIVATIVES = {"Pad": pad}
FLAT = ()
