"""Differentiates operators that reshape, reorder, repeat, join, split and pad tensors."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.along_axes import AxisMap, copies, placed, put_back, turned_round
from texelscope.pipeline.gradients.derivatives.backward import Backward

# Since this opset Slice has starts, ends, axes and steps as inputs.
SLICE_BY_INPUTS = 10
# numpy's names of the modes that copy elements.
_COPYING = ("edge", "reflect", "wrap")
# Opsets since which the amounts are an input, and the axes are.
PADS_BY_INPUT, AXES_BY_INPUT = 11, 18


def reshape(node: Backward) -> None:
    """Computes dx = dy in the shape of x."""
    if node.wants(0):
        node.result(0, node.to_shape(node.dy(), node.shape(0), label="dx"))


def transpose(node: Backward) -> None:
    """Computes dx = dy, its axes put back."""
    rank = len(node.shape(0))
    order = node.attribute("perm", None) or tuple(reversed(range(rank)))
    node.result(0, node.transposed(node.dy(), np.argsort(order).tolist(), label="dx"))


def depth_to_space(node: Backward) -> None:
    """Computes dx: SpaceToDepth of dy; where columns come first (CRD), axis by axis, as opset 23 has no name for it."""
    block = int(node.required("blocksize"))
    if node.attribute("mode", "DCR") == "DCR":
        node.result(0, node.add("SpaceToDepth", node.dy(), label="dx", blocksize=block))
        return
    n, c, h, w = node.shape(0)
    blocks = node.to_shape(node.dy(), (n, c // (block * block), h, block, w, block), label="blocks")
    stacked = node.transposed(blocks, (0, 1, 3, 5, 2, 4), label="stacked")
    node.result(0, node.to_shape(stacked, node.shape(0), label="dx"))


def space_to_depth(node: Backward) -> None:
    """Computes dx: DepthToSpace of dy, in the same mode."""
    mode = node.attribute("mode", "DCR")
    node.result(
        0, node.add("DepthToSpace", node.dy(), label="dx", blocksize=int(node.required("blocksize")), mode=mode)
    )


def expand(node: Backward) -> None:
    """Computes dx: sums dy over the axes that x was spread along."""
    node.give(0, node.dy())


def tile(node: Backward) -> None:
    """Computes dx: sums dy over the repeats: each axis is one of repeats around one of elements."""
    if not node.wants(0):
        return
    shape = node.shape(0)
    repeats = [whole // size for whole, size in zip(node.y_info().shape, shape, strict=True)]
    sizes: list[int] = []
    summed = []
    for size, times in zip(shape, repeats, strict=True):
        if times > 1:
            summed.append(len(sizes))
            sizes.append(times)
        sizes.append(size)
    apart = node.to_shape(node.dy(), tuple(sizes), label="repeats") if summed else node.dy()
    node.result(0, node.reduced("ReduceSum", apart, summed, keep=False, label="dx"))


def concat(node: Backward) -> None:
    """Gives each input its part of dy."""
    shape = node.y_info().shape
    # Opset 1 uses axis 1 by default.
    axis = node.axis(default=1, rank=len(shape))
    sizes = [node.shape(position)[axis] for position in range(len(node.inputs))]
    for position, end in enumerate(accumulate(sizes)):
        if node.wants(position):
            before = [0] * len(shape)
            before[axis] = sizes[position] - end
            node.result(position, placed(node, node.dy(), shape, before, node.shape(position), f"part_{position}"))


def split(node: Backward) -> None:
    """Computes dx: joins the parts' gradients; with a single one, zeros around it."""
    if not node.wants(0):
        return
    axis, shape = node.axis(), node.shape(0)
    sizes = [node.y_info(position).shape[axis] for position in range(len(node.call.node.outputs))]
    arriving = [position for position in range(len(sizes)) if node.arrives(position)]
    if len(arriving) == 1 < len(sizes):
        before = [0] * len(shape)
        before[axis] = sum(sizes[: arriving[0]])
        part = node.y_info(arriving[0]).shape
        node.result(0, placed(node, node.dy(arriving[0]), part, before, shape, "dx"))
    else:
        node.result(0, node.add("Concat", *map(node.dy, range(len(sizes))), label="dx", axis=axis))


