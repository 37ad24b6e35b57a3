"""Differentiates DFT and STFT: linear maps, whose transpose is the transform the other way, up to its factor."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def dft(node: Backward) -> None:
    """Differentiates Y = F · X, with F of e^(−2πi·kn/N): dx = F̄ · dY without the padding; N is `length`.

    The inverse is F̄ / N and its transpose F / N. A one-sided transform leaves out terms: their gradient is 0. A
    one-sided inverse counts every term but the first and the middle one twice.
    """
    shape, axis = node.shape(0), _axis(node)
    inverse, onesided = bool(node.attribute("inverse", 0)), bool(node.attribute("onesided", 0))
    size, mirrored = shape[axis], inverse and onesided
    length = 2 * (size - 1) if mirrored else size
    if node.has(1):
        length = int(node.value(1, "a length").reshape(()))
    back = node.add(
        "DFT", node.dy(), node.constant(length, "int64", label="length"), node.constant(axis, "int64", label="axis"),
        label="turned_round", inverse=int(not inverse), onesided=int(mirrored),
    )  # fmt: skip
    back = node.scaled(back, 1.0 / length if inverse else float(length), label="unscaled")
    terms = length // 2 + 1 if mirrored else length
    if mirrored:
        times = np.full(terms, 2.0)
        times[[0, *([] if length % 2 else [length // 2])]] = 1.0
        along = [1] * len(shape)
        along[axis] = terms
        back = node.add("Mul", back, node.constant(times.reshape(along), label="times"), label="both_halves")
    if size < terms:
        back = _cut(node, back, axis, size)
    if size > terms:
        pads = [0] * (2 * len(shape))
        pads[len(shape) + axis] = size - terms
        back = node.add("Pad", back, node.whole(*pads, label="pads"), label="unread")
    node.result(0, back if shape[-1] == 2 else _cut(node, back, len(shape) - 1, 1))


def _cut(node: Backward, tensor: str, axis: int, size: int) -> str:
    return node.add("Slice", tensor, *(node.whole(place) for place in (0, size, axis)), label="cut")


def _axis(node: Backward) -> int:
    if node.opset < 20:
        return node.axis(default=1)
    given = int(node.value(2, "an axis").reshape(())) if node.has(2) else -2
    return given % len(node.shape(0))


def stft(node: Backward) -> None:
    """Uses Y = F · (w · x_f) for each window x_f of x: dx adds up w · F̄ · dY at its windows, dw sums x_f · F̄ · dY.

    For a real signal the real part counts. A one-sided transform leaves out terms: their gradient is 0.
    """
    length = node.shape(2)[0] if node.has(2) else int(node.value(3, "a frame's length").reshape(()))
    is_real = len(node.shape(0)) == 2 or node.shape(0)[2] == 1
    parts = 1 if is_real else 2
    batch, frames = node.y_info().shape[:2]
    back = node.add(
        "DFT", node.dy(), node.constant(length, "int64", label="length"), node.constant(2, "int64", label="axis"),
        label="turned_round", inverse=1, onesided=0,
    )  # fmt: skip
    back = node.scaled(back, float(length), label="unscaled")
    if is_real:
        bounds = (node.whole(place) for place in (0, 1, 3))
        back = node.add("Slice", back, *bounds, label="real_part")
    step = int(node.value(1, "a step").reshape(()))
    if node.wants(0):
        weighted = back
        if node.has(2):
            window = node.to_shape(node.x(2), (length, 1), label="window")
            weighted = node.add("Mul", back, window, label="weighted")
        _of_the_signal(node, weighted, (batch, frames, length, parts), step)
    if node.wants(2):
        places = step * np.arange(frames)[:, None] + np.arange(length)
        signal = node.to_shape(node.x(0), (batch, node.shape(0)[1], parts), label="signal")
        windows = node.add("Gather", signal, node.constant(places, "int64", "places"), label="windows", axis=1)
        product = node.add("Mul", windows, back, label="products")
        node.result(2, node.reduced("ReduceSum", product, (0, 1, 3), keep=False, label="dw"))


def _of_the_signal(node: Backward, windows: str, shape: tuple[int, int, int, int], step: int) -> None:
    """Adds up windows [batch, frames, length, parts], as blocks of a picture of one row."""
    batch, frames, length, parts = shape
    columns = node.transposed(windows, (0, 3, 2, 1), label="columns")
    blocks = node.to_shape(columns, (batch * parts, length, frames), label="blocks")
    count = node.shape(0)[1]
    added = node.add(
        "Col2Im", blocks, node.whole(1, count, label="sizes"), node.whole(1, length, label="block"),
        label="overlaps_added", strides=[1, step],
    )  # fmt: skip
    rows = node.to_shape(added, (batch, parts, count), label="dx_of_parts")
    node.result(0, node.to_shape(node.transposed(rows, (0, 2, 1), label="dx_rows"), node.shape(0), label="dx"))


DERIVATIVES = {
    "DFT": dft,
    "STFT": stft,
}
