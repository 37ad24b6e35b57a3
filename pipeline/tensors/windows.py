"""Applies windows to pictures: convolutions, pools, resizing, normalisation; and selects among boxes that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.tensor import Tensor
from texelscope.pipeline.tensors.types import beside, pairs_of, real

Sizes = int | Sequence[int]


def _picture_axes(who: str, x: Tensor) -> int:
    count = x.ndim - 2
    if count < 1:
        got = str(list(x.shape))
        raise TexelscopeError(who, "a tensor [N, C, ...] with axes behind", got, "Unsqueeze it.")
    return count


def _both_sides(who: str, padding: Sizes | str, kernel: Sequence[int], dilation: Sequence[int]) -> tuple[int, ...]:
    """Returns ONNX's pads: the beginnings of all axes, then the ends. "same" keeps sizes at a stride of 1."""
    if padding == "same":
        totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        return (*(each // 2 for each in totals), *(each - each // 2 for each in totals))
    if isinstance(padding, str) and padding != "valid":
        raise TexelscopeError(who, "padding as numbers, 'same' or 'valid'", f"'{padding}'", "Use one of them.")
    widths = pairs_of(f"{who}: padding", 0 if isinstance(padding, str) else padding, len(kernel))
    return (*widths, *widths)


def conv(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Convolves `x` [N, C, …] with `weight` [M, C / groups, …], plus `bias` [M]: [N, M, …]."""
    count = _picture_axes("conv", x)
    if weight.ndim != x.ndim or weight.shape[1] * groups != x.shape[1]:
        got = f"{list(weight.shape)}, in {groups} groups, on {list(x.shape)}"
        expected = f"weights [M, {x.shape[1]} / groups, {count} more]"
        raise TexelscopeError("conv", expected, got, "Correct the weights or the groups.")
    kernel, spread = weight.shape[2:], pairs_of("conv: dilation", dilation, count)
    return apply(
        "Conv",
        x,
        weight,
        *([bias] if bias is not None else []),
        kernel_shape=kernel,
        strides=pairs_of("conv: stride", stride, count),
        pads=_both_sides("conv", padding, kernel, spread),
        dilations=spread,
        group=groups,
    )


def conv_transpose(  # noqa: PLR0913 - PyTorch's
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Convolves, transposed, `x` [N, C, …] with `weight` [C, M / groups, …], plus `bias` [M]: [N, M, …]."""
    count = _picture_axes("conv_transpose", x)
    if weight.ndim != x.ndim or weight.shape[0] != x.shape[1]:
        got = f"{list(weight.shape)} on {list(x.shape)}"
        raise TexelscopeError("conv_transpose", f"weights [{x.shape[1]}, ...]", got, "Correct the weights.")
    kernel, spread = weight.shape[2:], pairs_of("conv_transpose: dilation", dilation, count)
    return apply(
        "ConvTranspose",
        x,
        weight,
        *([bias] if bias is not None else []),
        kernel_shape=kernel,
        strides=pairs_of("conv_transpose: stride", stride, count),
        pads=_both_sides("conv_transpose", padding, kernel, spread),
        output_padding=pairs_of("conv_transpose: output_padding", output_padding, count),
        dilations=spread,
        group=groups,
    )


def max_pool(
    x: Tensor,
    kernel_size: Sizes,
    *,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """Takes the largest of each window; the stride is by default the window."""
    count = _picture_axes("max_pool", x)
    kernel = pairs_of("max_pool: kernel_size", kernel_size, count)
    spread = pairs_of("max_pool: dilation", dilation, count)
    return apply(
        "MaxPool",
        x,
        kernel_shape=kernel,
        strides=kernel if stride is None else pairs_of("max_pool: stride", stride, count),
        pads=_both_sides("max_pool", padding, kernel, spread),
        dilations=spread,
        ceil_mode=int(ceil_mode),
    )


def avg_pool(
    x: Tensor,
    kernel_size: Sizes,
    *,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Averages each window, over its padding too unless `count_include_pad` is False."""
    count = _picture_axes("avg_pool", x)
    kernel = pairs_of("avg_pool: kernel_size", kernel_size, count)
    return apply(
        "AveragePool",
        x,
        kernel_shape=kernel,
        strides=kernel if stride is None else pairs_of("avg_pool: stride", stride, count),
        pads=_both_sides("avg_pool", padding, kernel, (1,) * count),
        ceil_mode=int(ceil_mode),
        count_include_pad=int(count_include_pad),
    )


def resize(
    x: Tensor,
    size: Sizes | None = None,
    *,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool = False,
) -> Tensor:
    """Resizes the axes behind N and C to a `size`, or by a factor (torch.nn.functional.interpolate).

    `mode` is "nearest" or "linear" (along every axis).
    """
    count = _picture_axes("resize", x)
    if mode not in ("nearest", "linear"):
        raise TexelscopeError("resize", "nearest or linear", f"'{mode}'", "Use one of them.")
    if (size is None) == (scale_factor is None):
        raise TexelscopeError("resize", "a size or a scale_factor", "both or none", "Give one.")
    linear = {"coordinate_transformation_mode": "align_corners" if align_corners else "pytorch_half_pixel"}
    nearest = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    how: dict[str, Any] = {"mode": mode, **(linear if mode == "linear" else nearest)}
    if size is not None:
        sizes = np.array([*x.shape[:2], *pairs_of("resize: size", size, count)], np.int64)
        return apply("Resize", x, None, None, sizes, **how)
    factors = np.broadcast_to(np.asarray(scale_factor, np.float32), (count,))
    return apply("Resize", x, None, np.array([1.0, 1.0, *factors], np.float32), **how)


def normalise(x: Tensor, mean: Any, std: Any) -> Tensor:
    """Returns (x − mean) / std by channel, of `x` [..., C, H, W] (torchvision's `normalize`)."""
    if x.ndim < 3:
        raise TexelscopeError("normalise", "pictures [..., C, H, W]", str(list(x.shape)), "Unsqueeze it.")
    average, spread = (_by_channel(x, name, each) for name, each in (("mean", mean), ("std", std)))
    return (real(x) - average) / spread


def _by_channel(x: Tensor, name: str, value: Any) -> Tensor:
    given = value if isinstance(value, Tensor) else beside(real(x), np.atleast_1d(np.asarray(value, np.float32)))
    if given.shape not in ((x.shape[-3],), (1,)):
        expected = f"a number for each of {x.shape[-3]} channels, or one"
        raise TexelscopeError(f"normalise: {name}", expected, str(list(given.shape)), "Give as many.")
    return given.reshape(-1, 1, 1)


def non_maximum_suppression(
    boxes: Tensor, scores: Tensor, *, iou_threshold: float = 0.5, score_threshold: float | None = None, most: int = 0
) -> NDArray[Any]:
    """Returns the places of the boxes that are kept, int64, best scores first; `most` of them, or all.

    `boxes` are [n, 4], two opposite corners each, `scores` [n]. How many are kept depends on the numbers, and may be
    none, which no pass can write: the reference computes it on the processor, from boxes and scores that are read back,
    and returns an array.
    """
    count = boxes.shape[0] if boxes.ndim else 0
    if boxes.shape != (count, 4) or scores.shape != (count,):
        got = f"{list(boxes.shape)} and {list(scores.shape)}"
        raise TexelscopeError("non_maximum_suppression", "boxes [n, 4] and scores [n]", got, "Reshape them.")
    names = ("boxes", "scores", "most", "iou", "score")
    given = [
        boxes.numpy()[None],
        scores.numpy()[None, None],
        np.array([most or count], np.int64),
        np.array([iou_threshold], np.float32),
    ]
    if score_threshold is not None:
        given.append(np.array([score_threshold], np.float32))
    node = Node("kept", "NonMaxSuppression", names[: len(given)], ("kept",), {"center_point_box": 0}, opset=11)
    (kept,) = Reference().run_node(node, given)
    return np.asarray(kept, np.int64).reshape(-1, 3)[:, 2]
