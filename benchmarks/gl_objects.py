"""Counts the GL objects of the current context, by asking for every name that there may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from OpenGL import GL

# Drivers hand names out in order, and not all use them again: a thousand reloads take several thousand.
_HIGHEST_NAME = 1 << 15
_KINDS: Mapping[str, Callable[[int], int]] = {
    "buffer": GL.glIsBuffer,
    "framebuffer": GL.glIsFramebuffer,
    "program": GL.glIsProgram,
    "query": GL.glIsQuery,
    "sampler": GL.glIsSampler,
    "shader": GL.glIsShader,
    "texture": GL.glIsTexture,
    "vertex_array": GL.glIsVertexArray,
}


def count_gl_objects() -> dict[str, int]:
    """Counts the live objects of each kind."""
    return {kind: sum(bool(exists(name)) for name in range(1, _HIGHEST_NAME)) for kind, exists in _KINDS.items()}
