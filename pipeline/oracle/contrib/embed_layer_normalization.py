"""EmbedLayerNormalization: word, position and segment embeddings added, and layer normalisation of the sum."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_layer

OPERATOR = "EmbedLayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """Words [B, S], segments, three tables, gamma, beta, mask [B, S], places → output, words a mask lets, sum."""
    words, table = invocation.required(0), invocation.required(2)
    places = invocation.input(8)
    total = table[words].astype(np.float64)
    total += invocation.required(3)[np.arange(words.shape[1])[None] if places is None else places]
    segments = invocation.input(1)
    if segments is not None:
        total += invocation.required(4)[segments]
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y = by_layer(total, invocation.required(5), invocation.input(6), axis=-1, epsilon=epsilon)[0]
    mask = invocation.input(7)
    lengths = np.zeros(len(words), np.int32) if mask is None else (mask == 1).sum(axis=1).astype(np.int32)
    return (y.astype(table.dtype), lengths, total.astype(table.dtype))
