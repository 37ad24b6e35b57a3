"""QEmbedLayerNormalization: EmbedLayerNormalization whose embeddings, gamma and beta are eight-bit codes."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_layer

OPERATOR = "QEmbedLayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """Words [B, S], segments, three tables, gamma, beta, mask, five scales, five zero points → output, words let."""
    words, segments, mask = invocation.required(0), invocation.input(1), invocation.input(7)
    total = real(invocation, 2, 8, 13)[words] + real(invocation, 3, 9, 14)[: words.shape[1]]
    if segments is not None:
        total = total + real(invocation, 4, 10, 15)[segments]
    gamma, beta = real(invocation, 5, 11, 16), real(invocation, 6, 12, 17)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y = by_layer(total, gamma, beta, axis=-1, epsilon=epsilon)[0].astype(np.float32)
    lengths = np.zeros(len(words), np.int32) if mask is None else (mask == 1).sum(axis=1).astype(np.int32)
    return (y, lengths)
