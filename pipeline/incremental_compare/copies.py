"""What keeps textures as they were and tells whether they still are, bit by bit; by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    import moderngl

# Pairs of float32, as bits, that have to be told apart: the least number and zero, zero and minus zero, two NaN,
# neighbours near 1.
APART = ((0x00000001, 0x00000000), (0x00000000, 0x80000000), (0x7FC00001, 0x7FC00002), (0x3F800000, 0x3F800001))


class Copies(Protocol):
    """Copies of textures, in one place or another. All calls come from the thread of the GL context."""

    def put(self, key: str, texture: moderngl.Texture) -> None:
        """Copies the texture as it is now; under that key only ones of one size and format. Raises moderngl.Error."""

    def drop(self, key: str) -> None:
        """Lets one copy go, if there is one."""

    def same(self, textures: Mapping[str, moderngl.Texture]) -> frozenset[str]:
        """The keys of the textures that are, bit by bit, as their copies."""

    def sees_bits(self) -> bool:
        """Whether this driver lets every bit be seen; may raise moderngl.Error, which says that it does not."""

    def release(self) -> None:
        """Frees everything."""


def texel_of(context: moderngl.Context, bits: int) -> moderngl.Texture:
    """A texture of one texel whose last lane alone has these bits; the caller releases it."""
    data = np.array([0, 0, 0, bits], dtype=np.uint32).tobytes()
    return context.texture((1, 1), 4, data, dtype="f4")
