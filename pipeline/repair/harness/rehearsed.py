"""The task of a standby process: it compiles programs and draws with them, so that a crash hits no other process."""

from __future__ import annotations

import time
from functools import cache

import moderngl

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.program import compiled, compiled_dispatch
from texelscope.pipeline.gl.state import TargetGeometry, pass_state
from texelscope.pipeline.gl.textures import MODERNGL_DTYPE, sampler_of
from texelscope.pipeline.repair.harness.pass_textures import PassTextures


def rehearsed(vertex: str, text: str, stage: PassTextures) -> float | None:
    """Compiles a program and draws a texel with it, in that process; returns the seconds it took, None if refused.

    Without a vertex shader it is a compute shader, which is not dispatched: it has no buffers bound to write to.
    """
    start = time.monotonic()
    try:
        if vertex:
            _scene(stage).draw(vertex, text)
        else:
            compiled_dispatch(_context(), text, "a shader").release()
    except (moderngl.Error, UnsupportedError):
        return None
    return time.monotonic() - start


@cache
def _context() -> moderngl.Context:
    """Returns the only context of the standby process."""
    return headless_context()


@cache
def _scene(stage: PassTextures) -> Scene:
    """Returns the scene of a stage; a process has few of them."""
    return Scene(_context(), stage)


class Scene:
    """A scene is a stage with empty textures; release it. GL thread."""

    def __init__(self, context: moderngl.Context, stage: PassTextures) -> None:
        self._context, self._stage = context, stage
        self._geometry = TargetGeometry(context)
        self._textures = [
            context.texture(read.size, read.lanes, dtype=MODERNGL_DTYPE[read.storage]) for read in stage.reads
        ]
        self._samplers = [sampler_of(context, read.filter, read.wrap) for read in stage.reads]
        made = [context.texture((width, height), lanes, dtype="f4") for width, height, lanes in stage.targets]
        self._target = context.framebuffer(made)

    def draw(self, vertex: str, fragment: str) -> None:
        """Compiles a program and draws one texel with it. Raises moderngl.Error if the driver refuses it."""
        program = compiled(self._context, vertex, fragment)
        array = self._geometry.vertex_array(program)
        with pass_state(self._context, self._target):
            self._target.scissor = (0, 0, 1, 1)
            for read, texture, sampler in zip(self._stage.reads, self._textures, self._samplers, strict=True):
                if program.get(read.uniform, None) is not None:
                    texture.use(read.unit)
                    sampler.use(read.unit)
                    program[read.uniform].value = read.unit  # type: ignore[union-attr]
            array.render(moderngl.TRIANGLES, vertices=3)
            self._context.finish()
        array.release()
        program.release()

    def release(self) -> None:
        """Frees all GL objects."""
        for each in (self._target, *self._target.color_attachments, *self._textures, *self._samplers):
            each.release()
        self._geometry.release()
