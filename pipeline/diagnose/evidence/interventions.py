"""Draws a pass once more with one thing changed, without touching its own target. GL thread only.

This is a causal intervention: if the result becomes right when one thing is forced (filtering off, blending off,
coordinates moved by a quarter texel …), that thing is the cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import Redrawn
from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass, ProgramSource

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Texels = NDArray[np.float32]
_FRAMEBUFFER_SRGB = 0x8DB9


@dataclass(frozen=True)
class Intervention:
    """One change: state forced after the pass has set its own, other inputs bound, or another program.

    `background` fills the target before the draw. `uniforms` belong to a changed program.
    """

    unblended: bool = True
    viewport: bool = True
    unmasked: bool = True
    nearest: bool = False
    background: float = 0.0
    inputs: Mapping[str, moderngl.Texture] | None = None
    program: ProgramSource | None = None
    uniforms: Mapping[str, tuple[float, ...]] | None = None


class Redrawer:
    """Redraws one pass of a session. Programs are kept until `release`."""

    def __init__(self, session: Session, shader_pass: Pass, rows: slice) -> None:
        """Draws only the texel `rows` of the target: a part is enough to see what helps."""
        self._session = session
        self._pass = shader_pass
        self._rows = rows
        self._programs: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}

    def of_rows(self, rows: slice) -> Redrawer:
        """Returns a redrawer of other rows, which shares this one's programs."""
        other = Redrawer(self._session, self._pass, rows)
        other._programs = self._programs
        return other

    def release(self) -> None:
        """Frees the programs."""
        for program, array in self._programs.values():
            array.release()
            program.release()
        self._programs.clear()

    def draw(self, intervention: Intervention) -> Redrawn:
        """Draws under the intervention and returns the target in float32, whatever the tensor's storage."""
        program, array = self._program(intervention.program)
        context = self._session.context
        with self._targets(intervention.background) as framebuffer:
            with pass_state(context, framebuffer):
                framebuffer.scissor = self._scissor(framebuffer)
                self._session.bind(self._pass, program)
                self._force(intervention, framebuffer)
                for name, value in (intervention.uniforms or {}).items():
                    if name in program:
                        program[name].value = value  # type: ignore[union-attr]
                array.render(moderngl.TRIANGLES, vertices=3)
            texture = framebuffer.color_attachments[self._pass.looked_at]
            assert isinstance(texture, moderngl.Texture)
            values = np.frombuffer(texture.read(alignment=1), dtype=np.float32)
        return Redrawn(values.reshape(texture.height, texture.width, texture.components), self._rows)

    def _force(self, intervention: Intervention, framebuffer: moderngl.Framebuffer) -> None:
        context = self._session.context
        if intervention.unblended:
            context.disable(moderngl.BLEND)  # logic operations do not apply to float targets
            context.disable_direct(_FRAMEBUFFER_SRGB)
        context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        if intervention.viewport:
            framebuffer.viewport = (0, 0, framebuffer.width, framebuffer.height)
        if intervention.unmasked:  # without scissor or channel mask
            framebuffer.scissor = self._scissor(framebuffer)
            every = (True, True, True, True)
            count = len(framebuffer.color_attachments)
            framebuffer.color_mask = every if count == 1 else (every,) * count  # type: ignore[assignment]
        framebuffer.use()  # this applies what was set
        for unit, sampler in enumerate(self._pass.samplers):
            if intervention.inputs is not None and sampler.key in intervention.inputs:
                intervention.inputs[sampler.key].use(unit)
            if intervention.nearest:
                self._session.sampler(sampler, nearest=True).use(unit)

    def _scissor(self, framebuffer: moderngl.Framebuffer) -> tuple[int, int, int, int]:
        return (0, self._rows.start, framebuffer.width, self._rows.stop - self._rows.start)

    @contextmanager
    def _targets(self, background: float) -> Iterator[moderngl.Framebuffer]:
        context, plan = self._session.context, self._session.plan
        textures = []
        for key in self._pass.outputs:
            stored = plan.textures[key]
            height, width = stored.texture_shape
            texture = context.texture((width, height), stored.layout.lanes, dtype="f4", alignment=1)
            texture.write(np.full((height, width, stored.layout.lanes), background, dtype=np.float32), alignment=1)
            textures.append(texture)
        framebuffer = context.framebuffer(textures)
        try:
            yield framebuffer
        finally:
            framebuffer.release()
            for texture in textures:
                texture.release()

    def _program(self, changed: ProgramSource | None) -> tuple[moderngl.Program, moderngl.VertexArray]:
        source = changed or self._session.program_source(self._pass.name)
        if source.fragment not in self._programs:
            vertex = same_version(self._session.vertex_text(self._pass.name), source.fragment)
            program = compiled(self._session.context, vertex, source.fragment)
            self._programs[source.fragment] = (program, self._session.geometry(program))
        return self._programs[source.fragment]
