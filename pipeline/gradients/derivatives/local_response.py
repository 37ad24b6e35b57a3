"""Normalisation by neighbouring channels: LRN."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def lrn(node: Backward) -> None:
    """With b = bias + α/n · Σ x² over n channels: dx = dy · b^−β − 2αβ/n · x · Σ dy · y / b over those that read x."""
    size, beta = int(node.required("size")), float(node.attribute("beta", 0.75))
    scale = float(node.attribute("alpha", 1e-4)) / size
    before, after = (size - 1) // 2, size // 2
    squares = node.add("Mul", node.x(0), node.x(0), label="squares")
    sums = node.scaled(_window_sum(node, squares, before, after, "sums"), scale, label="sums_scaled")
    base = node.add("Add", sums, node.constant(float(node.attribute("bias", 1.0)), label="bias"), label="base")
    over = node.add("Div", node.add("Mul", node.dy(), node.y(), label="dy_by_y"), base, label="over_base")
    back = node.scaled(_window_sum(node, over, after, before, "back"), 2.0 * beta * scale, label="back_scaled")
    power = node.add("Pow", base, node.constant(-beta, label="exponent"), label="power")
    straight = node.add("Mul", node.dy(), power, label="straight")
    node.result(0, node.add("Sub", straight, node.add("Mul", node.x(0), back, label="across"), label="dx"))


def _window_sum(node: Backward, tensor: str, before: int, after: int, label: str) -> str:
    """For each channel the sum from `before` channels before it to `after` behind it: a convolution along them."""
    n, channels, *spatial = node.shape(0)
    plane = node.to_shape(tensor, (n, 1, channels, node.count(tuple(spatial))), label=f"{label}_plane")
    ones = node.constant(np.ones((1, 1, before + after + 1, 1)), label="ones")
    summed = node.add("Conv", plane, ones, label=f"{label}_summed", pads=(before, 0, after, 0))
    return node.to_shape(summed, node.shape(0), label=label)


DERIVATIVES = {"LRN": lrn}
FLAT = ()
