"""Expands attention among heads: scores, masks, their softmax, and the sum of values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from texelscope.pipeline.model_file.contrib.quantised import per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Write, Writer


@dataclass(frozen=True)
class Heads:
    """Holds sizes of an attention: B batches, N heads, S queries and T keys of h numbers each, P keys of them past."""

    batch: int
    count: int
    queries: int
    keys: int
    size: int

    @property
    def past(self) -> int:
        """Keys from before the first query."""
        return self.keys - self.queries


def split(node: Writer, x: str, batch: int, length: int, count: int, label: str = "heads") -> str:
    """Splits [B, S, N · h] to [B, N, S, h]."""
    apart = node.reshape(x, batch, length, count, -1, label=f"{label}/apart")
    return node.add("Transpose", apart, perm=[0, 2, 1, 3], label=label)


def joined(node: Writer, x: str, batch: int, length: int) -> str:
    """Joins [B, N, S, h] to [B, S, N · h]."""
    return node.reshape(node.add("Transpose", x, perm=[0, 2, 1, 3], label="turned"), batch, length, -1, label="joined")


def scores(node: Writer, query: str, key: str, heads: Heads) -> str:
    """Computes query · keyᵀ times the attribute `scale`, which is 1 / √h by default: [B, N, S, T]."""
    said = float(node.attribute("scale", 0.0)) or 1.0 / math.sqrt(heads.size)
    turned = node.add("Transpose", key, perm=[0, 1, 3, 2], label="key/turned")
    products = node.add("MatMul", query, turned, label="products")
    return node.add("Mul", products, node.constant(said, label="scale"), label="scores")


def added(node: Writer, x: str, *biases: str) -> str:
    """Adds an addend to scores; an empty name is nothing."""
    for bias in filter(None, biases):
        x = node.add("Add", x, bias, label="scores/masked")
    return x


def ahead(node: Writer, heads: Heads) -> str:
    """Returns the addend to scores [S, T] where a key stands behind its query; nothing with a single query."""
    if node.attribute("unidirectional", 0) != 1 or heads.queries == 1:
        return ""
    query, key = np.arange(heads.queries)[:, None] + heads.past, np.arange(heads.keys)
    return node.constant(np.where(key > query, never(node), 0.0), label="ahead")


def never(node: Writer) -> float:
    """Returns the number that replaces minus infinity where a token may not look; e^x of it is 0."""
    return float(ml_dtypes.finfo(node.real).min)


def masked(node: Writer, position: int, heads: Heads) -> str:
    """Returns the addend to scores for the mask at that position, in a shape that broadcasts; nothing without one.

    A mask is of keys [B, T] or of pairs [B, S, T], 0 for masked, or of lengths [B] or of ends and starts [2 · B].
    """
    if not node.has(position):
        return ""
    given, keys = node.given(position), node.constant(np.arange(heads.keys), "int32", "keys")
    if given.shape == (heads.batch,):
        end = node.reshape(given.name, heads.batch, 1, 1, 1, label="ends")
        out = node.add("GreaterOrEqual", keys, end, label="out")
    elif given.shape == (2 * heads.batch,):
        both = node.reshape(given.name, 2, heads.batch, 1, 1, 1, label="bounds")
        end, start = node.add_several("Split", both, labels=("ends", "starts"), axis=0, num_outputs=2)
        late = node.add("GreaterOrEqual", keys, end, label="late")
        out = node.add("Or", late, node.add("Less", keys, start, label="early"), label="out")
        out = node.reshape(out, heads.batch, 1, 1, heads.keys, label="out/keys")
    elif given.rank in (2, 3) and given.shape[-1] == heads.keys:
        out = node.add("LessOrEqual", given.name, node.constant(0, "int32", "none"), label="out")
        pairs = given.shape[1] if given.rank == 3 else 1
        out = node.reshape(out, given.shape[0], 1, pairs, heads.keys, label="out/keys")
    else:
        expected = f"a mask of {heads.keys} keys, or of lengths"
        raise node.refusal(expected, str(list(given.shape)), "Export the mask in another form.")
    low = node.constant(float(node.attribute("mask_filter_value", -10000.0)), label="low")
    return node.add("Where", out, low, node.constant(0.0, label="zero"), label="mask")


def values_of(node: Writer, weighed: str, value: str, heads: Heads) -> str:
    """Multiplies the softmax of scores by values and joins the heads: [B, S, N · h]."""
    return joined(node, node.add("MatMul", weighed, value, label="sums"), heads.batch, heads.queries)


def after_past(node: Writer, position: int, x: str, label: str) -> str:
    """Appends keys or values [B, N, L, h] to those of the past at that position, if it is given."""
    return node.add("Concat", node.x(position), x, axis=2, label=label) if node.has(position) else x


def attention(node: Writer) -> None:
    """Expands Attention: the projection to query, key and value, and attention among heads.

    Takes X [B, S, D], weights [D, q + k + v], bias, mask, past [2, B, N, P, h], an addend to scores.
    """
    if node.attribute("do_rotary", 0) or node.attribute("past_present_share_buffer", 0):
        got = "do_rotary" if node.attribute("do_rotary", 0) else "past_present_share_buffer"
        raise node.refusal("an attention without rotation and with a separate past", got)
    projected = node.add("MatMul", node.x(0), node.x(1), label="projected")
    if node.has(2):
        projected = node.add("Add", projected, node.x(2), label="projected")
    attend(node, projected, mask=3, past=4, bias=5)


def attend(node: Writer, projected: str, *, mask: int, past: int, bias: int) -> None:
    """Adds attention from query, key and value side by side [B, S, q + k + v]."""
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
    node.result(0, values_of(node, node.add("Softmax", weighed, axis=-1), value, heads))


def multi_head_attention(node: Writer) -> None:
    """Expands MultiHeadAttention: attention among heads with separate or packed inputs, within or across sequences.

    Takes query, key, value, bias, mask of keys, an addend to scores, past key and value.
    """
    if node.has(8) or node.has(9):
        raise node.refusal("a separate past", "one that shares its buffer with the present")
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
    node.result(0, values_of(node, shares, value, heads))


def _keys(node: Writer) -> int:
    """Counts the keys, including those of the past."""
    past = node.given(6).shape[2] if node.has(6) else 0
    if not node.has(1):
        return past + node.given(0).shape[1]
    given = node.given(1)
    return past + given.shape[2 if given.rank == 4 else 1]


def _headed(node: Writer, position: int, count: int, start: int) -> str:
    """Returns the input at `position` as [B, N, L, h], with its part of the bias, which begins at `start`, added."""
    given = node.given(position)
    if given.rank == 4:
        return given.name
    x, (batch, length, width) = given.name, given.shape
    if node.has(3):
        bounds = (node.whole(start), node.whole(start + width))
        x = node.add("Add", x, node.add("Slice", node.x(3), *bounds, label="bias/part"), label="projected")
    return split(node, x, batch, length, count)


def _unpacked(node: Writer, position: int, parts: int) -> list[str]:
    """Splits [B, L, N, parts, h] to that many of [B, N, L, h]."""
    turned = node.add("Transpose", node.x(position), perm=[3, 0, 2, 1, 4], label="turned")
    labels = [f"part{part}" for part in range(parts)]
    apart = node.add_several("Split", turned, labels=labels, axis=0, num_outputs=parts)
    axis = node.whole(0, label="axes")
    return [node.add("Squeeze", each, axis) for each in apart]


def qattention(node: Writer) -> None:
    """Expands QAttention: Attention whose projection is a product of quantised tensors.

    Takes codes [B, S, D], codes of weights, bias, both scales, mask, both zero points, past.
    """
    if node.attribute("do_rotary", 0) or node.attribute("past_present_share_buffer", 0):
        got = "do_rotary" if node.attribute("do_rotary", 0) else "past_present_share_buffer"
        raise node.refusal("an attention without rotation and with a separate past", got)
    product = node.add("MatMul", shifted(node, 0, 6), shifted(node, 1, 7), label="product")
    scale = node.add("Mul", per_tensor(node, 3), per_tensor(node, 4), label="scales")
    projected = node.add("Add", node.add("Mul", product, scale, label="scaled"), node.x(2), label="projected")
    attend(node, projected, mask=5, past=8, bias=9)


OPERATORS: Mapping[str, Write] = {
    "Attention": attention,
    "MultiHeadAttention": multi_head_attention,
    "QAttention": qattention,
}
