"""Evaluates attention among heads: tokens by heads, masks, shares and sums; all float64."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import softmax
from texelscope.pipeline.oracle.contrib.quantised import offset


def by_head(x: Array, count: int) -> Array:
    """Maps [B, S, count · h] → [B, count, S, h]."""
    batch, length, width = x.shape
    return x.reshape(batch, length, count, width // count).swapaxes(1, 2).astype(np.float64)


def by_token(x: Array) -> Array:
    """Maps [B, N, S, h] → [B, S, N · h]."""
    batch, _, length, _ = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, -1)


def scores(query: Array, key: Array, scale: object) -> Array:
    """Multiplies queries [B, N, S, h] by keys [B, N, T, h] and `scale`, by default 1 / √h: [B, N, S, T]."""
    factor = float(scale) if isinstance(scale, (int, float)) and scale else 1.0 / math.sqrt(query.shape[-1])
    return np.asarray(factor * np.einsum("bnsh,bnth->bnst", query, key))


def let_through(mask: Array, batch: int, keys: int) -> Array:
    """Returns the visible keys, bool [B, 1, 1 or S, T], for a mask in any of the documented forms but the packed one.

    A mask is of keys [B, T] or of pairs [B, S, T], 0 for no; lengths [B]; or exclusive ends, then inclusive starts [2 ·
    B].
    """
    place = np.arange(keys)
    if mask.shape == (batch,):
        return np.asarray(place < mask[:, None])[:, None, None]
    if mask.shape == (2 * batch,):
        return np.asarray((place < mask[:batch, None]) & (place >= mask[batch:, None]))[:, None, None]
    seen = mask > 0
    return seen[:, None, None] if mask.ndim == 2 else seen[:, None]


def not_ahead(queries: int, keys: int) -> Array:
    """Returns the keys no later than each query, whose last one stands at the last key: bool [S, T]."""
    return np.asarray(np.arange(keys) <= np.arange(queries)[:, None] + (keys - queries))


def shares(raw: Array, *, seen: Array | None, low: object, ahead_hidden: bool) -> Array:
    """Returns the softmax of scores [B, N, S, T]; a masked key adds `low` (−10000), a key ahead does not count."""
    hidden = float(low) if isinstance(low, (int, float)) else -10000.0
    x = raw if seen is None else raw + np.where(seen, 0.0, hidden)
    if ahead_hidden:
        x = np.where(not_ahead(*raw.shape[-2:]), x, -np.inf)
    return softmax(x)


def attention(invocation: Invocation) -> Outputs:
    """Evaluates Attention: query, key and value from one product, then softmax(q·kᵀ · scale + mask) · v among heads.

    Maps X [B, S, D], weights [D, q + k + v], bias, mask, past [2, B, N, P, h], addend of scores → Y, present.
    """
    x, bias = invocation.required(0), invocation.input(2)
    projected = x.astype(np.float64) @ invocation.required(1) + (0.0 if bias is None else bias)
    y, present = attend(invocation, projected, invocation.input(3), invocation.input(4), invocation.input(5))
    return (y.astype(x.dtype), present.astype(x.dtype))


def attend(
    invocation: Invocation, projected: Array, mask: Array | None, past: Array | None, addend: Array | None
) -> tuple[Array, Array]:
    """Attends from the projection [B, S, q + k + v] on. Raises ValueError for unsupported variants."""
    said = invocation.attributes
    if said.get("do_rotary") or said.get("past_present_share_buffer"):
        raise ValueError("no attention with rotation or a shared past")
    sizes = said.get("qkv_hidden_sizes") or (projected.shape[-1] // 3,) * 3
    parts = np.split(projected, np.cumsum(sizes)[:2], axis=-1)
    query, key, value = (by_head(part, int(said["num_heads"])) for part in parts)
    if past is not None:
        key, value = np.concatenate([past[0], key], axis=2), np.concatenate([past[1], value], axis=2)
    raw = scores(query, key, said.get("scale")) + (0.0 if addend is None else addend)
    seen = None if mask is None else let_through(mask, len(projected), key.shape[2])
    low, ahead = said.get("mask_filter_value"), said.get("unidirectional") == 1
    y = shares(raw, seen=seen, low=low, ahead_hidden=ahead) @ value
    present = np.stack([key, value]) if key.shape == value.shape else key[None]
    return by_token(y), present


def multi_head_attention(invocation: Invocation) -> Outputs:
    """Evaluates MultiHeadAttention: softmax(q·kᵀ · scale + mask) · v by heads, self or cross, inputs apart or packed.

    Maps query, key, value, bias, mask, addend of scores, past key and value → Y, present key and value, shares.
    """
    said, dtype = invocation.attributes, invocation.required(0).dtype
    query, key, value = _parts(invocation)
    past_key, past_value = invocation.input(6), invocation.input(7)
    if past_key is not None and past_value is not None:
        key, value = np.concatenate([past_key, key], axis=2), np.concatenate([past_value, value], axis=2)
    mask, addend = invocation.input(4), invocation.input(5)
    raw = scores(query, key, said.get("scale")) + (0.0 if addend is None else addend)
    seen = None if mask is None else let_through(mask, len(query), key.shape[2])
    low, ahead = said.get("mask_filter_value"), said.get("unidirectional") == 1
    share = shares(raw, seen=seen, low=low, ahead_hidden=ahead)
    results = (by_token(share @ value), key, value, share)
    return tuple(result.astype(dtype) for result in results)


def _parts(invocation: Invocation) -> tuple[Array, Array, Array]:
    """Returns query, key and value [B, N, length, h]; the bias holds those of all three in turn."""
    count, bias = int(invocation.attribute("num_heads")), invocation.input(3)
    query, key = invocation.required(0), invocation.input(1)
    if query.ndim == 5:  # [B, S, N, 3, h]
        packed = query.transpose(3, 0, 2, 1, 4).astype(np.float64)
        return packed[0], packed[1], packed[2]
    parts = [query]
    if key is not None and key.ndim == 5:  # [B, L, N, 2, h]
        parts.extend(key.transpose(3, 0, 2, 1, 4).astype(np.float64))
    else:
        parts.extend([invocation.required(1), invocation.required(2)])
    widths = np.cumsum([0, *(part.shape[-1] for part in parts)])
    found = []
    for position, part in enumerate(parts):
        if part.ndim == 4:
            found.append(part.astype(np.float64))
            continue
        addend = 0.0 if bias is None else bias[widths[position] : widths[position + 1]]
        found.append(by_head(part + addend, count))
    return found[0], found[1], found[2]


def qattention(invocation: Invocation) -> Outputs:
    """Evaluates QAttention: Attention whose input and weights are quantised; the bias is not.

    Maps X, weights, bias, scale of X, scales of weights, mask, zero points of both, past → Y, present.
    """
    bias = invocation.required(2)
    product = offset(invocation, 0, 6) @ offset(invocation, 1, 7)
    projected = product * invocation.required(3).astype(np.float64) * invocation.required(4) + bias
    y, present = attend(invocation, projected, invocation.input(5), invocation.input(8), None)
    return (y.astype(bias.dtype), present.astype(bias.dtype))


OPERATORS: Mapping[str, Evaluate] = {
    "Attention": attention,
    "MultiHeadAttention": multi_head_attention,
    "QAttention": qattention,
}
