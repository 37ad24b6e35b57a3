"""Textures of tensors, which go back to a pool with the tensor and come out of it for the next of its kind."""

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

# So much of what nobody uses is kept for those to come.
MOST_FREE_BYTES = 1 << 28


@dataclass(frozen=True)
class Room:
    """A texture, and the framebuffer that draws into it."""

    texture: moderngl.Texture
    target: moderngl.Framebuffer

    def release(self) -> None:
        """Frees both."""
        self.target.release()
        self.texture.release()


class PooledTexture:
    """One tensor in its texture: what is stored there and how. The texture goes back to the pool with this object."""

    __slots__ = ("__weakref__", "_free", "room", "stored")

    def __init__(self, stored: StoredTensor, room: Room, pool: TexturePool) -> None:
        self.stored = stored
        self.room = room
        self._free = weakref.finalize(self, pool.give, stored, room)
        self._free.atexit = False

    @property
    def is_released(self) -> bool:
        """Whether the texture is the tensor's no more."""
        return not self._free.alive

    def release(self) -> None:
        """Gives the texture back before its time."""
        self._free()


class TexturePool:
    """The textures of a context's tensors: those in use, and those that wait for a tensor of the same kind.

    Only a tensor of the same shape and layout takes a texture over, so that the padding stays the zero that it was
    made as: not every pass writes it, and none would find a number there.
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
        """Bytes of the textures that tensors have now."""
        return self._used_bytes

    @property
    def free_bytes(self) -> int:
        """Bytes of the textures that wait."""
        return self._free_bytes

    def take(self, stored: StoredTensor) -> PooledTexture:
        """A texture for the tensor, with any numbers in it; an empty one has that of one element.

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
        """Takes back what a tensor had. Calls no GL: a tensor may go at any time, in any thread."""
        size = bytes_of(room.texture)
        self._used_bytes -= size
        if not self._is_released:
            self._free.setdefault(_kind(stored), []).append(room)
            self._free.move_to_end(_kind(stored))
            self._free_bytes += size

    def _trim(self) -> None:
        """Frees what has waited longest, where too much waits."""
        while self._free_bytes > self._most_free:
            kind, rooms = next(iter(self._free.items()))
            for room in rooms:
                self._free_bytes -= bytes_of(room.texture)
                room.release()
            del self._free[kind]

    def release(self) -> None:
        """Frees all that waits; what tensors still have goes with the context."""
        self._most_free = -1
        while self._free:
            for room in self._free.popitem()[1]:
                room.release()
        self._free_bytes = 0
        self._is_released = True
        self._store.release()


def _kind(stored: StoredTensor) -> Hashable:
    return stored.shape, stored.layout, stored.storage
