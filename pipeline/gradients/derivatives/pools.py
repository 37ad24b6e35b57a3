"""Differentiates pools over windows and whole images: MaxPool, AveragePool, LpPool, the global pools, MaxUnpool."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.convolutions import back_to_elements, sliding
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.windows import Window


def average_pool(node: Backward) -> None:
    """Computes dx: the sum, over the windows around x, of dy / the number of elements that the window counts."""
    window = _window(node)
    counts = _counts(node, window)
    if counts.min() == counts.max():
        node.result(0, _spread(node, node.dy(), window, 1.0 / float(counts.min())))
        return
    shares = node.constant(1.0 / counts, label="shares")
    node.result(0, _spread(node, node.add("Mul", node.dy(), shares, label="shared"), window))


def lp_pool(node: Backward) -> None:
    """Uses y = (Σ |x|ᵖ)^(1/p): dx = sign(x) · |x|ᵖ⁻¹ · Σ over the windows of dy · y¹⁻ᵖ, and 0 where y is 0."""
    node.result(0, _by_power(node, _spread(node, _over_norm(node), _window(node))))


def max_pool(node: Backward) -> None:
    """Passes dy to the first largest element of its window, which the second output locates."""
    window = _window(node)
    places = _places(node)
    shape = node.shape(0)
    if _tiles(window, shape[2:], node.y_info().shape[2:]):
        unpooled = node.add(
            "MaxUnpool", node.dy(), places, label="dx", kernel_shape=window.kernel, strides=window.stride
        )
        node.result(0, unpooled)
        return
    n, channels, *spatial = shape
    count, taps = node.count(node.y_info().shape[2:]), window.count
    size = node.whole(math.prod(spatial), label="elements")
    within = node.to_shape(node.add("Mod", places, size, label="in_channel"), (n, channels, 1, count), label="places")
    is_largest = node.add("Equal", within, node.constant(_table(node, window), "int64", label="reads"), label="largest")
    dy = node.to_shape(node.dy(), (n, channels, 1, count), label="dy_row")
    columns = node.add("Where", is_largest, dy, node.constant(0.0, label="zero"), label="by_tap")
    folded = node.add(
        "Col2Im", node.to_shape(columns, (n, channels * taps, count), label="columns"), node.whole(*spatial),
        node.whole(*window.kernel), label="dx", strides=window.stride, dilations=window.dilation,
        pads=(*window.pad_before, *_ends(window, tuple(spatial), node.y_info().shape[2:])),
    )  # fmt: skip
    node.result(0, folded)


def global_average_pool(node: Backward) -> None:
    """Computes dx = dy / number of elements, everywhere."""
    share = node.scaled(node.dy(), 1.0 / node.count(node.shape(0)[2:]), label="share")
    node.result(0, node.spread(share, node.shape(0), label="dx"))


def global_max_pool(node: Backward) -> None:
    """Passes dy to the first largest element."""
    n, channels, *spatial = node.shape(0)
    count = math.prod(spatial)
    row = node.to_shape(node.x(0), (n, channels, count), label="x_row")
    largest = node.add("ArgMax", row, label="place", axis=2, keepdims=1)
    is_largest = node.add("Equal", largest, node.constant(np.arange(count), "int64", label="places"), label="largest")
    dy = node.to_shape(node.dy(), (n, channels, 1), label="dy_row")
    dx = node.add("Where", is_largest, dy, node.constant(0.0, label="zero"), label="dx_row")
    node.result(0, node.to_shape(dx, node.shape(0), label="dx"))


def global_lp_pool(node: Backward) -> None:
    """Differentiates as `lp_pool`, with one window."""
    node.result(0, _by_power(node, _over_norm(node)))


def max_unpool(node: Backward) -> None:
    """Computes dx: dy at the place of the index."""
    if node.has(2) and not _covers(node):
        raise node.refusal("an output of the size that its windows cover", "another", "Leave output_shape out.")
    row = node.to_shape(node.dy(), (node.count(node.y_info().shape),), label="dy_row")
    node.result(0, node.add("Gather", row, node.x(1), label="dx", axis=0))


def _window(node: Backward) -> Window:
    return sliding(node, tuple(node.required("kernel_shape")))


def _spread(node: Backward, dy: str, window: Window, weight: float = 1.0) -> str:
    """Returns the sum over the windows around an element of `dy`, times `weight`."""
    channels = node.shape(0)[1]
    weights = node.constant(np.full((channels, 1, *window.kernel), weight), label="weights")
    return back_to_elements(node, dy, weights, window, channels)


def _reads(window: Window, axis: int, count: int) -> NDArray[np.int64]:
    """Returns the places of each window's taps along an axis: [count, taps]."""
    starts = np.arange(count) * window.stride[axis] - window.pad_before[axis]
    return np.asarray(starts[:, None] + np.arange(window.kernel[axis]) * window.dilation[axis])


