"""Shows buffers to shaders as textures of one row, which moderngl does not offer."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any, Self

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.lowerings.lowering import room_for

_TEXTURE_BUFFER = 0x8C2A
_TEXTURE0 = 0x84C0
RGBA32F = 0x8814


class BufferTexture:
    """Exposes a buffer as texels of a `samplerBuffer`, float32 [count, 4] unless the format says otherwise."""

    def __init__(self, buffer: moderngl.Buffer, texel_format: int = RGBA32F) -> None:
        """Takes ownership of the buffer; `texel_format` is GL's number."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glGenTextures
        from OpenGL.raw.GL.VERSION.GL_3_1 import glTexBuffer

        self.buffer = buffer
        name = ctypes.c_uint32()
        glGenTextures(1, ctypes.byref(name))
        self._name = name.value
        glBindTexture(_TEXTURE_BUFFER, self._name)
        glTexBuffer(_TEXTURE_BUFFER, texel_format, buffer.glo)
        glBindTexture(_TEXTURE_BUFFER, 0)

    @classmethod
    def holding(cls, context: moderngl.Context, numbers: NDArray[np.float32]) -> Self:
        """Builds a buffer texture with these numbers."""
        buffer = context.buffer(reserve=room_for(numbers.nbytes))
        buffer.write(np.ascontiguousarray(numbers))
        return cls(buffer)

    @property
    def size(self) -> int:
        """Bytes of the buffer."""
        return self.buffer.size

    def write(self, data: Any, *, alignment: int = 1) -> None:
        """Replaces all texels."""
        self.buffer.write(data)

    def use(self, location: int) -> None:
        """Binds the texture to a unit."""
        for call in self.uses(location):
            call()

    def uses(self, location: int) -> tuple[Callable[[], object], ...]:
        """Returns the calls that bind the texture to a unit, for a caller that repeats them."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture
        from OpenGL.raw.GL.VERSION.GL_1_3 import glActiveTexture

        return partial(glActiveTexture, _TEXTURE0 + location), partial(glBindTexture, _TEXTURE_BUFFER, self._name)

    def release(self) -> None:
        """Frees the texture and its buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glDeleteTextures

        glDeleteTextures(1, ctypes.byref(ctypes.c_uint32(self._name)))
        self.buffer.release()
