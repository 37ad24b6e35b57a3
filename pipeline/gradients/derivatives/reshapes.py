"""The same elements in another shape or order, or repeated: Reshape, Transpose, DepthToSpace, Expand, Tile and such."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def reshape(node: Backward) -> None:
    """dx = dy in the shape of x."""
    if node.wants(0):
        node.result(0, node.to_shape(node.dy(), node.shape(0), label="dx"))


def transpose(node: Backward) -> None:
    """dx = dy, its axes put back."""
    rank = len(node.shape(0))
    order = node.attribute("perm", None) or tuple(reversed(range(rank)))
    node.result(0, node.transposed(node.dy(), np.argsort(order).tolist(), label="dx"))


def depth_to_space(node: Backward) -> None:
    """dx is SpaceToDepth of dy; where columns come first (CRD), axis by axis, as opset 23 has no name for it."""
    block = int(node.required("blocksize"))
    if node.attribute("mode", "DCR") == "DCR":
        node.result(0, node.add("SpaceToDepth", node.dy(), label="dx", blocksize=block))
        return
    n, c, h, w = node.shape(0)
    blocks = node.to_shape(node.dy(), (n, c // (block * block), h, block, w, block), label="blocks")
    stacked = node.transposed(blocks, (0, 1, 3, 5, 2, 4), label="stacked")
    node.result(0, node.to_shape(stacked, node.shape(0), label="dx"))


def space_to_depth(node: Backward) -> None:
    """dx is DepthToSpace of dy, in the same mode."""
    mode = node.attribute("mode", "DCR")
    node.result(
        0, node.add("DepthToSpace", node.dy(), label="dx", blocksize=int(node.required("blocksize")), mode=mode)
    )


def expand(node: Backward) -> None:
    """dx sums dy over what x was spread along."""
    node.give(0, node.dy())


def tile(node: Backward) -> None:
    """dx sums dy over the repeats: each axis is one of repeats around one of elements."""
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
}
FLAT = ("ConstantOfShape", "EyeLike", "RandomNormalLike", "RandomUniformLike", "Range", "Shape", "Size")
