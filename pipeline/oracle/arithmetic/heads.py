"""Attention in numpy: tokens by heads, what a mask lets through, shares and sums; all float64."""

from __future__ import annotations

import math

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import softmax
from texelscope.pipeline.oracle.arithmetic.invocation import Array


def by_head(x: Array, count: int) -> Array:
    """[B, S, count · h] → [B, count, S, h]."""
    batch, length, width = x.shape
    return x.reshape(batch, length, count, width // count).swapaxes(1, 2).astype(np.float64)


def by_token(x: Array) -> Array:
    """[B, N, S, h] → [B, S, N · h]."""
    batch, _, length, _ = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, -1)


def scores(query: Array, key: Array, scale: object) -> Array:
    """Products of queries [B, N, S, h] and keys [B, N, T, h] by `scale`, 1 / √h unless that is given: [B, N, S, T]."""
    factor = float(scale) if isinstance(scale, (int, float)) and scale else 1.0 / math.sqrt(query.shape[-1])
    return np.asarray(factor * np.einsum("bnsh,bnth->bnst", query, key))


def let_through(mask: Array, batch: int, keys: int) -> Array:
    """Which keys may be seen, bool [B, 1, 1 or S, T], by a mask in any of the documented forms but the packed one.

    Of keys [B, T] or of pairs [B, S, T], 0 for no; lengths [B]; or exclusive ends, then inclusive starts [2 · B].
    """
    place = np.arange(keys)
    if mask.shape == (batch,):
        return np.asarray(place < mask[:, None])[:, None, None]
    if mask.shape == (2 * batch,):
        return np.asarray((place < mask[:batch, None]) & (place >= mask[batch:, None]))[:, None, None]
    seen = mask > 0
    return seen[:, None, None] if mask.ndim == 2 else seen[:, None]


def not_ahead(queries: int, keys: int) -> Array:
    """Which keys stand no later than each query, the last of which stands where the last key does: bool [S, T]."""
    return np.asarray(np.arange(keys) <= np.arange(queries)[:, None] + (keys - queries))


def shares(raw: Array, *, seen: Array | None, low: object, ahead_hidden: bool) -> Array:
    """Softmax of scores [B, N, S, T]; what a mask hides counts as `low` (−10000) more, what is ahead not at all."""
    hidden = float(low) if isinstance(low, (int, float)) else -10000.0
    x = raw if seen is None else raw + np.where(seen, 0.0, hidden)
    if ahead_hidden:
        x = np.where(not_ahead(*raw.shape[-2:]), x, -np.inf)
    return softmax(x)
