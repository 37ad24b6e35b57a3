"""Attention among heads: scores, what is masked, their softmax, and the sum of values."""

from __future__ import annotations

import math
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer


@dataclass(frozen=True)
class Heads:
    """Sizes of an attention: B batches, N heads, S queries and T keys of h numbers each, P keys of them past."""

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
    """[B, S, N · h] as [B, N, S, h]."""
    apart = node.reshape(x, batch, length, count, -1, label=f"{label}/apart")
    return node.add("Transpose", apart, perm=[0, 2, 1, 3], label=label)


def joined(node: Writer, x: str, batch: int, length: int) -> str:
    """[B, N, S, h] as [B, S, N · h]."""
    return node.reshape(node.add("Transpose", x, perm=[0, 2, 1, 3], label="turned"), batch, length, -1, label="joined")


def scores(node: Writer, query: str, key: str, heads: Heads) -> str:
    """query · keyᵀ times the attribute `scale`, which is 1 / √h unless given: [B, N, S, T]."""
    said = float(node.attribute("scale", 0.0)) or 1.0 / math.sqrt(heads.size)
    turned = node.add("Transpose", key, perm=[0, 1, 3, 2], label="key/turned")
    products = node.add("MatMul", query, turned, label="products")
    return node.add("Mul", products, node.constant(said, label="scale"), label="scores")


def added(node: Writer, x: str, *biases: str) -> str:
    """Scores with what is added to them; an empty name is nothing."""
    for bias in filter(None, biases):
        x = node.add("Add", x, bias, label="scores/masked")
    return x


def ahead(node: Writer, heads: Heads) -> str:
    """What is added to scores [S, T] where a key stands behind its query; nothing with a single query."""
    if node.attribute("unidirectional", 0) != 1 or heads.queries == 1:
        return ""
    query, key = np.arange(heads.queries)[:, None] + heads.past, np.arange(heads.keys)
    return node.constant(np.where(key > query, never(node), 0.0), label="ahead")


def never(node: Writer) -> float:
    """What stands for minus infinity where a token may not look; e^x of it is 0."""
    return float(ml_dtypes.finfo(node.real).min)


def masked(node: Writer, position: int, heads: Heads) -> str:
    """What is added to scores where the mask at that position says so, in a shape that meets them; nothing without one.

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


def attended(node: Writer, weighed: str, value: str, heads: Heads) -> str:
    """The softmax of scores times values, the heads joined: [B, S, N · h]."""
    return joined(node, node.add("MatMul", weighed, value, label="sums"), heads.batch, heads.queries)


def after_past(node: Writer, position: int, x: str, label: str) -> str:
    """Keys or values [B, N, L, h] behind those of the past at that position, if it is there."""
    return node.add("Concat", node.x(position), x, axis=2, label=label) if node.has(position) else x
