"""MultiHeadAttention: softmax(q·kᵀ · scale + mask) · v among heads, self or cross, of inputs apart or packed."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.heads import by_head, by_token, let_through, scores, shares
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "MultiHeadAttention"


def evaluate(invocation: Invocation) -> Outputs:
    """Query, key, value, bias, mask, addend of scores, past key and value → Y, present key and value, shares."""
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
    """Query, key and value [B, N, length, h]; the bias is that of all three behind one another."""
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
