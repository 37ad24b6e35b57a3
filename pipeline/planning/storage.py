"""Rounds numbers as a texture does, for each storage, in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import Storage, StoredTensor

DTYPES: dict[Storage, type[np.generic]] = {"float32": np.float32, "float16": np.float16, "uint8": np.uint8}


def components(values: NDArray[Any], storage: Storage) -> NDArray[Any]:
    """Returns `values` as a texture holds them: a channel of 8 bits holds 0 to 1 in 255 steps."""
    if storage == "uint8":
        steps = np.rint(np.asarray(values, dtype=np.float32) * np.float32(255.0))
        return np.asarray(np.clip(steps, 0, 255), dtype=np.uint8)
    with np.errstate(over="ignore"):  # a half overflow is the user's to see, as infinity, not a warning
        return np.asarray(values, dtype=DTYPES[storage])


def values_of(texture: NDArray[Any], storage: Storage) -> NDArray[np.float32]:
    """Returns what a shader reads from the texture, float32."""
    values = texture.astype(np.float32)
    return values / np.float32(255.0) if storage == "uint8" else values


def as_stored(values: NDArray[Any], stored: StoredTensor) -> NDArray[np.float32]:
    """Returns a tensor's values as its texture holds them, in their own shape."""
    if stored.quantization is None:
        return values_of(components(values, stored.storage), stored.storage)
    texels = components(stored.quantization.texels(values.reshape(stored.shape)), stored.storage)
    return stored.quantization.values(values_of(texels, stored.storage)).reshape(values.shape)
