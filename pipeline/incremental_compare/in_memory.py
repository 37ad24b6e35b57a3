"""Copies in the computer's memory: where that is the GPU's too, texels are compared where they lie.

A software driver computes a shader that reads two texels for each that it compares; the processor alone compares memory
several times as fast as that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from texelscope.pipeline.incremental_compare.copies import APART, texel_of

if TYPE_CHECKING:
    import moderngl


class CopiesInMemory:
    """The bytes of textures, by key."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._bytes: dict[str, bytearray] = {}
        self._now = bytearray()

    def release(self) -> None:
        """Frees everything."""
        self._bytes.clear()
        self._now = bytearray()

    def drop(self, key: str) -> None:
        """Lets one copy go, if there is one."""
        self._bytes.pop(key, None)

    def put(self, key: str, texture: moderngl.Texture) -> None:
        """Copies the texture as it is now."""
        if key not in self._bytes:
            self._bytes[key] = bytearray(_size(texture))
        texture.read_into(self._bytes[key], alignment=1)

    def same(self, textures: Mapping[str, moderngl.Texture]) -> frozenset[str]:
        """The keys of the textures that are, bit by bit, as their copies."""
        # In this order: bytes compare themselves all at once, a view goes through them one by one.
        return frozenset(key for key, texture in textures.items() if self._bytes[key] == self._read(texture))

    def sees_bits(self) -> bool:
        """Whether what is read is what was written."""
        for bits in (each for pair in APART for each in pair):
            texture = texel_of(self._context, bits)
            seen = int.from_bytes(self._read(texture)[12:], "little")
            texture.release()
            if seen != bits:
                return False
        return True

    def _read(self, texture: moderngl.Texture) -> memoryview:
        """The texture's bytes, until the next one is read."""
        size = _size(texture)
        if len(self._now) < size:
            self._now = bytearray(size)
        view = memoryview(self._now)[:size]
        texture.read_into(view, alignment=1)
        return view


def _size(texture: moderngl.Texture) -> int:
    return texture.width * texture.height * texture.components * int(texture.dtype[1:])
