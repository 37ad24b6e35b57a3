"""Evaluates operators on weights of a few bits, packed in bytes and scaled by blocks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Evaluate, Invocation, Outputs


def spelt(packed: Array, bits: int) -> Array:
    """Unpacks every byte [rows, k] into numbers of `bits` bits, the lowest first: float64 [rows, k · 8 / bits]."""
    apart = np.unpackbits(packed, axis=-1, bitorder="little").reshape(len(packed), -1, bits)
    return np.asarray(apart @ (2.0 ** np.arange(bits)))


def matmul_nbits(invocation: Invocation) -> Outputs:
    """Evaluates MatMulNBits: A times the transpose of (code − zero point) · scale, codes packed from the lowest bit up.

    Maps A […, K], B uint8 [N, blocks, bytes], scales [N, blocks], zero points, g_idx, bias → […, N].
    """
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


def gather_block_quantized(invocation: Invocation) -> Outputs:
    """Evaluates GatherBlockQuantized: Gather of codes, then (code − zero point) · scale, scales by block of a row.

    Maps bytes [rows, columns · bits / 8], indices, scales [rows, blocks], packed zero points or None → rows.
    """
    data, indices, scales, zero = (invocation.input(position) for position in range(4))
    assert data is not None
    assert indices is not None
    assert scales is not None
    said = invocation.attributes
    if (
        data.dtype != np.uint8
        or data.ndim != 2
        or said.get("gather_axis", 0)
        or said.get("quantize_axis", 1) not in (1, -1)
    ):
        raise ValueError("no table but of bytes, in blocks along its rows")
    bits, block = int(said.get("bits", 4)), int(said.get("block_size", 128))
    codes = spelt(data, bits)[indices]
    zeros = (
        2.0 ** (bits - 1) if zero is None else np.repeat(spelt(zero, bits)[indices], block, -1)[..., : codes.shape[-1]]
    )
    steps = np.repeat(scales[indices], block, axis=-1)[..., : codes.shape[-1]]
    return (((codes - zeros) * steps).astype(scales.dtype),)


OPERATORS: Mapping[str, Evaluate] = {
    "MatMulNBits": matmul_nbits,
    "GatherBlockQuantized": gather_block_quantized,
}
