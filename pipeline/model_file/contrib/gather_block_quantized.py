"""GatherBlockQuantized: rows of a table that is quantised by blocks."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.packed import real, unpacked
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "GatherBlockQuantized"


def write(node: Writer) -> None:
    """The table in bytes [rows, columns · bits / 8], indices, scales by block, zero points packed alike."""
    data, scales = node.value(0, "the table"), node.value(2, "scales")
    bits, block = int(node.attribute("bits", 4)), int(node.attribute("block_size", 128))
    axis, gathered = int(node.attribute("quantize_axis", 1)), int(node.attribute("gather_axis", 0))
    if data.dtype != np.uint8 or axis % data.ndim != data.ndim - 1 or gathered != 0:
        raise node.refusal("a table of bytes, in blocks along its last axis", f"{data.dtype} along axis {axis}")
    zeros = np.full(scales.shape, 1 << (bits - 1), dtype=np.uint8)
    if node.has(3):
        zeros = unpacked(node.value(3, "zero points"), bits)[..., : scales.shape[-1]]
    table = node.constant(real(unpacked(data, bits), scales, zeros, block), scales.dtype.name, "table")
    node.result(0, node.add("Gather", table, node.x(1), axis=0))
