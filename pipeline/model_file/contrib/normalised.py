"""What is normalised by its own statistics, and the sums before that."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.channels import first, last
from texelscope.pipeline.model_file.contrib.writer import Writer


def with_skip(node: Writer, bias: int) -> str:
    """The first input, the second, which may lack leading axes, and the bias at that position if it is there."""
    total = node.add("Add", node.x(0), node.x(1), label="sum")
    return node.add("Add", total, node.x(bias), label="sum") if node.has(bias) else total


def by_layer(node: Writer, x: str, gamma: int, beta: int, *, epsilon: float) -> None:
    """The node's first output, by mean and deviation; mean and inverse deviation are its next two."""
    axis = int(node.attribute("axis", -1))
    inputs = [x, node.x(gamma), *([node.x(beta)] if node.has(beta) else [])]
    labels = ("normalised", "mean", "inverse") if node.wants(1) or node.wants(2) else ("normalised",)
    outputs = node.add_several("LayerNormalization", *inputs, labels=labels, axis=axis, epsilon=epsilon)
    for position, output in enumerate(outputs):
        node.result(position, output)


def by_root(node: Writer, x: str, gamma: int, *, epsilon: float, inverse: int) -> None:
    """The node's first output, by the root of the mean square; its inverse is the output at position `inverse`."""
    axis = int(node.attribute("axis", -1))
    node.result(0, node.add("RMSNormalization", x, node.x(gamma), axis=axis, epsilon=epsilon, label="normalised"))
    if node.wants(inverse):
        axes = node.whole(*range(axis, 0) if axis < 0 else range(axis, node.given(0).rank), label="axes")
        mean = node.add("ReduceMean", node.add("Mul", x, x, label="squares"), axes, keepdims=1, label="mean_square")
        root = node.add("Sqrt", node.add("Add", mean, node.constant(epsilon, label="epsilon")))
        node.result(inverse, node.add("Reciprocal", root))


def by_group(node: Writer, x: str) -> str:
    """`x` of the first input's shape, groups of channels by mean and deviation; gamma and beta are inputs 1 and 2."""
    rank, turned = node.given(0).rank, bool(node.attribute("channels_last", 1))
    groups, channels = int(node.required("groups")), node.given(0).shape[-1 if turned else 1]
    if groups < 1 or channels % groups:
        raise node.refusal(f"groups of all {channels} channels", str(groups))
    y = node.add(
        "GroupNormalization",
        *(first(node, x, rank) if turned else x, node.x(1), node.x(2)),
        num_groups=groups,
        epsilon=float(node.attribute("epsilon", 1e-5)),
        label="normalised",
    )
    if int(node.attribute("activation", 0)) == 1:
        y = node.add("Mul", y, node.add("Sigmoid", y, label="gate"), label="activated")
    return last(node, y, rank) if turned else y
