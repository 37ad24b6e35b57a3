"""Unpacks weights of a few bits, packed in bytes and scaled by blocks, to real numbers, before the run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def unpacked(packed: Array, bits: int) -> Array:
    """Unpacks bytes uint8 […, k] to their codes uint8 […, k · 8 / bits], the lowest bits first."""
    places = np.arange(0, 8, bits, dtype=np.uint8)
    codes = packed[..., None] >> places & np.uint8((1 << bits) - 1)
    return np.asarray(codes.reshape(*packed.shape[:-1], -1))


def real(codes: Array, scales: Array, zeros: Array, block: int) -> Array:
    """Returns (code − zero point) · scale [rows, columns], rounded once in the type of the scales [rows, blocks].

    Zero points [rows, blocks] are codes or, of the type of the scales, numbers between them. This replaces nodes with
    the same effect, whose results would take memory as well.
    """
    columns = codes.shape[-1]
    kind = scales.dtype
    less = codes.astype(kind) - np.repeat(zeros.astype(kind), block, axis=-1)[..., :columns]
    return np.asarray(less * np.repeat(scales, block, axis=-1)[..., :columns])