def slice_(node: Backward) -> None:
    """Computes dx: dy at the selected places, and zeros between and around them."""
    if not node.wants(0):
        return
    shape = node.shape(0)
    starts, ends = _numbers(node, 1, "starts"), _numbers(node, 2, "ends")
    axes = _numbers(node, 3, "axes") or tuple(range(len(starts)))
    steps = _numbers(node, 4, "steps") or (1,) * len(starts)
    places: dict[int, NDArray[np.int64]] = {}
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        size = shape[axis]
        # As in Python, where an end of −1 is the last element too.
        places[axis % len(shape)] = np.arange(size)[slice(start, end, step)]
    node.result(0, put_back(node, node.dy(), node.y_info().shape, places, shape, "dx"))


def _numbers(node: Backward, position: int, name: str) -> tuple[int, ...]:
    if node.opset < SLICE_BY_INPUTS:
        return tuple(int(value) for value in node.attribute(name, ()) or ())
    return tuple(int(value) for value in np.ravel(node.value(position, name))) if node.has(position) else ()


def compress(node: Backward) -> None:
    """Differentiates as Slice, for the places where the condition holds; without an axis, of all elements in a row."""
    if not node.wants(0):
        return
    shape = node.shape(0)
    places = np.flatnonzero(node.value(1, "a condition"))
    if node.attribute("axis", None) is not None:
        node.result(0, put_back(node, node.dy(), node.y_info().shape, {node.axis(): places}, shape, "dx"))
        return
    count = node.count(shape)
    flat = put_back(node, node.dy(), node.y_info().shape, {0: places}, (count,), "elements")
    node.result(0, node.to_shape(flat, shape, label="dx"))


def trilu(node: Backward) -> None:
    """Computes dx: the same triangle of dy."""
    diagonal = [node.x(1)] if node.has(1) else []
    node.result(0, node.add("Trilu", node.dy(), *diagonal, label="dx", upper=int(node.attribute("upper", 1))))


def reverse_sequence(node: Backward) -> None:
    """Computes dx: dy with the same sequences reversed."""
    batch, time = int(node.attribute("batch_axis", 1)), int(node.attribute("time_axis", 0))
    turned = node.add("ReverseSequence", node.dy(), node.x(1), label="dx", batch_axis=batch, time_axis=time)
    node.result(0, turned)


def pad(node: Backward) -> None:
    """Computes dx: the middle of dy, plus dy of the copies; the constant's own gradient sums dy around it."""
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
    """Sums dy where there is no element of x."""
    inside = node.filled(0.0, node.shape(0), label="inside")
    amounts, one = node.whole(*begin, *end, label="pads"), node.constant(1.0, label="one")
    around = node.add("Pad", inside, amounts, one, label="around")
    kept = node.add("Mul", node.dy(), around, label="dy_around")
    summed = node.reduced("ReduceSum", kept, range(len(begin)), keep=False, label="sum_around")
    node.result(2, node.to_shape(summed, node.shape(2), label="d_constant") if node.shape(2) else summed)


def _copied(size: int, begin: int, end: int, mode: str) -> AxisMap:
    """Returns which elements of an axis are where after padding; negative amounts are cut off first."""
    kept = np.arange(size)[max(-begin, 0) : size - max(-end, 0)]
    around = (max(begin, 0), max(end, 0))
    padded: NDArray[np.int64] = np.pad(kept, around, mode=mode)  # type: ignore[call-overload]
    return copies(size, padded)


def _amounts(node: Backward) -> tuple[list[int], list[int]]:
    """Returns elements added before and after, by axis."""
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


DERIVATIVES = {
    "Reshape": reshape,
    "Flatten": reshape,
    "Squeeze": reshape,
    "Unsqueeze": reshape,
    "Transpose": transpose,
    "DepthToSpace": depth_to_space,
    "SpaceToDepth": space_to_depth,
    "Expand": expand,
    "Tile": tile,
    "Concat": concat,
    "Split": split,
    "Slice": slice_,
    "Compress": compress,
    "Trilu": trilu,
    "ReverseSequence": reverse_sequence,
    "Pad": pad,
}
FLAT = (
    "ConstantOfShape", "EyeLike", "RandomNormalLike", "RandomUniformLike", "Range", "Shape", "Size",
    "NonMaxSuppression", "NonZero", "Unique",
)  # fmt: skip
