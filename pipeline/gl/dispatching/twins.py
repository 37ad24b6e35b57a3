"""Keeps twins: the texels of a tensor in a buffer, or in an image of 1 or 3 dimensions, beside its texture.

A buffer may also hold them as whole numbers, which the processor converts.

It tracks which of them is current, and updates another by copies on the GPU (pixel pack and unpack buffers) only on
request: passes that hand buffers to each other copy nothing. moderngl does not offer images of one dimension.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field

import moderngl
import numpy as np

from texelscope.pipeline.gl.dispatching.sampled_views import SampledViews
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.dispatches import buffer_bytes

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
# Places of the texels: the texture (an image of the same size), a buffer, one of whole numbers by their type, an image
# of another size.
Place = str | tuple[int, ...]
TEXTURE: Place = "texture"
BUFFER: Place = "buffer"
_WHOLE: tuple[Place, ...] = ("int32", "uint32")
# Elements as moderngl calls them: the digit is their bytes.
_ELEMENTS = {"float32": "f4", "float16": "f2", "uint8": "f1"}


class Image1D:
    """Holds a row of texels, with the methods of moderngl's textures that a dispatch calls."""

    def __init__(self, width: int, lanes: int, dtype: str) -> None:
        from OpenGL.raw.GL.VERSION.GL_1_0 import glTexParameteri
        from OpenGL.raw.GL.VERSION.GL_1_1 import glBindTexture, glGenTextures
        from OpenGL.raw.GL.VERSION.GL_4_2 import glTexStorage1D

        self._width = width
        self._inner, self._format, self._type = _FORMATS[lanes, dtype]
        name = ctypes.c_uint32()
        glGenTextures(1, ctypes.byref(name))
        self._name = name.value
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

        glDeleteTextures(1, ctypes.byref(ctypes.c_uint32(self._name)))


Picture = moderngl.Texture | moderngl.Texture3D | Image1D


@dataclass
class _Twin:
    """Holds one tensor's copies beside its texture, and the places whose texels are current."""

    stored: StoredTensor
    buffer: moderngl.Buffer
    images: dict[tuple[int, ...], Picture] = field(default_factory=dict)
    whole: dict[Place, moderngl.Buffer] = field(default_factory=dict)
    current: set[Place] = field(default_factory=lambda: {TEXTURE})

    def release(self) -> None:
        self.buffer.release()
        for buffer in self.whole.values():
            buffer.release()
        for image in self.images.values():
            image.release()


class Twins:
    """Holds the twins of a store's textures, by key, created when a dispatch first needs them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._twins: dict[str, _Twin] = {}
        self.views = SampledViews(context)

    def release(self) -> None:
        """Frees all twins and views."""
        for key in [*self._twins]:
            self.forget(key)
        self.views.release()

    def forget(self, key: str) -> None:
        """Frees the twin and the views of a tensor; its texture counts as current."""
        self.views.forget(key)
        twin = self._twins.pop(key, None)
        if twin is not None:
            twin.release()

    def texture_is_current(self, key: str) -> bool:
        """Reports whether the texture holds the last written data."""
        return key not in self._twins or TEXTURE in self._twins[key].current

    def settle(self, key: str, texture: moderngl.Texture) -> None:
        """Updates the texture of a tensor."""
        if not self.texture_is_current(key):
            self._bring(self._twins[key], TEXTURE, texture)

    def wrote(self, key: str, place: Place = TEXTURE) -> None:
        """Records that the tensor was written there: its other places are outdated."""
        self.views.outdate(key)
        if key in self._twins:
            self._twins[key].current = {place}

    def buffer(self, stored: StoredTensor, texture: moderngl.Texture, numbers: str = "") -> moderngl.Buffer:
        """Returns the buffer of a tensor, updated; of whole numbers where `numbers` is their type."""
        twin = self._twin(stored)
        if not numbers:
            self._bring(twin, BUFFER, texture)
            return twin.buffer
        if numbers not in twin.whole:
            twin.whole[numbers] = self._context.buffer(reserve=twin.buffer.size)
        self._bring(twin, numbers, texture)
        return twin.whole[numbers]

    def image(self, stored: StoredTensor, size: tuple[int, ...], texture: moderngl.Texture) -> Picture:
        """Returns an image of that size in texels with the tensor's texels in order, updated; () for the texture."""
        if not size:
            self.settle(stored.key, texture)
            return texture
        twin = self._twin(stored)
        if size not in twin.images:
            twin.images[size] = self._made(stored, size)
        self._bring(twin, size, texture)
        return twin.images[size]

    def _twin(self, stored: StoredTensor) -> _Twin:
        if stored.key not in self._twins:
            buffer = self._context.buffer(reserve=buffer_bytes(stored))
            buffer.clear()
            self._twins[stored.key] = _Twin(stored, buffer)
        return self._twins[stored.key]

    def _made(self, stored: StoredTensor, size: tuple[int, ...]) -> Picture:
        lanes, kind = stored.layout.lanes, _ELEMENTS[stored.storage]
        if len(size) == 1:
            return Image1D(size[0], lanes, kind)
        zeros = bytes(math.prod(size) * lanes * int(kind[1]))
        if len(size) == 2:
            flat = self._context.texture((size[0], size[1]), lanes, zeros, dtype=kind, alignment=1)
            flat.filter = (moderngl.NEAREST, moderngl.NEAREST)
            return flat
        deep = self._context.texture3d((size[0], size[1], size[2]), lanes, zeros, dtype=kind, alignment=1)
        deep.filter = (moderngl.NEAREST, moderngl.NEAREST)
        return deep

    def _bring(self, twin: _Twin, place: Place, texture: moderngl.Texture) -> None:
        """Copies into `place` from a current place, through the buffer."""
        if place in twin.current:
            return
        if BUFFER not in twin.current:
            source = next(iter(twin.current))
            if source in _WHOLE:
                self._as_floats(twin, source)
            else:
                picture = texture if isinstance(source, str) else twin.images[source]
                picture.read_into(twin.buffer, alignment=1)
            twin.current.add(BUFFER)
        if place in _WHOLE:
            floats = np.frombuffer(twin.buffer.read(), dtype=np.float32)
            limits = np.iinfo(str(place))
            held = np.clip(np.rint(np.nan_to_num(floats)).astype(np.float64), limits.min, limits.max)
            twin.whole[place].write(held.astype(str(place)))
            twin.current.add(place)
        elif place != BUFFER:
            picture = texture if isinstance(place, str) else twin.images[place]
            picture.write(twin.buffer, alignment=1)
            twin.current.add(place)

    def _as_floats(self, twin: _Twin, source: Place) -> None:
        """Copies whole numbers into the buffer as floats, once what a shader writes there has arrived."""
        self._context.memory_barrier()
        self._context.finish()
        numbers = np.frombuffer(twin.whole[source].read(), dtype=str(source))
        twin.buffer.write(numbers.astype(np.float32))
