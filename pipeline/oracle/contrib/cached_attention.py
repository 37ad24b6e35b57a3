"""Evaluates attention with a cache, and the rotation of pairs of numbers that encodes a token's place."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import softmax


def rotated(x: Array, cos: Array, sin: Array, *, interleaved: bool) -> Array:
    """Rotates the first 2·k numbers of each head of x [B, S, N, h] by cos and sin [B, S, k], float64.

    Pairs are neighbours if `interleaved`, else the two halves of the rotated part; the rest of a head stays.
    """
    half = cos.shape[-1]
    y = x.astype(np.float64)
    first = y[..., 0 : 2 * half : 2] if interleaved else y[..., :half]
    second = y[..., 1 : 2 * half : 2] if interleaved else y[..., half : 2 * half]
    c, s = cos[:, :, None].astype(np.float64), sin[:, :, None].astype(np.float64)
    turned = first * c - second * s, first * s + second * c
    first[...], second[...] = turned
    return y


def rotary_embedding(invocation: Invocation) -> Outputs:
    """Evaluates RotaryEmbedding of com.microsoft: (a, b) → (a·cos − b·sin, a·sin + b·cos), angles by place.

    A pair is a number of the first half of a head and the one as far into the second half, or, interleaved, two
    neighbours. Maps X [B, S, N · h] or [B, N, S, h], places [1] or [B, S], cosines and sines [most places, half a turn]
    → Y.
    """
    x, places, said = invocation.required(0), invocation.required(1), invocation.attributes
    cos, sin = invocation.required(2), invocation.required(3)
    if said.get("scale", 1.0) != 1.0:
        raise ValueError("a scale, which the documentation has and ONNX Runtime ignores")
    turning = int(said.get("rotary_embedding_dim") or 0)
    length = x.shape[1 if x.ndim == 3 else 2]
    at = places if places.ndim == 2 else np.broadcast_to(places.reshape(1, 1) + np.arange(length), (len(x), length))
    if x.ndim == 3:
        size = x.shape[2] // int(said["num_heads"]) if turning else 2 * cos.shape[1]
        heads = x.reshape(*x.shape[:2], -1, size)
    else:
        heads = x.swapaxes(1, 2)
    y = rotated(heads, cos[at], sin[at], interleaved=said.get("interleaved") == 1)
    return ((y.reshape(x.shape) if x.ndim == 3 else y.swapaxes(1, 2)).astype(x.dtype),)


def group_query_attention(invocation: Invocation) -> Outputs:
    """Evaluates GroupQueryAttention: new tokens attend to a cache; several heads of queries share one of keys.

    Maps query, key, value, past key and value [B, M, P, h], lengths − 1, their largest, and more → Y, present.
    """
    said, dtype = invocation.attributes, invocation.required(0).dtype
    if said.get("sliding_window_cache") or any(invocation.input(position) is not None for position in (12, 13, 14)):
        raise ValueError("no cache by window or of codes, and no norms of query and key")
    query, key, value = _tokens(invocation)
    total, new = int(invocation.required(6).reshape(())), query.shape[1]
    past_key, past_value = invocation.input(3), invocation.input(4)
    kept = max(total, 0 if past_key is None else past_key.shape[2])
    present_key = np.zeros((len(query), key.shape[2], kept, key.shape[3]))
    present_value = np.zeros_like(present_key)
    results = []
    for each, last in enumerate(invocation.required(5).reshape(-1)):
        before = 0 if total == new else int(last) + 1 - new
        if said.get("do_rotary") == 1:
            places = _places(invocation, each, before, new, first=total == new)
            query[each], key[each] = (_turned(invocation, x[each], places) for x in (query, key))
        for present, past, x in ((present_key, past_key, key), (present_value, past_value, value)):
            if past is not None:
                present[each, :, :before] = past[each, :, :before]
            present[each, :, before : before + new] = x[each].swapaxes(0, 1)
        results.append(_attended(invocation, each, query[each], present_key[each], present_value[each], before, last))
    return (np.stack(results).astype(dtype), present_key.astype(dtype), present_value.astype(dtype))


def _tokens(invocation: Invocation) -> tuple[Array, Array, Array]:
    """Query [B, S, N, h], key and value [B, S, M, h], float64."""
    count, shared = (int(invocation.attribute(name)) for name in ("num_heads", "kv_num_heads"))
    query = invocation.required(0).astype(np.float64)
    batch, length = query.shape[:2]
    if invocation.input(1) is None:
        heads = query.reshape(batch, length, count + 2 * shared, -1)
        parts = np.split(heads, [count, count + shared], axis=2)
        return parts[0].copy(), parts[1].copy(), parts[2].copy()
    key, value = (invocation.required(i).astype(np.float64).reshape(batch, length, shared, -1) for i in (1, 2))
    return query.reshape(batch, length, count, -1), key, value


def _places(invocation: Invocation, each: int, before: int, new: int, *, first: bool) -> Array:
    said = invocation.input(9)
    if said is None:
        return np.arange(before, before + new)
    return int(said.reshape(-1)[0]) + np.arange(new) if first else np.asarray(said[each])


def _turned(invocation: Invocation, x: Array, places: Array) -> Array:
    cos, sin = invocation.required(7)[places], invocation.required(8)[places]
    interleaved = invocation.attribute("rotary_interleaved") == 1
    return np.asarray(rotated(x[None], cos[None], sin[None], interleaved=interleaved)[0])


def _attended(
    invocation: Invocation, each: int, query: Array, key: Array, value: Array, before: int, last: int
) -> Array:
    """Computes what one sequence's new tokens [S, N, h] take from its cache [M, kept, h]: [S, N · h]."""
    said, (new, count, size) = invocation.attributes, query.shape
    addend, sink = invocation.input(10), invocation.input(11)
    y = np.empty_like(query)
    for head in range(count):
        shared = head * len(key) // count
        raw = query[:, head] @ key[shared].T * (float(said.get("scale") or 0.0) or size**-0.5)
        cap = float(said.get("softcap") or 0.0)
        raw = np.tanh(raw / cap) * cap if cap else raw
        if addend is not None:
            raw = raw + addend[each % len(addend), head % addend.shape[1]]
        raw = np.where(_seen(invocation, raw.shape, before, last), raw, -np.inf)
        if sink is not None or said.get("smooth_softmax", -1) == 1:
            nowhere = np.full((new, 1), 0.0 if sink is None else sink[head])
            share = softmax(np.concatenate([raw, nowhere], axis=1))[:, :-1]
        else:
            share = softmax(raw)
        y[:, head] = share @ value[shared]
    return y.reshape(new, -1)


def _seen(invocation: Invocation, shape: tuple[int, ...], before: int, last: int) -> Array:
    """Returns which keys each query may see: bool [S, kept]."""
    query, key = before + np.arange(shape[0])[:, None], np.arange(shape[1])
    seen = key <= query if invocation.attributes.get("causal", 1) else np.broadcast_to(key <= last, shape)
    window = int(invocation.attributes.get("local_window_size", -1))
    return np.asarray(seen & (key > query - window) if window > 0 else seen)


OPERATORS: Mapping[str, Evaluate] = {
    "RotaryEmbedding": rotary_embedding,
    "GroupQueryAttention": group_query_attention,
}
