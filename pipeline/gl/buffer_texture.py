"""Numbers in a buffer that shaders read as a texture of one dimension, which moderngl does not offer.

On a software driver such a read costs a third of one from a texture of two dimensions.
"""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray

_TEXTURE_BUFFER = 0x8C2A
_RGBA32F = 0x8814
_TEXTURE0 = 0x84C0
_PAGE = 256


def room_for(size: int) -> int:
    """Bytes of a buffer for `size` bytes, of those sizes for which drivers make one machine code.

    llvmpipe compiles a shader anew for a buffer whose size is a power of two, and, as it takes the second byte of the
    size for a texture's last level, for one where that byte is zero: layers that share a program would each wait for a
    compilation of their own. No size that is given here is either. It is less than four pages more than `size`.
    """
    room = size + (-size) % _PAGE + _PAGE
    while room & (room - 1) == 0 or room // _PAGE % _PAGE == 0:
        room += _PAGE
    return room


class BufferTexture:
    """float32 [count, 4] as texels of a `samplerBuffer`. Raises TexelscopeError where the driver holds fewer texels."""

    def __init__(self, context: moderngl.Context, numbers: NDArray[np.float32]) -> None:
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glGenTextures
        from OpenGL.raw.GL.VERSION.GL_3_1 import glTexBuffer

        self._buffer = context.buffer(reserve=room_for(numbers.nbytes))
        self._buffer.write(np.ascontiguousarray(numbers))
        name = np.zeros(1, dtype=np.uint32)
        glGenTextures(1, name)
        self._name = int(name[0])
        glBindTexture(_TEXTURE_BUFFER, self._name)
        glTexBuffer(_TEXTURE_BUFFER, _RGBA32F, self._buffer.glo)
        glBindTexture(_TEXTURE_BUFFER, 0)

    def use(self, unit: int) -> None:
        """Binds it to a texture unit."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture
        from OpenGL.raw.GL.VERSION.GL_1_3 import glActiveTexture

        glActiveTexture(_TEXTURE0 + unit)
        glBindTexture(_TEXTURE_BUFFER, self._name)

    def release(self) -> None:
        """Frees the texture and its buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glDeleteTextures

        glDeleteTextures(1, np.array([self._name], dtype=np.uint32))
        self._buffer.release()
