"""GatherBlockQuantized: Gather of codes, then (code − zero point) · scale, a scale for each block of a row."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import spelt
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GatherBlockQuantized"


def evaluate(invocation: Invocation) -> Outputs:
    """Bytes [rows, columns · bits / 8], indices, scales [rows, blocks], zero points packed alike or None → rows."""
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
