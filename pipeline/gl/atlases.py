"""Holds the textures that several tensors share, each in other rectangles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.storage import values_of

_DTYPES = {"f1": np.uint8, "f2": np.float16, "f4": np.float32}


class AtlasTextures:
    """Holds one texture per atlas, by name, as long as a tensor of the atlas is known."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._textures: dict[str, moderngl.Texture] = {}
        self._members: defaultdict[str, set[str]] = defaultdict(set)
        self._composed: moderngl.Texture | None = None

    def release(self) -> None:
        """Frees all textures."""
        for texture in (*self._textures.values(), *((self._composed,) if self._composed is not None else ())):
            texture.release()
        self._composed = None
        self._textures.clear()
        self._members.clear()

    @property
    def members(self) -> frozenset[str]:
        """Keys of the tensors that lie in an atlas."""
        return frozenset().union(*self._members.values())

    @property
    def textures(self) -> tuple[moderngl.Texture, ...]:
        """The textures of all atlases."""
        return tuple(self._textures.values())

    def of(self, stored: StoredTensor, make: Callable[[], moderngl.Texture]) -> moderngl.Texture:
        """Returns the texture of the tensor's atlas, made on first use."""
        name = stored.layout.atlas
        if name not in self._textures:
            self._textures[name] = make()
        self.add(name, stored.key)
        return self._textures[name]

    def add(self, name: str, key: str) -> None:
        """Records that a tensor lies in an atlas."""
        self._members[name].add(key)

    def forget(self, key: str) -> list[moderngl.Texture]:
        """Forgets a tensor; returns the textures of atlases that it was the last one of, for the caller to free."""
        gone = []
        for name in [name for name, keys in self._members.items() if key in keys]:
            self._members[name].remove(key)
            if not self._members[name]:
                del self._members[name]
                gone.append(self._textures.pop(name))
        return gone

    def composed(
        self, texels: NDArray[np.float32], stored: Sequence[StoredTensor], in_place: Mapping[str, moderngl.Texture]
    ) -> moderngl.Texture:
        """Returns an atlas with textures of floats, by key, in place of some of its tensors; it lasts until the next.

        `texels` are those of the atlas, and `stored` the tensors that a sampler reads in it.
        """
        made = texels.copy()
        for each in stored:
            if each.key not in in_place:
                continue
            other = in_place[each.key]
            raw = np.frombuffer(other.read(alignment=1), dtype=_DTYPES[other.dtype]).reshape(made.shape)
            own = values_of(raw, "uint8" if other.dtype == "f1" else "float32")
            for x, y, width, height in each.layout.areas(each.shape):
                made[y : y + height, x : x + width] = own[y : y + height, x : x + width]
        height, width, lanes = made.shape
        if self._composed is not None:
            self._composed.release()
        self._composed = self._context.texture((width, height), lanes, made.tobytes(), dtype="f4", alignment=1)
        self._composed.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._composed.repeat_x = self._composed.repeat_y = False
        return self._composed
