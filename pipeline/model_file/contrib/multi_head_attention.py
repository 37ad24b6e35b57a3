"""MultiHeadAttention: attention among heads, query, key and value apart or packed, of itself or of another sequence."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.attended import (
    Heads,
    added,
    after_past,
    ahead,
    attended,
    masked,
    scores,
    split,
)
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "MultiHeadAttention"


def write(node: Writer) -> None:
    """Query, key, value, bias, mask of keys, what is added to scores, past key and value."""
    if node.has(8) or node.has(9):
        raise node.refusal("a past of its own", "one that shares its buffer with the present")
    given, count = node.given(0), int(node.required("num_heads"))
    batch, length = given.shape[:2]
    if given.rank == 5:  # [B, S, N, 3, h]
        parts = _unpacked(node, 0, 3)
    elif node.has(1) and node.given(1).rank == 5:  # query, and [B, L, N, 2, h]
        parts = [_headed(node, 0, count, 0), *_unpacked(node, 1, 2)]
    else:
        width = given.shape[2]
        parts = [_headed(node, position, count, position * width) for position in range(3)]
    query, key, value = parts
    key, value = after_past(node, 6, key, "key/all"), after_past(node, 7, value, "value/all")
    node.result(1, key)
    node.result(2, value)
    size = given.shape[-1] if given.rank == 5 else given.shape[2] // count
    heads = Heads(batch, count, length, _keys(node), size)
    bias = node.x(5) if node.has(5) else ""
    weighed = added(node, scores(node, query, key, heads), masked(node, 4, heads), ahead(node, heads), bias)
    shares = node.add("Softmax", weighed, axis=-1)
    node.result(3, shares)
    node.result(0, attended(node, shares, value, heads))


def _keys(node: Writer) -> int:
    """How many keys there are, those of the past among them."""
    past = node.given(6).shape[2] if node.has(6) else 0
    if not node.has(1):
        return past + node.given(0).shape[1]
    given = node.given(1)
    return past + given.shape[2 if given.rank == 4 else 1]


def _headed(node: Writer, position: int, count: int, start: int) -> str:
    """The input at `position` as [B, N, L, h], with its part of the bias, which begins at `start`, added."""
    given = node.given(position)
    if given.rank == 4:
        return given.name
    x, (batch, length, width) = given.name, given.shape
    if node.has(3):
        bounds = (node.whole(start), node.whole(start + width))
        x = node.add("Add", x, node.add("Slice", node.x(3), *bounds, label="bias/part"), label="projected")
    return split(node, x, batch, length, count)


def _unpacked(node: Writer, position: int, parts: int) -> list[str]:
    """[B, L, N, parts, h] as that many of [B, N, L, h]."""
    turned = node.add("Transpose", node.x(position), perm=[3, 0, 2, 1, 4], label="turned")
    labels = [f"part{part}" for part in range(parts)]
    apart = node.add_several("Split", turned, labels=labels, axis=0, num_outputs=parts)
    axis = node.whole(0, label="axes")
    return [node.add("Squeeze", each, axis) for each in apart]
