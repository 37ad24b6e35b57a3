"""What flows back through a window that slides: to the elements that it reads, and to the weights of its taps."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.windows import Window, padding


def sliding(node: Backward, kernel: Shape) -> Window:
    """The window of a convolution or pool over the spatial axes of its first input, however many those are."""
    spatial = node.shape(0)[2:]
    strides, dilations = (steps(node, name, len(spatial)) for name in ("strides", "dilations"))
    before, after = padding(node.attributes, spatial, kernel, strides, dilations)
    return Window(tuple(kernel), strides, dilations, before, after)


def steps(node: Backward, name: str, rank: int) -> Shape:
    """The attribute `name` with an entry an axis, of 1 where it is left out."""
    return tuple(node.attribute(name, None) or (1,) * rank)


def back_to_elements(node: Backward, dy: str, weights: str, window: Window, group: int, label: str = "dx") -> str:
    """Σ over the windows that an element lies in of dy times the weight of the tap that it is there: [N, C, spatial].

    `dy` is of the shape of the node's output, what is made of that of its first input; `weights` are [channels of dy,
    C / group, taps]. It is the transposed convolution, whose padding at the end, or what it leaves free there, follows
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
    """Σ over images and places of dy times the element that a tap reads there: [channels of dy, C / group, taps].

    `x` is [N, C, spatial] of `x_shape`, `dy` [N, O, places] of `dy_shape`. It is the convolution of x with dy, with
    channels in the place of images, and strides and dilations in that of each other.
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
    """`tensor` with its spatial axes cut off after `most` elements, and what they are then."""
    spatial = shape[2:]
    kept = tuple(min(size, end) for size, end in zip(spatial, most, strict=True))
    cut = [axis for axis, (size, end) in enumerate(zip(spatial, kept, strict=True), 2) if end < size]
    if not cut:
        return tensor, kept
    starts, ends = node.whole(*[0] * len(cut)), node.whole(*(kept[axis - 2] for axis in cut))
    return node.add("Slice", tensor, starts, ends, node.whole(*cut, label="axes"), label=label), kept


def _reach(window: Window, places: Shape) -> tuple[int, ...]:
    """How many elements so many windows lie over, along each axis."""
    axes = zip(places, window.stride, window.kernel, window.dilation, strict=True)
    return tuple((count - 1) * stride + (kernel - 1) * dilation + 1 for count, stride, kernel, dilation in axes)


def _swapped(rank: int) -> Shape:
    return (1, 0, *range(2, rank))


def _channels_first(node: Backward, tensor: str, shape: Shape, group: int, label: str) -> str:
    """[N, C, …] as [C / group, group · N, …]."""
    if group == 1:
        return node.transposed(tensor, _swapped(len(shape)), label=label)
    n, channels, *spatial = shape
    each = channels // group
    parted = node.to_shape(tensor, (n, group, each, node.count(tuple(spatial))), label=f"{label}_parted")
    turned = node.transposed(parted, (2, 1, 0, 3), label=label)
    return node.to_shape(turned, (each, group * n, *spatial), label=f"{label}_joined")