def _counts(node: Backward, window: Window) -> NDArray[np.float64]:
    """Returns how many elements each window counts, with padding for count_include_pad: [1, 1, places]."""
    padded = bool(node.attribute("count_include_pad", 0))
    counts = np.ones((1, 1))
    for axis, size in enumerate(node.shape(0)[2:]):
        before, after = (window.pad_before[axis], window.pad_after[axis]) if padded else (0, 0)
        places = _reads(window, axis, node.y_info().shape[2 + axis])
        inside = ((places >= -before) & (places < size + after)).sum(axis=1)
        counts = counts[..., None] * np.maximum(inside, 1)
    return counts


def _over_norm(node: Backward) -> str:
    """Returns dy · y¹⁻ᵖ, 0 where y is 0."""
    p = int(node.attribute("p", 2))
    if p == 1:
        return node.dy()
    zero = node.constant(0.0, label="zero")
    powered = node.y() if p == 2 else node.add("Pow", node.y(), node.constant(p - 1.0, label="power"), label="powered")
    share = node.add("Div", node.dy(), powered, label="share")
    return node.add("Where", node.add("Greater", node.y(), zero, label="some"), share, zero, label="over_norm")


def _by_power(node: Backward, shares: str) -> str:
    """Returns `shares` times sign(x) · |x|ᵖ⁻¹."""
    p = int(node.attribute("p", 2))
    if p == 2:
        return node.add("Mul", node.x(0), shares, label="by_x")
    signed = node.add("Mul", node.add("Sign", node.x(0)), shares, label="signed")
    if p == 1:
        return signed
    size = node.add("Pow", node.add("Abs", node.x(0)), node.constant(p - 1.0, label="power"), label="size")
    return node.add("Mul", signed, size, label="by_power")


def _places(node: Backward) -> str:
    """Returns the places of the largest elements, counted through the whole input row by row."""
    if node.makes(1) and not node.attribute("storage_order", 0):
        return node.y(1)
    said = {key: value for key, value in node.attributes.items() if key != "storage_order"}
    return node.add_several("MaxPool", node.x(0), labels=("largest_again", "places"), **said)[1]


def _tiles(window: Window, spatial: Shape, places: Shape) -> bool:
    """Whether windows side by side cover everything, each element once."""
    covered = tuple(count * size for count, size in zip(places, window.kernel, strict=True))
    is_plain = not any((*window.pad_before, *window.pad_after)) and set(window.dilation) == {1}
    return is_plain and window.stride == window.kernel and covered == spatial


def _ends(window: Window, spatial: Shape, places: Shape) -> Shape:
    """Returns the padding at the end that gives this number of windows."""
    last = (int(_reads(window, axis, count)[-1, -1]) for axis, count in enumerate(places))
    return tuple(max(place + 1 - size, 0) for place, size in zip(last, spatial, strict=True))


def _table(node: Backward, window: Window) -> NDArray[np.int64]:
    """Returns the element of each tap of each window, counted through a channel, −1 for padding: [taps, windows]."""
    spatial, places = node.shape(0)[2:], node.y_info().shape[2:]
    rank = len(spatial)
    found, inside = np.zeros((1,) * 2 * rank, dtype=np.int64), np.ones((1,) * 2 * rank, dtype=bool)
    for axis, size in enumerate(spatial):
        shape = [1] * 2 * rank
        shape[axis], shape[rank + axis] = window.kernel[axis], places[axis]
        reads = _reads(window, axis, places[axis]).T.reshape(shape)
        found, inside = found * size + reads, inside & (reads >= 0) & (reads < size)
    return np.where(inside, found, -1).reshape(window.count, -1)


def _covers(node: Backward) -> bool:
    """Whether the output of a MaxUnpool has the size in which its indices count."""
    kernel, spatial = node.required("kernel_shape"), node.shape(0)[2:]
    rank = len(spatial)
    strides = node.attribute("strides", None) or (1,) * rank
    pads = node.attribute("pads", None) or (0,) * 2 * rank
    return node.y_info().shape[2:] == tuple(
        (size - 1) * strides[i] - pads[i] - pads[rank + i] + kernel[i] for i, size in enumerate(spatial)
    )


DERIVATIVES = {
    "AveragePool": average_pool,
    "GlobalAveragePool": global_average_pool,
    "GlobalLpPool": global_lp_pool,
    "GlobalMaxPool": global_max_pool,
    "LpPool": lp_pool,
    "MaxPool": max_pool,
    "MaxUnpool": max_unpool,
}
