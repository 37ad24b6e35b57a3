"""Tensors put together and taken apart: Concat, Split, Slice, Compress, Trilu, ReverseSequence."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.along_axes import placed, put_back
from texelscope.pipeline.gradients.derivatives.backward import Backward

# Opset since which Slice has starts, ends, axes and steps as inputs.
SLICE_BY_INPUTS = 10


def concat(node: Backward) -> None:
    """Each input's gradient is its part of dy."""
    shape = node.y_info().shape
    # Opset 1 takes axis 1 where none is said.
    axis = node.axis(default=1, rank=len(shape))
    sizes = [node.shape(position)[axis] for position in range(len(node.inputs))]
    for position, end in enumerate(accumulate(sizes)):
        if node.wants(position):
            before = [0] * len(shape)
            before[axis] = sizes[position] - end
            node.result(position, placed(node, node.dy(), shape, before, node.shape(position), f"part_{position}"))


def split(node: Backward) -> None:
    """dx puts the parts' gradients together; of a single one that arrives, zeros around it."""
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
    """dx has dy at the places that were taken, and zeros between and around them."""
    if not node.wants(0):
        return
    shape = node.shape(0)
    starts, ends = _numbers(node, 1, "starts"), _numbers(node, 2, "ends")
    axes = _numbers(node, 3, "axes") or tuple(range(len(starts)))
    steps = _numbers(node, 4, "steps") or (1,) * len(starts)
    places: dict[int, NDArray[np.int64]] = {}
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        size = shape[axis]
        # As Python takes it, where an end of −1 is the last element too.
        places[axis % len(shape)] = np.arange(size)[slice(start, end, step)]
    node.result(0, put_back(node, node.dy(), node.y_info().shape, places, shape, "dx"))


def _numbers(node: Backward, position: int, name: str) -> tuple[int, ...]:
    if node.opset < SLICE_BY_INPUTS:
        return tuple(int(value) for value in node.attribute(name, ()) or ())
    return tuple(int(value) for value in np.ravel(node.value(position, name))) if node.has(position) else ()


def compress(node: Backward) -> None:
    """As of a Slice, of the places where the condition holds; without an axis, of all elements in a row."""
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
    """dx is the same triangle of dy."""
    diagonal = [node.x(1)] if node.has(1) else []
    node.result(0, node.add("Trilu", node.dy(), *diagonal, label="dx", upper=int(node.attribute("upper", 1))))


def reverse_sequence(node: Backward) -> None:
    """dx is dy with the same sequences turned round."""
    batch, time = int(node.attribute("batch_axis", 1)), int(node.attribute("time_axis", 0))
    turned = node.add("ReverseSequence", node.dy(), node.x(1), label="dx", batch_axis=batch, time_axis=time)
    node.result(0, turned)


DERIVATIVES = {
    "Concat": concat,
    "Split": split,
    "Slice": slice_,
    "Compress": compress,
    "Trilu": trilu,
    "ReverseSequence": reverse_sequence,
}
FLAT = ("NonMaxSuppression", "NonZero", "Unique")
