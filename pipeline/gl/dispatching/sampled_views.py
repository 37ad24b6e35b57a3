"""Holds the textures through which samplers other than `sampler2D` read tensors: integer, array, 3-d and buffer ones.

Each is a copy of the texels of a tensor's own texture, updated on the next use after the tensor was written.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, Protocol

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.dispatching.buffer_textures import BufferTexture
from texelscope.pipeline.plan import Sampler, StoredTensor
from texelscope.pipeline.planning.sampler_views import texel_dtype, view_size, view_texels
from texelscope.pipeline.planning.storage import DTYPES
from texelscope.pipeline.sampler_kinds import SamplerKind

# moderngl's name of a lane's type, by numpy's.
_LANES = {"float32": "f4", "float16": "f2", "uint8": "f1", "int32": "i4", "uint32": "u4"}
# The format of a texel in a buffer, by its lanes and the type of a lane (OpenGL 3.3, table 3.14).
_BUFFER_FORMATS = {
    (1, "f4"): 0x822E, (4, "f4"): 0x8814, (1, "f2"): 0x822D, (4, "f2"): 0x881A, (1, "f1"): 0x8229, (4, "f1"): 0x8058,
    (1, "i4"): 0x8235, (4, "i4"): 0x8D82, (1, "u4"): 0x8236, (4, "u4"): 0x8D70,
}  # fmt: skip
# GL's types of samplers (OpenGL 4.6, table 7.3).
_TYPES = {
    ("float", "2D"): 0x8B5E, ("float", "3D"): 0x8B5F, ("float", "2DArray"): 0x8DC1, ("float", "Buffer"): 0x8DC2,
    ("int", "2D"): 0x8DCA, ("int", "3D"): 0x8DCB, ("int", "2DArray"): 0x8DCF, ("int", "Buffer"): 0x8DD0,
    ("uint", "2D"): 0x8DD2, ("uint", "3D"): 0x8DD3, ("uint", "2DArray"): 0x8DD7, ("uint", "Buffer"): 0x8DD8,
}  # fmt: skip
# What tells views of one tensor apart.
ViewId = tuple[SamplerKind, tuple[int, ...]]


class SampledTexels(Protocol):
    """Stands for a texture of any kind."""

    def use(self, location: int) -> None:
        """Binds it to a texture unit."""

    def release(self) -> None:
        """Frees its GL objects."""


class Texels(SampledTexels, Protocol):
    """Stands for a texture whose texels can be replaced."""

    def write(self, data: Any, *, alignment: int) -> None:
        """Replaces all texels."""


class SampledViews:
    """Holds the views of a store's tensors, by key, each made when a pass first reads it."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._views: defaultdict[str, dict[ViewId, Texels]] = defaultdict(dict)
        self._current: defaultdict[str, set[ViewId]] = defaultdict(set)

    def release(self) -> None:
        """Frees all views."""
        for key in [*self._views]:
            self.forget(key)

    def forget(self, key: str) -> None:
        """Frees the views of a tensor."""
        self._current.pop(key, None)
        for view in self._views.pop(key, {}).values():
            view.release()

    def outdate(self, key: str) -> None:
        """Records that the tensor was written."""
        self._current.pop(key, None)

    def of(self, stored: StoredTensor, sampler: Sampler, texture: moderngl.Texture) -> SampledTexels:
        """Returns a sampler's view of a tensor whose `texture` is current.

        Raises TexelscopeError where the driver has no room.
        """
        own = sampler.kind, sampler.size
        view = self._view(stored, sampler)
        if own not in self._current[stored.key]:
            raw = np.frombuffer(texture.read(alignment=1), dtype=DTYPES[stored.storage])
            view.write(view_texels(stored, sampler, raw), alignment=1)
            self._current[stored.key].add(own)
        return view

    def stand_in(self, stored: StoredTensor, sampler: Sampler, texels: NDArray[Any]) -> SampledTexels:
        """Returns a view of other texels, as the tensor stores them, until its own are asked for."""
        own = sampler.kind, sampler.size
        view = self._view(stored, sampler)
        view.write(view_texels(stored, sampler, texels), alignment=1)
        self._current[stored.key].discard(own)
        return view

    def _view(self, stored: StoredTensor, sampler: Sampler) -> Texels:
        views, own = self._views[stored.key], (sampler.kind, sampler.size)
        if own not in views:
            views[own] = self._made(stored, sampler)
        return views[own]

    def _made(self, stored: StoredTensor, sampler: Sampler) -> Texels:
        size, lanes = view_size(stored, sampler), stored.layout.lanes
        view = made_texels(self._context, sampler.kind, size, lanes, texel_dtype(stored, sampler).name)
        if (error := self._context.error) != "GL_NO_ERROR":
            view.release()
            got = f"{error} for {' x '.join(map(str, size))} texels of {lanes} lanes"
            raise TexelscopeError(
                f"texture of '{stored.key}'", f"a {sampler.kind} that the driver has room for", got,
                "Use a smaller tensor.",
            )  # fmt: skip
        return view


def made_texels(context: moderngl.Context, kind: SamplerKind, size: tuple[int, ...], lanes: int, dtype: str) -> Texels:
    """Creates a texture for samplers of a kind, with undefined texels whose lanes are of `dtype`, numpy's name."""
    of_lane = _LANES[dtype]
    if kind.form == "Buffer":
        buffer = context.buffer(reserve=math.prod(size) * lanes * int(of_lane[1]))
        return BufferTexture(buffer, _BUFFER_FORMATS[lanes, of_lane])
    made: moderngl.Texture | moderngl.TextureArray | moderngl.Texture3D
    if kind.form == "2D":
        made = context.texture((size[0], size[1]), lanes, dtype=of_lane, alignment=1)
    elif kind.form == "2DArray":
        made = context.texture_array((size[0], size[1], size[2]), lanes, dtype=of_lane, alignment=1)
    else:
        made = context.texture3d((size[0], size[1], size[2]), lanes, dtype=of_lane, alignment=1)
    made.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return made


def has_its_kind(program: moderngl.Program | moderngl.ComputeShader, sampler: Sampler) -> bool:
    """Reports whether a sampler that the program has is of the binding's kind there."""
    gl_type: int = program[sampler.uniform].gl_type  # type: ignore[union-attr]  # missing in moderngl's stubs
    return gl_type == _TYPES[sampler.kind.numbers, sampler.kind.form]


def set_unit(program: moderngl.Program | moderngl.ComputeShader, sampler: Sampler, unit: int) -> None:
    """Sets the texture unit of a sampler that the program has; moderngl does so for all but buffers."""
    uniform = program[sampler.uniform]
    assert isinstance(uniform, moderngl.Uniform)
    if sampler.kind.form != "Buffer":
        uniform.value = unit
    else:
        set_unit_of_any(program, uniform, unit)


def set_unit_of_any(program: moderngl.Program | moderngl.ComputeShader, uniform: moderngl.Uniform, unit: int) -> None:
    """Sets the texture unit of a sampler of any kind."""
    from OpenGL.raw.GL.VERSION.GL_2_0 import glUniform1i, glUseProgram

    glUseProgram(program.glo)  # a draw binds its own program
    glUniform1i(uniform.location, unit)
