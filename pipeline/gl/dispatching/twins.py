"""Twins: the texels of a tensor in a buffer, or in an image of 1 or 3 dimensions, beside its texture.

Which of them is current is known, and what is asked for is brought up to date by copies on the GPU (pixel pack and
unpack buffers) when it is asked for and not before: passes that hand buffers to each other copy nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import moderngl

from texelscope.pipeline.gl.dispatching.image_1d import Image1D
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.dispatches import buffer_bytes

# Where the texels may be: in the texture (an image of its own size), a buffer, an image of another size.
Place = str | tuple[int, ...]
TEXTURE: Place = "texture"
BUFFER: Place = "buffer"

Picture = moderngl.Texture | moderngl.Texture3D | Image1D
# Elements as moderngl calls them: the digit is their bytes.
_ELEMENTS = {"float32": "f4", "float16": "f2", "uint8": "f1"}


@dataclass
class _Twin:
    """What there is of one tensor beside its texture, and where its texels are as they should be."""

    stored: StoredTensor
    buffer: moderngl.Buffer
    images: dict[tuple[int, ...], Picture] = field(default_factory=dict)
    current: set[Place] = field(default_factory=lambda: {TEXTURE})

    def release(self) -> None:
        self.buffer.release()
        for image in self.images.values():
            image.release()


class Twins:
    """The twins of a store's textures, by key; made when a dispatch first needs them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._twins: dict[str, _Twin] = {}

    def release(self) -> None:
        """Frees them all."""
        for key in [*self._twins]:
            self.forget(key)

    def forget(self, key: str) -> None:
        """Frees the twin of a tensor; its texture counts as current."""
        twin = self._twins.pop(key, None)
        if twin is not None:
            twin.release()

    def texture_is_current(self, key: str) -> bool:
        """Whether the texture holds what was last written, wherever that was."""
        return key not in self._twins or TEXTURE in self._twins[key].current

    def settle(self, key: str, texture: moderngl.Texture) -> None:
        """Brings the texture of a tensor up to date."""
        if not self.texture_is_current(key):
            self._bring(self._twins[key], TEXTURE, texture)

    def wrote(self, key: str, place: Place = TEXTURE) -> None:
        """Notes that the tensor was written there: what it is elsewhere is out of date."""
        if key in self._twins:
            self._twins[key].current = {place}

    def buffer(self, stored: StoredTensor, texture: moderngl.Texture) -> moderngl.Buffer:
        """The buffer of a tensor, up to date."""
        twin = self._twin(stored)
        self._bring(twin, BUFFER, texture)
        return twin.buffer

    def image(self, stored: StoredTensor, size: tuple[int, ...], texture: moderngl.Texture) -> Picture:
        """An image of that size in texels with the tensor's texels in their order, up to date; () for the texture."""
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
        """Copies into `place` from wherever the texels are, through the buffer."""
        if place in twin.current:
            return
        if BUFFER not in twin.current:
            source = next(iter(twin.current))
            picture = texture if isinstance(source, str) else twin.images[source]
            picture.read_into(twin.buffer, alignment=1)
            twin.current.add(BUFFER)
        if place != BUFFER:
            picture = texture if isinstance(place, str) else twin.images[place]
            picture.write(twin.buffer, alignment=1)
            twin.current.add(place)
