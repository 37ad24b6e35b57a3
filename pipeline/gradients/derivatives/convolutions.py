"""Differentiates convolutions, and the sum of windows that Col2Im is: gradients through a sliding window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.gradients.derivatives.along_axes import placed
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.windows import Window, padding


def sliding(node: Backward, kernel: Shape) -> Window:
    """Returns the window of a convolution or pool over the spatial axes of its first input, of any number."""
    spatial = node.shape(0)[2:]
    strides, dilations = (steps(node, name, len(spatial)) for name in ("strides", "dilations"))
    before, after = padding(node.attributes, spatial, kernel, strides, dilations)
    return Window(tuple(kernel), strides, dilations, before, after)


def steps(node: Backward, name: str, rank: int) -> Shape:
    """Returns the attribute `name` with one entry per axis, by default 1."""
    return tuple(node.attribute(name, None) or (1,) * rank)


def back_to_elements(node: Backward, dy: str, weights: str, window: Window, group: int, label: str = "dx") -> str:
    """Computes Σ over the windows around an element of dy times the weight of the tap on it: [N, C, spatial].

    `dy` is of the shape of the node's output, the result of that of its first input; `weights` are [channels of dy,
    C / group, taps]. It is the transposed convolution, whose padding at the end, or the space left there, follows
    from the two shapes.
    """
    spatial, places = node.shape(0)[2:], node.y_info().shape[2:]
    ends = [
        full - before - size
        for full, before, size in zip(_reach(window, places), window.pad_before, spatial, strict=True)
    ]
    return node.add(
        "ConvTranspose", dy, weights, label=label, group=group, dilations=window.dilation, strides=window.stride,
        pads=(*window.pad_before, *(max(end, 0) for end in ends)),
        output_padding=tuple(max(-end, 0) for end in ends),
    )  # fmt: skip


def back_to_weights(
    node: Backward, x: str, x_shape: Shape, dy: str, dy_shape: Shape, window: Window, group: int
) -> str:
    """Computes Σ over images and places of dy times the element that a tap reads: [channels of dy, C / group, taps].

    `x` is [N, C, spatial] of `x_shape`, `dy` [N, O, places] of `dy_shape`. It is the convolution of x with dy, with
    channels replacing images, and strides and dilations exchanged.
    """
    n, channels, *spatial = x_shape
    places = dy_shape[2:]
    read = [reach - before for reach, before in zip(_reach(window, places), window.pad_before, strict=True)]
    x, kept = cropped(node, x, x_shape, read, label="x_read")
    product = node.add(
        "Conv",
        _channels_first(node, x, (n, channels, *kept), group, label="x_by_channel"),
        node.transposed(dy, _swapped(len(dy_shape)), label="dy_by_channel"),
        label="dw_by_channel", group=group, strides=window.dilation, dilations=window.stride,
        pads=(*window.pad_before, *(max(end - size, 0) for end, size in zip(read, spatial, strict=True))),
    )  # fmt: skip
    return node.transposed(product, _swapped(len(x_shape)), label="dw")


def cropped(node: Backward, tensor: str, shape: Shape, most: Sequence[int], label: str) -> tuple[str, Shape]:
    """Cuts off the spatial axes of `tensor` after `most` elements; returns their sizes too."""
    spatial = shape[2:]
    kept = tuple(min(size, end) for size, end in zip(spatial, most, strict=True))
    cut = [axis for axis, (size, end) in enumerate(zip(spatial, kept, strict=True), 2) if end < size]
    if not cut:
        return tensor, kept
    starts, ends = node.whole(*[0] * len(cut)), node.whole(*(kept[axis - 2] for axis in cut))
    return node.add("Slice", tensor, starts, ends, node.whole(*cut, label="axes"), label=label), kept


def _reach(window: Window, places: Shape) -> tuple[int, ...]:
    """Returns how many elements this many windows span, along each axis."""
    axes = zip(places, window.stride, window.kernel, window.dilation, strict=True)
    return tuple((count - 1) * stride + (kernel - 1) * dilation + 1 for count, stride, kernel, dilation in axes)


def _swapped(rank: int) -> Shape:
    return (1, 0, *range(2, rank))


def _channels_first(node: Backward, tensor: str, shape: Shape, group: int, label: str) -> str:
    """Reorders [N, C, …] as [C / group, group · N, …]."""
    if group == 1:
        return node.transposed(tensor, _swapped(len(shape)), label=label)
    n, channels, *spatial = shape
    each = channels // group
    parted = node.to_shape(tensor, (n, group, each, node.count(tuple(spatial))), label=f"{label}_parted")
    turned = node.transposed(parted, (2, 1, 0, 3), label=label)
    return node.to_shape(turned, (each, group * n, *spatial), label=f"{label}_joined")


def conv(node: Backward) -> None:
    """Computes dx, the transposed convolution of dy with w, dw, the convolution of x with dy, and db, the sum of dy."""
    window, group = sliding(node, node.shape(1)[2:]), int(node.attribute("group", 1))
    x, y = node.shape(0), node.y_info().shape
    if node.wants(0):
        node.result(0, back_to_elements(node, node.dy(), node.x(1), window, group))
    if node.wants(1):
        node.result(1, back_to_weights(node, node.x(0), x, node.dy(), y, window, group))
    _bias(node, len(x))


def conv_transpose(node: Backward) -> None:
    """Computes dx, the convolution of dy with w, dw, the convolution of dy with x, and db, the sum of dy."""
    window, group = _window(node), int(node.attribute("group", 1))
    x, y = node.shape(0), node.y_info().shape
    if node.wants(0):
        axes = zip(x[2:], window.kernel, window.stride, window.dilation, window.pad_before, strict=True)
        ends = [(size - 1) * s + (kernel - 1) * d + 1 - before for size, kernel, s, d, before in axes]
        dy, kept = cropped(node, node.dy(), y, ends, label="dy_reached")
        dx = node.add(
            "Conv", dy, node.x(1), label="dx", group=group, strides=window.stride, dilations=window.dilation,
            pads=(*window.pad_before, *(end - size for end, size in zip(ends, kept, strict=True))),
        )  # fmt: skip
        node.result(0, dx)
    if node.wants(1):
        node.result(1, back_to_weights(node, node.dy(), y, node.x(0), x, window, group))
    _bias(node, len(x))


def _bias(node: Backward, rank: int) -> None:
    if node.wants(2):
        node.result(2, node.reduced("ReduceSum", node.dy(), (0, *range(2, rank)), keep=False, label="db"))


def _window(node: Backward) -> Window:
    """Returns the window of a transposed convolution, which spreads each element over places of the output.

    If `output_shape` or auto_pad determine the output's size, the padding follows from it, as ONNX defines it.
    """
    kernel, spatial = node.shape(1)[2:], node.shape(0)[2:]
    rank = len(spatial)
    strides, dilations = (steps(node, name, rank) for name in ("strides", "dilations"))
    auto_pad = node.attribute("auto_pad", "NOTSET")
    before: Shape = tuple(node.attribute("pads", None) or (0,) * 2 * rank)[:rank]
    if node.attribute("output_shape", None) or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        extra = node.attribute("output_padding", None) or (0,) * rank
        axes = zip(spatial, kernel, strides, dilations, extra, node.y_info().shape[2:], strict=True)
        totals = [max(s * (size - 1) + more + (k - 1) * d + 1 - y, 0) for size, k, s, d, more, y in axes]
        before = tuple(total // 2 if auto_pad == "SAME_UPPER" else total - total // 2 for total in totals)
    elif auto_pad == "VALID":
        before = (0,) * rank
    return Window(tuple(kernel), strides, dilations, before, (0,) * rank)


def col2im(node: Backward) -> None:
    """Computes dx: each column has the window of dy that it was added to."""
    if not node.wants(0):
        return
    block = [int(size) for size in node.value(2, "a block shape")]
    rank = len(block)
    strides = node.attribute("strides", None) or (1,) * rank
    dilations = node.attribute("dilations", None) or (1,) * rank
    pads = node.attribute("pads", None) or (0,) * (2 * rank)
    image = node.y_info().shape
    n, c, *sizes = image
    padded = [size + pads[axis] + pads[rank + axis] for axis, size in enumerate(sizes)]
    # Places in the padded picture, [element of the window, window].
    places = np.zeros((1, 1), dtype=np.int64)
    for axis, size in enumerate(padded):
        reach = (block[axis] - 1) * dilations[axis] + 1
        windows = np.arange(0, size - reach + 1, strides[axis])
        along = np.arange(block[axis])[:, None] * dilations[axis] + windows
        both = places[:, None, :, None] * size + along[None, :, None, :]
        places = both.reshape(len(places) * block[axis], -1)
    around = placed(node, node.dy(), image, (0, 0, *pads[:rank]), (n, c, *padded), "padded")
    flat = node.to_shape(around, (n, c, int(np.prod(padded))), label="in_a_row")
    cut = node.add("Gather", flat, node.constant(places, "int64", "places"), label="windows", axis=2)
    node.result(0, node.to_shape(cut, node.shape(0), label="dx"))


DERIVATIVES = {
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Col2Im": col2im,
}
