"""What a target is filled with before a run, so that it shows what was written and what was read of it."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor

Texels = NDArray[np.float32]

# What an unwritten lane keeps; exact in half precision, and no plausible result. Every other value has the other sign:
# an activation takes what it reads of its own target for nothing if that is negative, or large, everywhere.
SENTINEL = -1234.5
SENTINEL_BYTES = (153, 60)
# What the own target holds while it is asked whether the result depends on that.
OTHERS, OTHER_BYTES = (-0.27, 0.0115), (60, 15)


def fill(texture: moderngl.Texture, stored: StoredTensor, values: Sequence[float], of_bytes: Sequence[int]) -> None:
    """The whole texture, one of `values` (in 8 bits, of `of_bytes`) after the other."""
    height, width = stored.texture_shape
    shape = (height, width, stored.layout.lanes)
    held = alternating(shape, of_bytes if stored.storage == "uint8" else values)
    texture.write(np.ascontiguousarray(held.astype(stored.storage)), alignment=1)


def alternating(shape: tuple[int, ...], values: Sequence[float]) -> Texels:
    """Values in turn, texel by texel: in a row every other one, and the next row the other way about."""
    height, width, _ = shape
    turn = (np.arange(height)[:, None, None] + np.arange(width)[:, None]) % len(values)
    return np.broadcast_to(np.asarray(values, dtype=np.float32)[turn], shape)
