"""RotaryEmbedding of com.microsoft: pairs of numbers turned by angles that grow with their place."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.attended import joined, split
from texelscope.pipeline.model_file.contrib.rotation import angles, rotated
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "RotaryEmbedding"


def write(node: Writer) -> None:
    """X [B, S, N · h] or [B, N, S, h], the first place [1] or all [B, S], cosines and sines by place."""
    given, places = node.given(0), node.given(1)
    if node.attribute("is_packed_batching", 0) or float(node.attribute("scale", 1.0)) != 1.0:
        got = "is_packed_batching" if node.attribute("is_packed_batching", 0) else "a scale, which ONNX Runtime ignores"
        raise node.refusal("batches of one length, not scaled", got)
    apart = given.rank == 4
    batch, length = given.shape[0], given.shape[2 if apart else 1]
    ids = places.name
    if places.shape != (batch, length):
        count = node.constant(np.arange(length)[None].repeat(batch, axis=0), "int64", "counted")
        ids = node.add("Add", places.name, count, label="places")
    turning = int(node.attribute("rotary_embedding_dim", 0)) or 2 * node.given(2).shape[1]
    if apart:
        x, size = given.name, given.shape[3]
    else:
        heads = int(node.attribute("num_heads", 0)) or given.shape[2] // turning
        x, size = split(node, given.name, batch, length, heads), given.shape[2] // heads
    cos, sin = angles(node, node.x(2), ids, "cosines"), angles(node, node.x(3), ids, "sines")
    y = rotated(node, x, size, cos, sin, turning, interleaved=node.attribute("interleaved", 0) == 1)
    node.result(0, y if apart else joined(node, y, batch, length))
