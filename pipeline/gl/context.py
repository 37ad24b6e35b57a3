"""A GL context without a window, over EGL where there is no display, and what its driver allows."""

from __future__ import annotations

import os
import sys
from typing import Any

import moderngl

from pipeline.device import Device, Limits
from pipeline.errors import TexelscopeError
from pipeline.installation import command
from pipeline.planning.memory import available_memory

# Samplers above this gain nothing: wide nodes are rare, and the plan stays the same on most drivers.
USEFUL_SAMPLERS = 16


# Asked for in this order: some drivers give just the version asked for, and 4.3 records texture reads.
VERSIONS = (430, 330)


def headless_context() -> moderngl.Context:
    """A context of its own, OpenGL 4.3 core or newer, or 3.3. Raises TexelscopeError if the machine gives none."""
    backend: Any = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    refusals = []
    for version in VERSIONS:
        try:
            return moderngl.create_context(standalone=True, require=version, **backend)
        except Exception as error:  # noqa: BLE001 - glcontext raises bare Exception
            refusals.append(error)
    display = "with" if os.environ.get("DISPLAY") else "without"
    raise TexelscopeError(
        "OpenGL",
        f"a 3.3 core context ({display} a display)",
        str(refusals[-1]),
        f"Run '{command()} doctor'; on Debian: apt install libegl1 libgl1-mesa-dri.",
    ) from refusals[-1]


def limits_of(context: moderngl.Context) -> Limits:
    """Texture size, number of samplers and memory that plans for this context have to keep to."""
    return Limits(
        max_texture_texels=int(context.info["GL_MAX_TEXTURE_SIZE"]),
        max_samplers=min(int(context.info["GL_MAX_TEXTURE_IMAGE_UNITS"]), USEFUL_SAMPLERS),
        max_total_bytes=available_memory(),
    )


def device_of(context: moderngl.Context) -> Device:
    """Renderer and version strings of the driver."""
    return Device(str(context.info["GL_RENDERER"]), str(context.info["GL_VERSION"]))
