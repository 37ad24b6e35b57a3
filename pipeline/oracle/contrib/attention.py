"""Attention: query, key and value from one product, then softmax(q·kᵀ · scale + mask) · v among heads."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.heads import by_head, by_token, let_through, scores, shares
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "Attention"


def evaluate(invocation: Invocation) -> Outputs:
    """X [B, S, D], weights [D, q + k + v], bias, mask, past [2, B, N, P, h], addend of scores → Y, present."""
    x, bias = invocation.required(0), invocation.input(2)
    projected = x.astype(np.float64) @ invocation.required(1) + (0.0 if bias is None else bias)
    y, present = attend(invocation, projected, invocation.input(3), invocation.input(4), invocation.input(5))
    return (y.astype(x.dtype), present.astype(x.dtype))


def attend(
    invocation: Invocation, projected: Array, mask: Array | None, past: Array | None, addend: Array | None
) -> tuple[Array, Array]:
    """From the projection [B, S, q + k + v] on. Raises ValueError for what is not defined here."""
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
