"""Copies a stored tensor into a texture of another layout on the GPU: live, without running the model again."""

from __future__ import annotations

import moderngl

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import assemble
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.operators.base import Kernel
from texelscope.pipeline.plan import StoredTensor

# The identity, read through one layout's accessor and written through the other's.
_COPY = ("cast/to_float.glsl", "unary.glsl")


class RelaidTextures:
    """The copied textures, one for each tensor and layout; each is drawn again when its tensor has changed."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made: dict[tuple[str, str], _Drawn] = {}

    def texture(
        self, live: moderngl.Texture, stored: StoredTensor, shown: StoredTensor, number: int
    ) -> moderngl.Texture:
        """Returns the tensor in `live`, stored as `stored`, in `shown`'s layout; `number` changes with its values."""
        key = (stored.key, shown.layout.name)
        drawn = self._made.get(key)
        if drawn is None or (drawn.stored, drawn.shown) != (stored, shown):
            if drawn is not None:
                drawn.release()
            drawn = self._made[key] = _Drawn(self._context, stored, shown)
        drawn.update(live, number)
        return drawn.texture

    def forget(self) -> None:
        """Frees all textures."""
        for drawn in self._made.values():
            drawn.release()
        self._made.clear()


class _Drawn:
    def __init__(self, context: moderngl.Context, stored: StoredTensor, shown: StoredTensor) -> None:
        self.stored, self.shown = stored, shown
        self._context = context
        self._number: int | None = None
        kernel = Kernel(_COPY, {"X": stored.key}, may_be_hot=False)
        title = f"{stored.key} as {shown.layout.name}"
        fragment = assemble(kernel, title, {stored.key: stored}, shown).fragment
        height, width = shown.texture_shape
        self._program = compiled(context, default_vertex_shader(fragment), fragment)
        self._array = context.vertex_array(self._program, [])
        self.texture = context.texture((width, height), shown.layout.lanes, dtype="f4")
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._framebuffer = context.framebuffer([self.texture])

    def update(self, live: moderngl.Texture, number: int) -> None:
        if number == self._number:
            return
        with pass_state(self._context, self._framebuffer):
            live.use(0)
            self._program["t_X"].value = 0  # type: ignore[union-attr]
            self._array.render(moderngl.TRIANGLES, vertices=3)
        self._number = number

    def release(self) -> None:
        for each in (self._framebuffer, self.texture, self._array, self._program):
            each.release()
