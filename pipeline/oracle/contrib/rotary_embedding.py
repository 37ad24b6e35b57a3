"""RotaryEmbedding of com.microsoft: (a, b) → (a·cos − b·sin, a·sin + b·cos), angles by place.

A pair is a number of the first half of a head and the one as far into the second half, or, interleaved, two neighbours.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.rotation import rotated

OPERATOR = "RotaryEmbedding"


def evaluate(invocation: Invocation) -> Outputs:
    """X [B, S, N · h] or [B, N, S, h], places [1] or [B, S], cosines and sines [most places, half a turn]."""
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
