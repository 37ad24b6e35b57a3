"""Expands normalisations by the input's own statistics, and the sums before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from texelscope.pipeline.model_file.contrib.layers import channels_first, channels_last
from texelscope.pipeline.model_file.contrib.quantised import real
from texelscope.pipeline.model_file.contrib.writer import Write, Writer


def with_skip(node: Writer, bias: int) -> str:
    """Adds the first input, the second, which may lack leading axes, and the bias at that position if it is given."""
    total = node.add("Add", node.x(0), node.x(1), label="sum")
    return node.add("Add", total, node.x(bias), label="sum") if node.has(bias) else total


def by_layer(node: Writer, x: str, gamma: int, beta: int, *, epsilon: float) -> None:
    """Sets the node's first output, by mean and deviation; mean and inverse deviation are its next two."""
    axis = int(node.attribute("axis", -1))
    inputs = [x, node.x(gamma), *([node.x(beta)] if node.has(beta) else [])]
    labels = ("normalised", "mean", "inverse") if node.wants(1) or node.wants(2) else ("normalised",)
    outputs = node.add_several("LayerNormalization", *inputs, labels=labels, axis=axis, epsilon=epsilon)
    for position, output in enumerate(outputs):
        node.result(position, output)


def by_root(node: Writer, x: str, gamma: int, *, epsilon: float, inverse: int) -> None:
    """Sets the node's first output, by the root of the mean square; its inverse is the output at position `inverse`."""
    axis = int(node.attribute("axis", -1))
    node.result(0, node.add("RMSNormalization", x, node.x(gamma), axis=axis, epsilon=epsilon, label="normalised"))
    if node.wants(inverse):
        axes = node.whole(*range(axis, 0) if axis < 0 else range(axis, node.given(0).rank), label="axes")
        mean = node.add("ReduceMean", node.add("Mul", x, x, label="squares"), axes, keepdims=1, label="mean_square")
        root = node.add("Sqrt", node.add("Add", mean, node.constant(epsilon, label="epsilon")))
        node.result(inverse, node.add("Reciprocal", root))


def by_group(node: Writer, x: str) -> str:
    """Normalises `x` of input 0's shape, in groups of channels by mean and deviation; inputs 1, 2 are gamma, beta."""
    rank, turned = node.given(0).rank, bool(node.attribute("channels_last", 1))
    groups, channels = int(node.required("groups")), node.given(0).shape[-1 if turned else 1]
    if groups < 1 or channels % groups:
        raise node.refusal(f"groups of all {channels} channels", str(groups))
    y = node.add(
        "GroupNormalization",
        *(channels_first(node, x, rank) if turned else x, node.x(1), node.x(2)),
        num_groups=groups,
        epsilon=float(node.attribute("epsilon", 1e-5)),
        label="normalised",
    )
    if int(node.attribute("activation", 0)) == 1:
        y = node.add("Mul", y, node.add("Sigmoid", y, label="gate"), label="activated")
    return channels_last(node, y, rank) if turned else y


def layer_normalization(node: Writer) -> None:
    """Expands LayerNormalization before ONNX had it: the same as since opset 17. Takes X, scale, and a bias or none."""
    by_layer(node, node.x(0), 1, 2, epsilon=float(node.attribute("epsilon", 1e-5)))


def simplified_layer_normalization(node: Writer) -> None:
    """Expands SimplifiedLayerNormalization: the axes from one on by the root of their mean square.

    Takes X and scale; the inverse root is the second output.
    """
    by_root(node, node.x(0), 1, epsilon=float(node.attribute("epsilon", 1e-5)), inverse=1)


def skip_layer_normalization(node: Writer) -> None:
    """Expands SkipLayerNormalization: a sum with a skip connection, by mean and deviation along the last axis.

    Takes X, skip, gamma, beta or none, bias or none; the sum is the fourth output.
    """
    total = with_skip(node, 4)
    by_layer(node, total, 2, 3, epsilon=float(node.attribute("epsilon", 1e-12)))
    node.result(3, total)


