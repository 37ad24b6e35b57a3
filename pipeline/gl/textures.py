"""Stores tensors as GL textures: created on first use, written from and read into arrays by their layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import in_label
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.atlases import AtlasTextures
from texelscope.pipeline.gl.dispatching.sampled_views import SampledTexels
from texelscope.pipeline.gl.dispatching.twins import Twins
from texelscope.pipeline.gl.state import pass_state, release_framebuffer
from texelscope.pipeline.lowerings.fusion.room import Format, Room, Share, format_of
from texelscope.pipeline.plan import Filter, Sampler, Storage, StoredTensor, Wrap
from texelscope.pipeline.planning.memory import texture_bytes
from texelscope.pipeline.planning.storage import DTYPES, components, values_of

# One count for all stores: data cached from one session's texture must not be taken for another's of its name.
_WRITTEN = count(1)

# Formats in 32 bits are filled and read as floats.
MODERNGL_DTYPE: Mapping[Storage, str] = {
    "float32": "f4", "float16": "f2", "uint8": "f1", "rgb10_a2": "f4", "r11g11b10": "f4",
}  # fmt: skip
# GL_RGB10_A2 and GL_R11F_G11F_B10F; others follow from lanes and dtype.
_INTERNAL_FORMATS: Mapping[Storage, int] = {"rgb10_a2": 0x8059, "r11g11b10": 0x8C3A}
_LANE_BYTES = {"f4": 4, "f2": 2, "f1": 1}


def label(
    context: moderngl.Context,
    item: moderngl.Texture | moderngl.TextureArray | moderngl.Framebuffer | moderngl.Program | moderngl.ComputeShader,
    text: str,
) -> None:
    """Names a GL object for debuggers, if the driver supports names."""
    most = context.max_label_length
    if most is not None and context.supports_labels:
        item.label = in_label(text, most - 1)


def debug_group(context: moderngl.Context, name: str) -> AbstractContextManager[None]:
    """Groups draws and dispatches inside for debuggers, if the driver supports groups."""
    most = context.max_debug_message_length
    if most is None or not context.supports_debug_scopes:
        return nullcontext()
    return context.debug_scope(in_label(name, most - 1))


class TextureStore:
    """Holds one texture per stored tensor, by key, and the sampler objects through which passes read them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._textures: dict[str, moderngl.Texture] = {}
        self._samplers: dict[tuple[str, str], moderngl.Sampler] = {}
        self._generations: dict[str, int] = {}
        self._waiting: dict[str, tuple[StoredTensor, NDArray[Any]]] = {}
        self._shared: dict[Share, moderngl.Texture] = {}
        self._before: dict[str, moderngl.Texture] = {}
        self.atlases = AtlasTextures(context)
        self._share_of: dict[str, Share] = {}
        self._keys_of: defaultdict[Share, set[str]] = defaultdict(set)
        self._targets: dict[tuple[int, ...], moderngl.Framebuffer] = {}
        self.twins = Twins(context)

    def release(self) -> None:
        """Frees all textures, framebuffers and samplers."""
        for sampler in self._samplers.values():
            sampler.release()
        for target in self._targets.values():
            release_framebuffer(self._context, target)
        for texture in (*self._textures.values(), *self._shared.values(), *self._before.values()):
            texture.release()
        self.atlases.release()
        self._before.clear()
        self._targets.clear()
        self._samplers.clear()
        self._textures.clear()
        self._shared.clear()
        self._share_of.clear()
        self._keys_of.clear()
        self._waiting.clear()
        self.twins.release()

    @property
    def made(self) -> frozenset[str]:
        """Returns keys of the tensors that have a texture."""
        return self.atlases.members.union(self._textures)

    def texture(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture of a stored tensor with its data, created on first use; the caller may write it."""
        texture = self.as_it_is(stored)
        self.twins.settle(stored.key, texture)
        self.twins.wrote(stored.key)
        return texture

    def for_reading(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture, as `texture`, for a caller that does not write it: copies in buffers stay current."""
        texture = self.as_it_is(stored)
        self.twins.settle(stored.key, texture)
        return texture

    def sampled(self, stored: StoredTensor, binding: Sampler, other: moderngl.Texture | None = None) -> SampledTexels:
        """Returns what the sampler of a binding reads: the tensor's texture, or a copy of it as its kind needs.

        With `other` it reads the numbers of that texture instead; a copy of them lasts until the next call.
        """
        if binding.kind.is_plain:
            return self.for_reading(stored) if other is None else other
        if other is None:
            return self.twins.views.of(stored, binding, self.for_reading(stored))
        storage = next(storage for storage, kind in MODERNGL_DTYPE.items() if kind == other.dtype)
        raw = np.frombuffer(other.read(alignment=1), dtype=DTYPES[storage]).reshape(-1, other.components)
        values = values_of(raw, storage)
        return self.twins.views.stand_in(stored, binding, components(values, stored.storage))

    def as_it_is(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture, as `texture`, which may be outdated if a dispatch wrote the tensor elsewhere."""
        share = self._share_of.get(stored.key)
        if share is not None:
            if share not in self._shared:
                self._shared[share] = self._made(share[0], stored.key, None)
            return self._shared[share]
        if stored.layout.atlas and stored.key not in self._textures:
            return self._atlas_of(stored)
        if stored.key not in self._textures:
            self._textures[stored.key] = self.make(stored)
        texture = self._textures[stored.key]
        waiting = self._waiting.pop(stored.key, None)
        if waiting is not None:
            self.twins.wrote(stored.key)
            _upload(texture, *waiting)
        return texture

    def _atlas_of(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture that the tensor shares with others, with the data of all of them."""
        name = stored.layout.atlas
        texture = self.atlases.of(stored, lambda: self._made(format_of(stored), name, bytes(texture_bytes(stored))))
        for key in [key for key, (each, _) in self._waiting.items() if each.layout.atlas == name]:
            self.atlases.add(name, key)
            self.twins.wrote(key)
            _upload(texture, *self._waiting.pop(key))
        return texture

    def target(self, stored: Sequence[StoredTensor]) -> moderngl.Framebuffer:
        """Returns the framebuffer for those tensors' textures; it is freed with the first of them."""
        textures = [self.as_it_is(each) for each in stored]
        names = tuple(texture.glo for texture in textures)
        if names not in self._targets:
            self._targets[names] = self._context.framebuffer(textures)
            label(self._context, self._targets[names], " + ".join(each.key for each in stored))
        return self._targets[names]

    def share(self, stored: StoredTensor, share: Share | None) -> frozenset[str]:
        """Assigns the tensor, about to be written, to the texture called `share`, unless it has its own.

        Returns the keys of overwritten tensors, itself included. None: it has its own texture.
        """
        if share is None or stored.key in self._textures:
            self.own(stored.key)
            return frozenset()
        if self._share_of.get(stored.key) != share:
            self.own(stored.key)
            self._share_of[stored.key] = share
            self.twins.forget(stored.key)
        overwritten = self._keys_of[share] | {stored.key}
        for key in overwritten:
            self.touch(key)
        self._keys_of[share] = {stored.key}
        return frozenset(overwritten)

    def lend(self, stored: StoredTensor, texture: moderngl.Texture, target: moderngl.Framebuffer) -> None:
        """Lends the tensor a texture of the caller's, drawn through the caller's `target`, until `take_back`."""
        self._textures[stored.key] = texture
        self._targets[texture.glo,] = target
        self.twins.wrote(stored.key)
        self.touch(stored.key)

    def take_back(self, stored: StoredTensor) -> None:
        """Forgets a lent texture unchanged; one that was lent for several tensors may be forgotten already."""
        texture = self._textures.pop(stored.key, None)
        if texture is not None:
            self._targets.pop((texture.glo,), None)
            self.twins.forget(stored.key)

    def own(self, key: str) -> None:
        """Gives the tensor its own texture, created on first use."""
        share = self._share_of.pop(key, None)
        if share is not None:
            self.touch(key)
            self._keys_of[share].discard(key)
            if not self._keys_of[share]:
                self.free((share,))

    @property
    def shares(self) -> frozenset[Share]:
        """Returns the shared textures."""
        return frozenset(self._shared)

    def free(self, rooms: Collection[Room]) -> frozenset[str]:
        """Frees shared textures among these; the next use creates them again. Returns the keys of their tensors."""
        gone: set[str] = set()
        for share in rooms:
            if not isinstance(share, tuple):
                continue
            texture = self._shared.pop(share, None)
            if texture is not None:
                self._release(texture)
            gone |= self._keys_of.pop(share, set())
        for key in gone:
            self.touch(key)
        return frozenset(gone)

    @property
    def own_bytes(self) -> Mapping[str, int]:
        """By key, the bytes of the textures that hold one tensor alone."""
        return {key: bytes_of(texture) for key, texture in self._textures.items()}

    @property
    def shared_bytes(self) -> int:
        """Bytes of all textures that tensors share."""
        return sum(map(bytes_of, (*self._shared.values(), *self.atlases.textures)))

    def make(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns a new texture of the tensor's size and format, with nearest filtering; the caller releases it.

        It is zero: forms write no padding.
        """
        return self._made(format_of(stored), stored.key, bytes(texture_bytes(stored)))

    def _made(self, form: Format, name: str, texels: bytes | None) -> moderngl.Texture:
        height, width, lanes, storage = form
        texture = texture_in(self._context, form, texels)
        if (error := self._context.error) != "GL_NO_ERROR":
            texture.release()
            size = f"{width}x{height} texels of {lanes} lanes in {storage}"
            do_next = "Use a smaller --shape, or --precision float16."
            raise TexelscopeError(
                f"texture of '{name}'", "a size that the driver has room for", f"{error} for {size}", do_next
            )
        label(self._context, texture, name)
        return texture

    def write(self, stored: StoredTensor, array: NDArray[Any]) -> None:
        """Uploads `array` (logical shape), rounded to the tensor's storage; padding becomes zero."""
        self.put(stored, array)
        self.texture(stored)

    def put(self, stored: StoredTensor, array: NDArray[Any]) -> None:
        """Uploads as `write`, but only when the texture is used; the caller must not change `array` until then."""
        self.own(stored.key)
        self._waiting[stored.key] = (stored, array)
        self.touch(stored.key)

    def copy(self, source: StoredTensor, target: StoredTensor) -> None:
        """Copies the texels of a tensor to one of equal shape, layout and storage, without reading them back."""
        self.own(target.key)
        self._waiting.pop(target.key, None)
        self.for_reading(source)
        to = self.target([target])
        with pass_state(self._context, to):
            self._context.copy_framebuffer(to, self.target([source]))
        self.twins.wrote(target.key)
        self.touch(target.key)

    def advance(self, stored: StoredTensor, following: StoredTensor) -> None:
        """Gives the tensor the data of `following`, of equal layout and shape, without a copy: textures are exchanged.

        Its former data are kept for `go_back`, beside the two, and overwritten by the next but one data of
        `following`. The content of `following` is then undefined.
        """
        for each in (stored, following):
            if each.key in self._share_of:  # the texture must outlive other uses of the shared one
                self.write(each, each.decode(self.read(each)))
        now, then = self.texture(stored), self.texture(following)
        oldest = self._before.get(stored.key) or self.make(stored)
        self._textures[stored.key], self._before[stored.key], self._textures[following.key] = then, now, oldest
        self._touch_both(stored, following)

    def go_back(self, stored: StoredTensor, following: StoredTensor) -> bool:
        """Undoes the last `advance` of the two; returns False if there is none."""
        before = self._before.pop(stored.key, None)
        if before is None:
            return False
        self._release(self.texture(following))
        self._textures[following.key], self._textures[stored.key] = self.texture(stored), before
        self._touch_both(stored, following)
        return True

    def _touch_both(self, stored: StoredTensor, following: StoredTensor) -> None:
        for each in (stored, following):
            self.twins.wrote(each.key)
            self.touch(each.key)

    def read(self, stored: StoredTensor) -> NDArray[np.float32]:
        """Returns float32 [height, width, lanes], row 0 first; of 8 bits in [0, 1]."""
        height, width = stored.texture_shape
        raw = np.frombuffer(self.for_reading(stored).read(alignment=1), dtype=DTYPES[stored.storage])
        return values_of(raw.reshape(height, width, stored.layout.lanes), stored.storage)

    def clear(self, stored: StoredTensor) -> None:
        """Sets every lane to zero, padding too."""
        self.own(stored.key)
        self._waiting.pop(stored.key, None)
        zero = np.zeros((), dtype=DTYPES[stored.storage])
        write_own(self.texture(stored), stored, np.broadcast_to(zero, (*stored.texture_shape, stored.layout.lanes)))
        self.touch(stored.key)

    def forget(self, key: str) -> None:
        """Frees the texture of a tensor that was removed or changes its storage."""
        self._waiting.pop(key, None)
        self.twins.forget(key)
        self.own(key)
        if key in self._before:
            self._release(self._before.pop(key))
        if key in self._textures:
            self._release(self._textures.pop(key))
            self.touch(key)
        for texture in self.atlases.forget(key):
            self._release(texture)

    def touch(self, key: str) -> None:
        """Records that the texture of `key` was written."""
        self._generations[key] = next(_WRITTEN)

    def generation(self, key: str) -> int:
        """Returns a number that grows at each write to the texture of `key`, unique to it; 0 before the first."""
        return self._generations.get(key, 0)

    def sampler(self, binding: Sampler) -> moderngl.Sampler:
        """Returns the sampler object for a binding's filter and wrap; it overrides the texture's own."""
        key = (binding.filter, binding.wrap)
        if key not in self._samplers:
            self._samplers[key] = sampler_of(self._context, *key)
        return self._samplers[key]

    def _release(self, texture: moderngl.Texture) -> None:
        """Frees a texture, and the framebuffers that would keep its memory."""
        for names in [names for names in self._targets if texture.glo in names]:
            release_framebuffer(self._context, self._targets.pop(names))
        texture.release()


def texture_in(context: moderngl.Context, form: Format, texels: bytes | None = None) -> moderngl.Texture:
    """Creates a texture of that size and format, with nearest filtering; the caller releases it."""
    height, width, lanes, storage = form
    own = {"internal_format": _INTERNAL_FORMATS[storage]} if storage in _INTERNAL_FORMATS else {}
    texture = context.texture((width, height), lanes, texels, dtype=MODERNGL_DTYPE[storage], alignment=1, **own)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    texture.repeat_x = texture.repeat_y = False
    return texture


def sampler_of(context: moderngl.Context, filtering: Filter, wrap: Wrap) -> moderngl.Sampler:
    """Creates a sampler object, which overrides a texture's own filter and wrap; the caller releases it."""
    mode = moderngl.LINEAR if filtering == "linear" else moderngl.NEAREST
    repeat = wrap != "clamp_to_edge"
    return context.sampler(repeat_x=repeat, repeat_y=repeat, repeat_z=repeat, filter=(mode, mode))


def bytes_of(texture: moderngl.Texture | moderngl.TextureArray) -> int:
    """Counts the bytes of a texture's texels."""
    layers = texture.layers if isinstance(texture, moderngl.TextureArray) else 1
    return layers * texture.width * texture.height * texture.components * _LANE_BYTES[texture.dtype]


def write_own(texture: moderngl.Texture, stored: StoredTensor, texels: NDArray[Any]) -> None:
    """Writes the part of texels, as the texture stores them, that belongs to the tensor."""
    for x, y, width, height in stored.layout.areas(stored.shape):
        part = np.ascontiguousarray(texels[y : y + height, x : x + width])
        texture.write(part, viewport=(x, y, width, height), alignment=1)


def _upload(texture: moderngl.Texture, stored: StoredTensor, array: NDArray[Any]) -> None:
    write_own(texture, stored, components(stored.encode(np.asarray(array, dtype=np.float32)), stored.storage))
