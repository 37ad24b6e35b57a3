"""MatMulNBits: A times the transpose of (code − zero point) · scale, codes of `bits` bits packed from the lowest up."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import spelt
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "MatMulNBits"


def evaluate(invocation: Invocation) -> Outputs:
    """A […, K], B uint8 [N, blocks, bytes], scales [N, blocks], zero points packed or real, g_idx, bias → […, N]."""
    a, packed = invocation.required(0), invocation.required(1)
    rows, depth, block = (int(invocation.attribute(name)) for name in ("N", "K", "block_size"))
    bits = int(invocation.attributes.get("bits", 4))
    blocks = (depth + block - 1) // block
    scales = invocation.required(2).reshape(rows, blocks).astype(np.float64)
    zero = invocation.input(3)
    if zero is None:
        zeros = np.full((rows, blocks), 2.0 ** (bits - 1))
    elif zero.dtype == np.uint8:
        zeros = spelt(zero.reshape(rows, -1), bits)[:, :blocks]
    else:
        zeros = zero.reshape(rows, blocks)
    codes = spelt(packed.reshape(rows, -1), bits).reshape(rows, blocks, block)
    weights = ((codes - zeros[..., None]) * scales[..., None]).reshape(rows, -1)[:, :depth]
    y, bias = a.astype(np.float64) @ weights.T, invocation.input(5)
    return ((y if bias is None else y + bias).astype(a.dtype),)
