"""OpenGL as another library would call it: past moderngl, which then knows nothing of it."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

BLEND = 0x0BE2
COLOR_LOGIC_OP = 0x0BF2
CLIP_DISTANCE0 = 0x3000
CULL_FACE = 0x0B44
DEPTH_TEST = 0x0B71
FRAMEBUFFER_SRGB = 0x8DB9
POLYGON_SMOOTH = 0x0B41
RASTERIZER_DISCARD = 0x8C89
SAMPLE_COVERAGE = 0x80A0
SCISSOR_TEST = 0x0C11
STENCIL_TEST = 0x0B90

COLOR_WRITEMASK = 0x0C23
DRAW_FRAMEBUFFER_BINDING = 0x8CA6
SAMPLER_BINDING = 0x8919
SCISSOR_BOX = 0x0C10
VIEWPORT = 0x0BA2

FRONT_AND_BACK = 0x0408
LINE = 0x1B01
XOR = 0x1506
NEVER = 0x0200
DST_COLOR = 0x0306
ZERO = 0


@cache
def library() -> ctypes.CDLL:
    """Returns the dispatching library, whose functions act on the current context."""
    return ctypes.CDLL(ctypes.util.find_library("OpenGL") or ctypes.util.find_library("GL"))


def enable(flag: int) -> None:
    """Calls glEnable."""
    library().glEnable(flag)


def is_enabled(flag: int) -> bool:
    """Calls glIsEnabled."""
    return bool(library().glIsEnabled(flag) & 0xFF)


def integers(name: int, count: int) -> list[int]:
    """Calls glGetIntegerv."""
    values = (ctypes.c_int * max(count, 4))()
    library().glGetIntegerv(name, values)
    return list(values)[:count]
