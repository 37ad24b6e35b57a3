"""Pairs of numbers turned by angles: what tells an attention where a token stands."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array


def rotated(x: Array, cos: Array, sin: Array, *, interleaved: bool) -> Array:
    """x [B, S, N, h] whose first 2·k numbers of each head are turned by cos and sin [B, S, k], float64.

    Pairs are neighbours if `interleaved`, else the halves of what is turned; the rest of a head stays.
    """
    half = cos.shape[-1]
    y = x.astype(np.float64)
    first = y[..., 0 : 2 * half : 2] if interleaved else y[..., :half]
    second = y[..., 1 : 2 * half : 2] if interleaved else y[..., half : 2 * half]
    c, s = cos[:, :, None].astype(np.float64), sin[:, :, None].astype(np.float64)
    turned = first * c - second * s, first * s + second * c
    first[...], second[...] = turned
    return y
