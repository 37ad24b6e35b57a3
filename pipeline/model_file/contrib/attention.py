"""Attention: the projection to query, key and value, and attention among heads."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.attended import Heads, added, ahead, attended, masked, scores, split
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Attention"


def write(node: Writer) -> None:
    """X [B, S, D], weights [D, q + k + v], bias, mask, past [2, B, N, P, h], what is added to scores."""
    if node.attribute("do_rotary", 0) or node.attribute("past_present_share_buffer", 0):
        got = "do_rotary" if node.attribute("do_rotary", 0) else "past_present_share_buffer"
        raise node.refusal("an attention without rotation and with a past of its own", got)
    projected = node.add("MatMul", node.x(0), node.x(1), label="projected")
    if node.has(2):
        projected = node.add("Add", projected, node.x(2), label="projected")
    attend(node, projected, mask=3, past=4, bias=5)


def attend(node: Writer, projected: str, *, mask: int, past: int, bias: int) -> None:
    """From query, key and value side by side [B, S, q + k + v] to the results."""
    batch, length, _ = node.given(0).shape
    count, width = int(node.required("num_heads")), node.given(1).shape[1]
    sizes = [int(size) for size in node.attribute("qkv_hidden_sizes", ())] or [width // 3] * 3
    parts = node.add_several("Split", projected, node.whole(*sizes), labels=("query", "key", "value"), axis=-1)
    query, key, value = (
        split(node, part, batch, length, count, f"{label}/heads")
        for part, label in zip(parts, ("query", "key", "value"), strict=True)
    )
    before = 0
    if node.has(past):
        before = node.given(past).shape[3]
        old = node.add_several("Split", node.x(past), labels=("past/key", "past/value"), axis=0, num_outputs=2)
        shape = (batch, count, before, -1)
        key, value = (
            node.add("Concat", node.reshape(each, *shape), new, axis=2, label=f"{label}/all")
            for each, new, label in zip(old, (key, value), ("key", "value"), strict=True)
        )
    heads = Heads(batch, count, length, before + length, sizes[0] // count)
    if node.wants(1):
        axis = node.whole(0, label="axes")
        both = [node.add("Unsqueeze", each, axis) for each in (key, value)]
        node.result(1, node.add("Concat", *both, axis=0, label="present"))
    more = node.x(bias) if node.has(bias) else ""
    weighed = added(node, scores(node, query, key, heads), masked(node, mask, heads), ahead(node, heads), more)
    node.result(0, attended(node, node.add("Softmax", weighed, axis=-1), value, heads))
