"""DFT: a linear map, whose transpose is the transform the other way, up to its factor."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def dft(node: Backward) -> None:
    """Y = F · X, with F of e^(−2πi·kn/N): dx = F̄ · dY, of which what was padded is left out; N is `length`.

    The inverse is F̄ / N and turns round to F / N. A one-sided transform leaves out terms: their gradient is 0. A
    one-sided inverse takes every term but the first and the middle one twice.
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


DERIVATIVES = {"DFT": dft}
FLAT = ()
