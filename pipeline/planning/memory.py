"""Whether a plan's textures fit into memory, asked before any is made.

A software driver keeps textures in the machine's memory, and every comparison reads them back into it; what a
graphics card has of its own cannot be asked of OpenGL.
"""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.errors import TexelscopeError
from pipeline.plan import Plan, Storage, StoredTensor

_BYTES: dict[Storage, int] = {"float32": 4, "float16": 2, "uint8": 1}
_GIB = float(1 << 30)


def texture_bytes(stored: StoredTensor) -> int:
    """Bytes of a stored tensor's texture."""
    height, width = stored.texture_shape
    return height * width * stored.layout.lanes * _BYTES[stored.storage]


def check_memory(plan: Plan, available_bytes: int | None) -> None:
    """Raises TexelscopeError if the plan's textures need more than `available_bytes`; None: nobody knows."""
    if available_bytes is None:
        return
    needed = {key: texture_bytes(stored) for key, stored in plan.textures.items()}
    total = sum(needed.values())
    if total > available_bytes:
        largest = max(needed, key=lambda key: needed[key])
        shape = list(plan.textures[largest].shape)
        raise TexelscopeError(
            plan.name,
            f"textures of at most {available_bytes / _GIB:.1f} GiB, the memory that is free",
            f"{total / _GIB:.1f} GiB, the largest '{largest}' {shape}",
            "Use a smaller --shape, or --precision float16.",
        )


def available_memory() -> int | None:
    """Bytes that can be had without pushing other programs out; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        values = dict(line.split(":", 1) for line in lines)
        return int(values["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, LookupError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
