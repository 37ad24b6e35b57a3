"""Resize and Upsample: along each axis a map of known weights, turned round."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from texelscope.pipeline.gradients.derivatives.along_axes import AxisMap, turned_round
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.resampling import AxisTaps, axis_taps


def resize(node: Backward) -> None:
    """dx sums dy times the weight that each element had. What is extrapolated gives nothing back."""
    if not node.wants(0):
        return
    shape, tensor, so_far = node.shape(0), node.dy(), node.y_info().shape
    taps = {axis: each for axis, each in enumerate(axis_taps(node.call)) if each is not None}
    repeated = {axis for axis, each in taps.items() if _repeats(each, shape[axis])}
    if repeated:
        tensor, so_far = _folded(node, tensor, so_far, shape, repeated)
    maps: Mapping[int, AxisMap] = {
        axis: AxisMap(shape[axis], each.elements, each.weights) for axis, each in taps.items() if axis not in repeated
    }
    node.result(0, turned_round(node, tensor, so_far, maps, "dx")[0])


def _repeats(taps: AxisTaps, size: int) -> bool:
    """Whether each element stands there equally often, one after the other."""
    return len(taps.elements) > size and len(taps.elements) % size == 0 and taps.is_proportional(size)


def _folded(node: Backward, tensor: str, whole: Shape, shape: Shape, axes: Collection[int]) -> tuple[str, Shape]:
    """Repeats along `axes` added up, and the shape then."""
    sizes: list[int] = []
    summed, left = [], []
    for axis, size in enumerate(whole):
        if axis in axes:
            summed.append(len(sizes) + 1)
            sizes += [shape[axis], size // shape[axis]]
            left.append(shape[axis])
        else:
            sizes.append(size)
            left.append(size)
    apart = node.to_shape(tensor, tuple(sizes), label="repeats")
    return node.reduced("ReduceSum", apart, summed, keep=False, label="folded"), tuple(left)


DERIVATIVES = {"Resize": resize, "Upsample": resize}
FLAT = ()
