"""Supports images of one dimension, which moderngl does not offer."""

from __future__ import annotations

import moderngl
import numpy as np

_TEXTURE_1D = 0x0DE0
_TEXTURE0 = 0x84C0
_PIXEL_PACK_BUFFER = 0x88EB
_PIXEL_UNPACK_BUFFER = 0x88EC
_READ_ONLY, _WRITE_ONLY, _READ_WRITE = 0x88B8, 0x88B9, 0x88BA
# By lanes and moderngl's name of an element: the format in memory, that of a texel, and the type of a lane.
_FORMATS = {
    (1, "f4"): (0x822E, 0x1903, 0x1406),
    (4, "f4"): (0x8814, 0x1908, 0x1406),
    (1, "f2"): (0x822D, 0x1903, 0x140B),
    (4, "f2"): (0x881A, 0x1908, 0x140B),
    (1, "f1"): (0x8229, 0x1903, 0x1401),
    (4, "f1"): (0x8058, 0x1908, 0x1401),
}
_NEAREST = 0x2600
_MAG_FILTER, _MIN_FILTER, _UNPACK_ALIGNMENT, _PACK_ALIGNMENT = 0x2800, 0x2801, 0x0CF5, 0x0D05


class Image1D:
    """Holds a row of texels, with the methods of moderngl's textures that a dispatch calls."""

    def __init__(self, width: int, lanes: int, dtype: str) -> None:
        from OpenGL.raw.GL.VERSION.GL_1_0 import glTexParameteri
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glGenTextures
        from OpenGL.raw.GL.VERSION.GL_4_2 import glTexStorage1D

        self._width = width
        self._inner, self._format, self._type = _FORMATS[lanes, dtype]
        name = np.zeros(1, dtype=np.uint32)
        glGenTextures(1, name)
        self._name = int(name[0])
        glBindTexture(_TEXTURE_1D, self._name)
        glTexStorage1D(_TEXTURE_1D, 1, self._inner, width)
        for parameter in (_MIN_FILTER, _MAG_FILTER):
            glTexParameteri(_TEXTURE_1D, parameter, _NEAREST)
        glBindTexture(_TEXTURE_1D, 0)

    def write(self, buffer: moderngl.Buffer, *, alignment: int = 1) -> None:
        """Copies the texels from the beginning of a buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_0 import glPixelStorei
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glTexSubImage1D
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBindBuffer

        glPixelStorei(_UNPACK_ALIGNMENT, alignment)
        glBindBuffer(_PIXEL_UNPACK_BUFFER, buffer.glo)
        glBindTexture(_TEXTURE_1D, self._name)
        glTexSubImage1D(_TEXTURE_1D, 0, 0, self._width, self._format, self._type, None)
        glBindTexture(_TEXTURE_1D, 0)
        glBindBuffer(_PIXEL_UNPACK_BUFFER, 0)

    def read_into(self, buffer: moderngl.Buffer, *, alignment: int = 1) -> None:
        """Copies the texels to the beginning of a buffer."""
        from OpenGL.raw.GL.VERSION.GL_1_0 import glGetTexImage, glPixelStorei
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBindBuffer

        glPixelStorei(_PACK_ALIGNMENT, alignment)
        glBindBuffer(_PIXEL_PACK_BUFFER, buffer.glo)
        glBindTexture(_TEXTURE_1D, self._name)
        glGetTexImage(_TEXTURE_1D, 0, self._format, self._type, None)
        glBindTexture(_TEXTURE_1D, 0)
        glBindBuffer(_PIXEL_PACK_BUFFER, 0)

    def use(self, unit: int) -> None:
        """Binds the image to a texture unit."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture
        from OpenGL.raw.GL.VERSION.GL_1_3 import glActiveTexture

        glActiveTexture(_TEXTURE0 + unit)
        glBindTexture(_TEXTURE_1D, self._name)

    def bind_to_image(self, unit: int, *, read: bool, write: bool, format: int = 0) -> None:  # noqa: A002 - moderngl's
        """Binds the image to an image unit."""
        from OpenGL.raw.GL.VERSION.GL_4_2 import glBindImageTexture

        access = _READ_WRITE if read and write else _WRITE_ONLY if write else _READ_ONLY
        glBindImageTexture(unit, self._name, 0, False, 0, access, format or self._inner)

    def release(self) -> None:
        """Frees its GL object."""
        from OpenGL.raw.GL.VERSION.GL_1_1 import glDeleteTextures

        glDeleteTextures(1, np.array([self._name], dtype=np.uint32))
