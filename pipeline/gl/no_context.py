"""Says why a machine gives no context without a window, and what helps on its system."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import glcontext
import moderngl

from texelscope.pipeline.gl.back_ends import advice, newer_driver

# Versions below those that this program needs, newest first: a driver that has one of them is too old, not missing.
_OLDER = (320, 310, 300, 210)


@dataclass(frozen=True)
class NoContext:
    """What a machine has in place of a context that this program can use, and what to do."""

    got: str
    do_next: str


def no_context(refusal: str) -> NoContext:
    """Returns what the refusal of a context of OpenGL 3.3 means; it asks the driver for older ones."""
    if not sys.platform.startswith("linux"):
        return NoContext(refusal, advice())
    if "eglCreateContext" in refusal:  # EGL is there, and the driver: it has no such version
        older = _older()
        return NoContext(f"{older}, which is too old" if older else refusal, newer_driver())
    if "eglQueryDevicesEXT" in refusal:
        return NoContext(
            "an EGL that lists no devices, as ANGLE's",
            f"Let the system's own libEGL.so.1 come first (LD_LIBRARY_PATH). {advice()}",
        )
    if "0 devices" in refusal or "eglInitialize" in refusal:
        return NoContext(f"EGL without a driver ({refusal})", advice())
    return NoContext(refusal, advice())


def _older() -> str:
    """Returns version and name of the driver, if it has an older version; else nothing."""
    for version in _OLDER:
        try:
            made = glcontext.get_backend_by_name("egl")(glversion=version, mode="standalone", device_index=0)
            context = moderngl.create_context(context=made, require=100)
        except Exception:  # noqa: BLE001 - glcontext raises bare Exception
            continue
        code, renderer = context.version_code, str(context.info["GL_RENDERER"])
        context.release()
        return f"OpenGL {code // 100}.{code // 10 % 10} of {renderer}"
    return ""
