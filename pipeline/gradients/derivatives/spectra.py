"""STFT: each window's transform turned round, weighted, and added up where windows overlap."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def stft(node: Backward) -> None:
    """Y = F · (w · x_f) for each window x_f of x: dx adds up w · F̄ · dY at its windows, dw sums x_f · F̄ · dY.

    Of a real signal the real part counts. A one-sided transform leaves out terms: their gradient is 0.
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
    """Windows [batch, frames, length, parts] added up, as blocks of a picture of one row."""
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


DERIVATIVES = {"STFT": stft}
FLAT = ()
