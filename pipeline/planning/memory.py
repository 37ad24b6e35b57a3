"""Whether textures fit into memory, asked before any is made.

A software driver keeps textures in the machine's memory, and every comparison reads them back into it; what a
graphics card has of its own cannot be asked of OpenGL.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import psutil

from pipeline.errors import TexelscopeError
from pipeline.plan import StoredTensor
from pipeline.planning.storage import DTYPES

_GIB = float(1 << 30)


def texture_bytes(stored: StoredTensor) -> int:
    """Bytes of a stored tensor's texture."""
    height, width = stored.texture_shape
    return height * width * stored.layout.lanes * np.dtype(DTYPES[stored.storage]).itemsize


def check_memory(who: str, textures: Collection[StoredTensor], most_bytes: int | None, limit: str) -> None:
    """Raises TexelscopeError if the textures together need more than `most_bytes`; None: nobody knows how much.

    `limit` says what that many bytes are.
    """
    total = sum(texture_bytes(stored) for stored in textures)
    if most_bytes is None or total <= most_bytes:
        return
    largest = max(textures, key=texture_bytes)
    raise TexelscopeError(
        who,
        f"textures of at most {most_bytes / _GIB:.1f} GiB, {limit}",
        f"{total / _GIB:.1f} GiB, the largest '{largest.key}' {list(largest.shape)}",
        "Use a smaller --shape, or --precision float16.",
    )


def available_memory() -> int | None:
    """Bytes that can be had without pushing other programs out; None where the system does not tell.

    Of the machine: what a container may take of it is not asked.
    """
    try:
        return int(psutil.virtual_memory().available)
    except (OSError, psutil.Error):  # a sandbox without /proc
        return None
