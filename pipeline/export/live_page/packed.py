"""Packs numbers as text for a page: the bytes of equal weight together, deflated, in base64.

The browser inflates them with `DecompressionStream("deflate")`; `templates/packed.js` is the reader.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Bits of a float32 behind the leading one, and those that rounded values keep.
EXACT_BITS, FINE_BITS, COARSE_BITS = 23, 11, 7
_SIGN = np.uint32(0x80000000)


def packed(values: NDArray[Any]) -> str:
    """Returns an array of numbers, flat and little-endian: all of their first bytes, then all of their second ones."""
    little = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"), copy=False)
    planes = little.reshape(-1).view(np.uint8).reshape(-1, values.dtype.itemsize).T
    return packed_bytes(planes.tobytes())


def packed_bytes(data: bytes) -> str:
    """Returns bytes, deflated, in base64."""
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def rounded(values: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """Returns float32 values that keep so many bits behind the leading one; NaN and infinities stay as they are.

    A relative error of 2**-(bits + 1) at most remains. A number that would become infinite is cut instead.
    """
    dropped = EXACT_BITS - bits
    if dropped <= 0:
        return values
    words = values.view(np.uint32)
    mask = np.uint32((0xFFFFFFFF << dropped) & 0xFFFFFFFF)
    near = ((words.astype(np.uint64) + (1 << (dropped - 1))) & np.uint64(mask)).astype(np.uint32).view(np.float32)
    cut = (words & mask).view(np.float32)
    kept = np.where(np.isfinite(near), near, cut)
    return np.where(np.isfinite(values), kept, values).astype(np.float32)


def steps_apart(values: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Returns how many float32 numbers lie from `values` to `others`, up as even and down as odd numbers, modulo 2**32.

    Adding the steps again gives the very bits of `others`, NaN among them. Few steps deflate to almost nothing.
    """
    apart = (_in_order(others) - _in_order(values)).view(np.int32)
    return ((apart << 1) ^ (apart >> 31)).view(np.uint32)


def _in_order(values: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Returns whole numbers in the order of the floats."""
    words = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return np.where(words & _SIGN, ~words, words | _SIGN)
