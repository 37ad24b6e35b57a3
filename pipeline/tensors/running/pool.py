"""Pools the textures of tensors: a tensor's texture returns to the pool, for the next tensor of its kind."""

from __future__ import annotations

import dataclasses
import weakref
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.gl.textures import TextureStore, bytes_of
from texelscope.pipeline.plan import StoredTensor

if TYPE_CHECKING:
    import moderngl

# So much of unused textures is kept for later ones.
MOST_FREE_BYTES = 1 << 28


@dataclass(frozen=True)
class Room:
    """Holds a texture, and the framebuffer that draws into it."""

    texture: moderngl.Texture
    target: moderngl.Framebuffer

    def release(self) -> None:
        """Frees both."""
        self.target.release()
        self.texture.release()


class PooledTexture:
    """Holds one tensor in its texture. The texture goes back to the pool with this object."""

    __slots__ = ("__weakref__", "_free", "room", "stored")

    def __init__(self, stored: StoredTensor, room: Room, pool: TexturePool) -> None:
        self.stored = stored
        self.room = room
        self._free = weakref.finalize(self, pool.give, stored, room)
        self._free.atexit = False

    @property
    def is_released(self) -> bool:
        """Whether the texture no longer belongs to the tensor."""
        return not self._free.alive

    def release(self) -> None:
        """Returns the texture early."""
        self._free()


class TexturePool:
    """Keeps the textures of a context's tensors: those in use, and those free for a tensor of the same kind.

    Only a tensor of the same shape and layout takes a texture over, so that the padding stays zero: not every pass
    writes it, and none may find a number there.
    """

    def __init__(self, context: moderngl.Context, most_free: int = MOST_FREE_BYTES) -> None:
        self._context = context
        self._store = TextureStore(context)
        self._most_free = most_free
        self._free: OrderedDict[Hashable, list[Room]] = OrderedDict()
        self._free_bytes = 0
        self._used_bytes = 0
        self._is_released = False

    @property
    def used_bytes(self) -> int:
        """Bytes of the textures in use."""
        return self._used_bytes

    @property
    def free_bytes(self) -> int:
        """Bytes of the free textures."""
        return self._free_bytes

    def take(self, stored: StoredTensor) -> PooledTexture:
        """Returns a texture for the tensor, with any numbers in it; an empty one has that of one element.

        Raises TexelscopeError if there is no room.
        """
        waiting = self._free.get(_kind(stored))
        if waiting:
            room = waiting.pop()
            self._free_bytes -= bytes_of(room.texture)
        else:
            self._trim()
            texture = self._store.make(dataclasses.replace(stored, shape=(1,)) if 0 in stored.shape else stored)
            room = Room(texture, self._context.framebuffer([texture]))
        self._used_bytes += bytes_of(room.texture)
        return PooledTexture(stored, room, self)

    def give(self, stored: StoredTensor, room: Room) -> None:
        """Takes a tensor's texture back. Calls no GL: a tensor may go at any time, in any thread."""
        size = bytes_of(room.texture)
        self._used_bytes -= size
        if not self._is_released:
            self._free.setdefault(_kind(stored), []).append(room)
            self._free.move_to_end(_kind(stored))
            self._free_bytes += size

    def _trim(self) -> None:
        """Frees the textures longest unused, where there are too many."""
        while self._free_bytes > self._most_free:
            kind, rooms = next(iter(self._free.items()))
            for room in rooms:
                self._free_bytes -= bytes_of(room.texture)
                room.release()
            del self._free[kind]

    def release(self) -> None:
        """Frees all free textures; those in use go with the context."""
        self._most_free = -1
        while self._free:
            for room in self._free.popitem()[1]:
                room.release()
        self._free_bytes = 0
        self._is_released = True
        self._store.release()


def _kind(stored: StoredTensor) -> Hashable:
    return stored.shape, stored.layout, stored.storage
