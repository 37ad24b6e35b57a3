"""Runs a shader that records into colours, as often as one texel's record needs.

Each fragment of a small target runs the author's shader for the one texel, and keeps its part of the record. The
author's gl_FragCoord is that of the texel everywhere. A shader that depends on more of its place (inputs from the
vertex shader, differences to neighbouring fragments) is drawn at the texel itself, once for each part: another
viewport would round its inputs otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.plan import Pass

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

_COLUMNS = 256
# Bytes of a texel of four floats or whole numbers of 32 bits.
_TEXEL_BYTES = 16
# A target at a texel's own place reaches from the first texel to that one.
MOST_PLACED_BYTES = 1 << 30

UniformValues = Mapping[str, int | tuple[int, int]]


class ColourScan:
    """Draws parts of one texel's record into `colours` targets of four numbers each, of type `dtype` (f4 or u4)."""

    def __init__(
        self,
        session: Session,
        shader_pass: Pass,
        program: moderngl.Program,
        array: moderngl.VertexArray,
        *,
        texel: tuple[int, int],
        colours: int,
        dtype: str,
    ) -> None:
        self._session = session
        self._pass = shader_pass
        self._program = program
        self._array = array
        self._texel = texel
        self._colours = colours
        self._dtype = dtype

    def draw(
        self, fragments: int, uniforms: UniformValues, *, is_placed: bool, most_at_once: int = 1 << 20
    ) -> NDArray[Any]:
        """Returns [fragments, colours, 4], in the order of the fragments' numbers.

        At most about `most_at_once` fragments are drawn by one command: a driver may end one that takes seconds.
        Raises UnsupportedError where a target at the texel's place would take too much memory.
        """
        tx, ty = self._texel
        columns = min(fragments, _COLUMNS)
        size = (tx + 1, ty + 1) if is_placed else (columns, math.ceil(fragments / columns))
        if is_placed and size[0] * size[1] * self._colours * _TEXEL_BYTES > MOST_PLACED_BYTES:
            raise UnsupportedError(
                f"pass '{self._pass.name}'", "storage buffers (OpenGL 4.3) for a texel this far from the first",
                f"texel {tx},{ty}, on a driver without", "Choose a texel nearer to 0,0.",
            )  # fmt: skip
        context = self._session.context
        targets = [context.texture(size, 4, dtype=self._dtype, alignment=1) for _ in range(self._colours)]
        framebuffer = context.framebuffer(targets)
        try:
            with pass_state(context, framebuffer):
                self._session.bind(self._pass, self._program)
                for name, value in {"u_tap_texel": self._texel, **uniforms}.items():
                    self._set(name, value)
                if is_placed:
                    return self._at_the_texel(framebuffer, fragments)
                self._side_by_side(framebuffer, max(most_at_once // columns, 1))
            read = [np.frombuffer(target.read(alignment=1), dtype=self._dtype) for target in targets]
            return np.stack(read).reshape(self._colours, -1, 4).transpose(1, 0, 2)[:fragments]
        finally:
            framebuffer.release()
            for target in targets:
                target.release()

    def _side_by_side(self, framebuffer: moderngl.Framebuffer, rows: int) -> None:
        """Draws all fragments, so many rows at a time."""
        width, height = framebuffer.size
        self._set("u_tap_columns", width)
        self._set("u_tap_first", 0)
        for row in range(0, height, rows):
            framebuffer.scissor = (0, row, width, min(rows, height - row))
            framebuffer.use()
            self._array.render(vertices=3)
            self._session.context.finish()

    def _at_the_texel(self, framebuffer: moderngl.Framebuffer, fragments: int) -> NDArray[Any]:
        """Draws one fragment after another where the texel lies, with the viewport of the pass's own target."""
        output = self._session.plan.textures[self._pass.output]
        part = self._colours * _TEXEL_BYTES
        log = self._session.context.buffer(reserve=fragments * part)
        try:
            framebuffer.viewport = output.layout.bounds(output.shape)
            framebuffer.scissor = (*self._texel, 1, 1)
            self._set("u_tap_columns", 0)
            for fragment in range(fragments):
                self._set("u_tap_first", fragment)
                framebuffer.use()
                self._array.render(vertices=3)
                for colour in range(self._colours):
                    framebuffer.read_into(
                        log, (*self._texel, 1, 1), 4, attachment=colour, alignment=1, dtype=self._dtype,
                        write_offset=fragment * part + colour * _TEXEL_BYTES,
                    )  # fmt: skip
            return np.frombuffer(log.read(), dtype=self._dtype).reshape(fragments, self._colours, 4)
        finally:
            log.release()

    def _set(self, name: str, value: int | tuple[int, int]) -> None:
        if name in self._program:
            self._program[name].value = value  # type: ignore[union-attr]
