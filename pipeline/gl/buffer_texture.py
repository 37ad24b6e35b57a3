"""Lets shaders read numbers in a buffer as a texture of one dimension, which moderngl does not offer.

On a software driver this read costs a third of one from a texture of two dimensions.
"""

from __future__ import annotations

from typing import Self

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.lowerings.lowering import room_for

_TEXTURE_BUFFER = 0x8C2A
_RGBA32F = 0x8814
_TEXTURE0 = 0x84C0
# More samplers than the shader of a form has.
_SLOTS = 8


class BufferTexture:
    """Exposes a buffer of float32 [count, 4] as texels of a `samplerBuffer`.

    Raises TexelscopeError if the driver allows fewer texels.
    """

    def __init__(self, buffer: moderngl.Buffer) -> None:
        """Takes ownership of the buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glGenTextures
        from OpenGL.raw.GL.VERSION.GL_3_1 import glTexBuffer

        self.buffer = buffer
        name = np.zeros(1, dtype=np.uint32)
        glGenTextures(1, name)
        self._name = int(name[0])
        glBindTexture(_TEXTURE_BUFFER, self._name)
        glTexBuffer(_TEXTURE_BUFFER, _RGBA32F, buffer.glo)
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

    def use(self, unit: int) -> None:
        """Binds the texture to a unit."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture
        from OpenGL.raw.GL.VERSION.GL_1_3 import glActiveTexture

        glActiveTexture(_TEXTURE0 + unit)
        glBindTexture(_TEXTURE_BUFFER, self._name)

    def release(self) -> None:
        """Frees the texture and its buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glDeleteTextures

        glDeleteTextures(1, np.array([self._name], dtype=np.uint32))
        self.buffer.release()


class AlikeSlots:
    """Brings the driver's sampler slots into one state, by drawing a texel with `sampler` in each of them.

    A buffer is read without a sampler. Mesa keeps the last draw's state in its slot, and llvmpipe compiles a
    shader again for each such state: a second run waited for its programs as long as the first.
    """

    def __init__(self, context: moderngl.Context, sampler: moderngl.Sampler) -> None:
        self._sampler = sampler
        text = read_shader("forms/sampler_slots.glsl")
        self._program = context.program(vertex_shader=default_vertex_shader(text), fragment_shader=text)
        self._array = context.vertex_array(self._program, [])
        self._texture = context.texture((1, 1), 4, dtype="f4")
        self._target = context.empty_framebuffer((1, 1))

    def draw(self) -> None:
        """Draws the texel, inside a `pipeline.gl.state.drawing_state`."""
        for slot in range(_SLOTS):
            self._texture.use(slot)
            self._sampler.use(slot)
        self._target.use()
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Frees its GL objects, but for the sampler."""
        for item in (self._array, self._program, self._texture, self._target):
            item.release()
