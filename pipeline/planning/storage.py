"""Rounds numbers as a texture does, for each storage, in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import Storage, StoredTensor

# How texels are handed to OpenGL and read back; those in 32 bits as floats.
DTYPES: dict[Storage, type[np.generic]] = {
    "float32": np.float32, "float16": np.float16, "uint8": np.uint8, "rgb10_a2": np.float32, "r11g11b10": np.float32,
}  # fmt: skip
# Formats whose lanes round differently.
PACKED: tuple[Storage, ...] = ("rgb10_a2", "r11g11b10")
# The largest step of each lane of rgb10_a2, which holds 0 to 1.
TEN_BITS, TWO_BITS = 1023.0, 3.0
# Bits of the mantissas of the lanes of r11g11b10 (OpenGL 4.6, 2.3.4.3 and 2.3.4.4), which have no sign and an exponent
# as half floats have; its fourth lane is always 1.
MANTISSA_BITS = (6, 6, 5)
_LEAST_EXPONENT, _LARGEST_EXPONENT = -14, 15


def components(values: NDArray[Any], storage: Storage) -> NDArray[Any]:
    """Returns `values` as a texture holds them: a channel of 8 bits holds 0 to 1 in 255 steps.

    For formats in 32 bits `values` are texels, whose last axis is the lane.
    """
    if storage == "uint8":
        steps = np.rint(np.asarray(values, dtype=np.float32) * np.float32(255.0))
        return np.asarray(np.clip(steps, 0, 255), dtype=np.uint8)
    if storage in PACKED:
        return _packed(np.asarray(values, dtype=np.float32), storage)
    with np.errstate(over="ignore"):  # a half overflow is the user's to see, as infinity, not a warning
        return np.asarray(values, dtype=DTYPES[storage])


def values_of(texture: NDArray[Any], storage: Storage) -> NDArray[np.float32]:
    """Returns what a shader reads from the texture, float32."""
    values = texture.astype(np.float32)
    return values / np.float32(255.0) if storage == "uint8" else values


def _packed(texels: NDArray[np.float32], storage: Storage) -> NDArray[np.float32]:
    lanes = texels.shape[-1]
    if storage == "rgb10_a2":
        steps = np.array([TEN_BITS, TEN_BITS, TEN_BITS, TWO_BITS], dtype=np.float32)[:lanes]
        return np.asarray(np.rint(np.clip(texels, 0.0, 1.0) * steps) / steps, dtype=np.float32)
    found = np.ones_like(texels)
    for lane, bits in enumerate(MANTISSA_BITS[:lanes]):
        found[..., lane] = _unsigned_float(texels[..., lane], bits)
    return found


def _unsigned_float(values: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """Rounds to floats without a sign, with an exponent of five bits; negative numbers become 0.

    Drivers make subnormal numbers 0, so these are rounded to 0 or to the least normal number.
    """
    with np.errstate(invalid="ignore"):
        positive = np.maximum(np.asarray(values, dtype=np.float64), 0.0)
        exponent = np.frexp(np.where(np.isfinite(positive), positive, 1.0))[1] - 1
        quantum = np.exp2(np.where(exponent < _LEAST_EXPONENT, _LEAST_EXPONENT, exponent - bits).astype(np.float64))
        most = np.exp2(float(_LARGEST_EXPONENT)) * (2.0 - np.exp2(-float(bits)))
        rounded = np.minimum(np.rint(positive / quantum) * quantum, most)
    return np.where(np.isfinite(positive), rounded, positive).astype(np.float32)


def lanes_of(stored: StoredTensor) -> NDArray[np.int64]:
    """Returns the lane in which each element lies, in the logical shape."""
    dims = as_nchw(stored.shape)
    _, _, lane = stored.layout.texel_at(stored.shape, *np.ogrid[tuple(slice(size) for size in dims)])
    return np.array(np.broadcast_to(lane, dims), dtype=np.int64).reshape(stored.shape)


def as_stored(values: NDArray[Any], stored: StoredTensor) -> NDArray[np.float32]:
    """Returns a tensor's values as its texture holds them, in their own shape."""
    if stored.storage in PACKED:
        return stored.decode(components(stored.encode(values), stored.storage)).reshape(values.shape)
    if stored.quantization is None:
        return values_of(components(values, stored.storage), stored.storage)
    texels = components(stored.quantization.texels(values.reshape(stored.shape)), stored.storage)
    return stored.quantization.values(values_of(texels, stored.storage)).reshape(values.shape)