def skip_simplified_layer_normalization(node: Writer) -> None:
    """Expands SkipSimplifiedLayerNormalization: a sum with a skip connection, by the root mean square of the last axis.

    Takes X, skip, gamma, bias or none; the sum is the fourth output.
    """
    total = with_skip(node, 3)
    by_root(node, total, 2, epsilon=float(node.attribute("epsilon", 1e-12)), inverse=2)
    node.result(3, total)


def embed_layer_normalization(node: Writer) -> None:
    """Expands EmbedLayerNormalization: the sum of rows for words, places and segments, normalised along its last axis.

    Takes words [B, S], segments, three tables, gamma, beta, mask [B, S], places; outputs the mask's length too.
    """
    node.result(2, _embedded(node, node.x(8) if node.has(8) else _in_order(node), node.x))


def qembed_layer_normalization(node: Writer) -> None:
    """Expands QEmbedLayerNormalization: EmbedLayerNormalization of quantised tables, gamma and beta.

    Takes words [B, S], segments, three tables, gamma, beta, mask [B, S], then five scales and five zero points.
    """
    _embedded(node, _in_order(node), lambda position: real(node, position, position + 6, position + 11))


def _in_order(node: Writer) -> str:
    """Returns the places 0, 1, … of the words, [1, S]."""
    return node.constant([list(range(node.given(0).shape[1]))], "int64", "places")


def _embedded(node: Writer, places: str, table: Callable[[int], str]) -> str:
    """Sets the node's first two outputs; `table` returns the input at a position in real numbers. Returns the sum."""
    words = node.add("Gather", table(2), node.x(0), axis=0, label="words")
    total = node.add("Add", words, node.add("Gather", table(3), places, axis=0, label="positions"), label="sum")
    if node.has(1) and node.has(4):
        segments = node.add("Gather", table(4), node.x(1), axis=0, label="segments")
        total = node.add("Add", total, segments, label="sum")
    inputs, epsilon = (total, table(5), table(6)), float(node.attribute("epsilon", 1e-12))
    node.result(0, node.add("LayerNormalization", *inputs, axis=-1, epsilon=epsilon, label="normalised"))
    if node.wants(1) and node.has(7):
        node.result(1, node.add("ReduceSum", node.x(7), node.whole(1, label="axes"), keepdims=0, label="lengths"))
    elif node.wants(1):
        node.result(1, node.constant([0] * node.given(0).shape[0], "int32", "lengths"))
    return total


def group_norm(node: Writer) -> None:
    """Expands GroupNorm: groups of channels by their own mean and deviation, perhaps followed by x · sigmoid(x).

    Takes X [N, H, W, C], or [N, C, H, W] without `channels_last`, gamma and beta [C].
    """
    node.result(0, by_group(node, node.x(0)))


def skip_group_norm(node: Writer) -> None:
    """Expands SkipGroupNorm: GroupNorm of a sum with a skip connection.

    Takes X [N, H, W, C], gamma and beta [C], skip [N, H, W, C], [N, 1, 1, C] or [N, C], bias [C]; sum is output.
    """
    given, skip = node.given(0), node.given(3)
    if not node.attribute("channels_last", 1):
        raise node.refusal("channels in the last axis", "channels_last = 0")
    other = node.reshape(skip.name, skip.shape[0], 1, 1, skip.shape[1]) if skip.rank == 2 else skip.name
    total = node.add("Add", given.name, other, label="sum")
    total = node.add("Add", total, node.x(4), label="sum") if node.has(4) else total
    node.result(0, by_group(node, total))
    node.result(1, total)


OPERATORS: Mapping[str, Write] = {
    "LayerNormalization": layer_normalization,
    "SimplifiedLayerNormalization": simplified_layer_normalization,
    "SkipLayerNormalization": skip_layer_normalization,
    "SkipSimplifiedLayerNormalization": skip_simplified_layer_normalization,
    "EmbedLayerNormalization": embed_layer_normalization,
    "QEmbedLayerNormalization": qembed_layer_normalization,
    "GroupNorm": group_norm,
    "SkipGroupNorm": skip_group_norm,
}
