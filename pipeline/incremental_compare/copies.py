"""Defines copies of textures that show whether the textures are unchanged, and keeps them in the computer's memory.

Where that is the GPU's memory too, texels are compared in place: a software driver's shader would read two texels for
each that it compares; the processor alone compares memory several times as fast as that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    import moderngl


# Pairs of float32, as bits, that have to be distinguished: the least number and zero, zero and minus zero, two NaN,
# neighbours near 1.
APART = ((0x00000001, 0x00000000), (0x00000000, 0x80000000), (0x7FC00001, 0x7FC00002), (0x3F800000, 0x3F800001))


class Copies(Protocol):
    """Keeps copies of textures, wherever they are. All calls come from the thread of the GL context.

    So many `bytes_at_once` are compared in some milliseconds.
    """

    bytes_at_once: int

    def put(self, key: str, texture: moderngl.Texture) -> None:
        """Copies the present texture; under a key only ones of one size and format. Raises moderngl.Error."""

    def drop(self, key: str) -> None:
        """Drops one copy, if there is one."""

    def same(self, textures: Mapping[str, moderngl.Texture]) -> frozenset[str]:
        """Returns the keys of the textures that equal their copies, bit by bit."""

    def sees_bits(self) -> bool:
        """Whether this driver lets every bit be seen; may raise moderngl.Error, which means no."""

    def release(self) -> None:
        """Frees everything."""


def texel_of(context: moderngl.Context, bits: int) -> moderngl.Texture:
    """Makes a texture of one texel whose last lane alone has these bits; the caller releases it."""
    data = np.array([0, 0, 0, bits], dtype=np.uint32).tobytes()
    return context.texture((1, 1), 4, data, dtype="f4")


class CopiesInMemory:
    """Holds the bytes of textures, by key."""

    bytes_at_once = 8 << 20  # memory is read at some gigabytes a second

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._bytes: dict[str, bytearray] = {}
        self._now = bytearray()

    def release(self) -> None:
        """Frees everything."""
        self._bytes.clear()
        self._now = bytearray()

    def drop(self, key: str) -> None:
        """Drops one copy, if there is one."""
        self._bytes.pop(key, None)

    def put(self, key: str, texture: moderngl.Texture) -> None:
        """Copies the texture as it is now."""
        if key not in self._bytes:
            self._bytes[key] = bytearray(_size(texture))
        texture.read_into(self._bytes[key], alignment=1)

    def same(self, textures: Mapping[str, moderngl.Texture]) -> frozenset[str]:
        """Returns the keys of the textures that equal their copies, bit by bit."""
        # In this order: bytes compare themselves all at once, a view goes through them one by one.
        return frozenset(key for key, texture in textures.items() if self._bytes[key] == self._read(texture))

    def sees_bits(self) -> bool:
        """Whether reading returns what was written."""
        for bits in (each for pair in APART for each in pair):
            texture = texel_of(self._context, bits)
            seen = int.from_bytes(self._read(texture)[12:], "little")
            texture.release()
            if seen != bits:
                return False
        return True

    def _read(self, texture: moderngl.Texture) -> memoryview:
        """Returns the texture's bytes, until the next one is read."""
        size = _size(texture)
        if len(self._now) < size:
            self._now = bytearray(size)
        view = memoryview(self._now)[:size]
        texture.read_into(view, alignment=1)
        return view


def _size(texture: moderngl.Texture) -> int:
    return texture.width * texture.height * texture.components * int(texture.dtype[1:])
