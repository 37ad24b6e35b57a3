"""GroupQueryAttention: each sequence with its cache and its new tokens, a head of keys for several of queries."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import softmax
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.rotation import rotated

OPERATOR = "GroupQueryAttention"


def evaluate(invocation: Invocation) -> Outputs:
    """Query, key, value, past key and value [B, M, P, h], lengths − 1, their largest, and more → Y, present."""
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
    """What one sequence's new tokens [S, N, h] take from its cache [M, kept, h]: [S, N · h]."""
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
    """Which keys each query may see: bool [S, kept]."""
    query, key = before + np.arange(shape[0])[:, None], np.arange(shape[1])
    seen = key <= query if invocation.attributes.get("causal", 1) else np.broadcast_to(key <= last, shape)
    window = int(invocation.attributes.get("local_window_size", -1))
    return np.asarray(seen & (key > query - window) if window > 0 else seen)
