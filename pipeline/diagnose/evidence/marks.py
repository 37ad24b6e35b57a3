"""Fills a target before a run with marks that show what is written and whether the pass reads it."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor

Texels = NDArray[np.float32]

# Unwritten lanes keep these values; exact in half precision, and no plausible results. Neighbours differ in sign: an
# activation would hide reads of a target that is negative, or large, everywhere.
SENTINEL = -1234.5
SENTINEL_BYTES = (153, 60)
# Content of the own target in the test whether the result depends on it.
OTHERS, OTHER_BYTES = (-0.27, 0.0115), (60, 15)


def fill(texture: moderngl.Texture, stored: StoredTensor, values: Sequence[float], of_bytes: Sequence[int]) -> None:
    """Fills the whole texture with `values` (in 8 bits, `of_bytes`) in turn."""
    height, width = stored.texture_shape
    shape = (height, width, stored.layout.lanes)
    held = alternating(shape, of_bytes if stored.storage == "uint8" else values)
    texture.write(np.ascontiguousarray(held.astype(stored.storage)), alignment=1)


def alternating(shape: tuple[int, ...], values: Sequence[float]) -> Texels:
    """Returns the values in turn, texel by texel, as on a chessboard."""
    height, width, _ = shape
    turn = (np.arange(height)[:, None, None] + np.arange(width)[:, None]) % len(values)
    return np.broadcast_to(np.asarray(values, dtype=np.float32)[turn], shape)
