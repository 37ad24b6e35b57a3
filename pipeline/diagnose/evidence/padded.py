"""The activations that a pass reads, with something else in their padding. GL thread only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from pipeline.diagnose.evidence.evidence import ReadTensor

if TYPE_CHECKING:
    from pipeline.gl.session import Session


@contextmanager
def padded_with(
    value: float, session: Session, reads: Sequence[ReadTensor], *, needed: bool
) -> Iterator[dict[str, moderngl.Texture]]:
    """By key, copies of the textures that have padding, with `value` in it; where it is `needed` if it is not 0 now."""
    textures: dict[str, moderngl.Texture] = {}
    try:
        for read in reads:
            stored = read.values.stored
            padding = stored.layout.address(stored.shape) < 0
            if stored.role == "constant" or not padding.any() or stored.storage != "float32":
                continue
            if needed and not read.values.texels[padding].any():
                continue
            texels = read.values.texels.copy()
            texels[padding] = value
            textures[stored.key] = session.scratch_like(stored.key)
            textures[stored.key].write(np.ascontiguousarray(texels), alignment=1)
        yield textures
    finally:
        for texture in textures.values():
            texture.release()
