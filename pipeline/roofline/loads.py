"""Runs loads that measure a device: whole shaders of `shaders/bench`, drawn or dispatched into own targets."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader

if TYPE_CHECKING:
    import moderngl

Format = Literal["r32f", "rgba32f", "r16f", "rgba16f"]
# Lanes and moderngl's name of the type.
FORMATS: Mapping[Format, tuple[int, str]] = MappingProxyType(
    {"r32f": (1, "f4"), "rgba32f": (4, "f4"), "r16f": (1, "f2"), "rgba16f": (4, "f2")}
)
# Software drivers end a fragment's loops after 65,535 turns.
_MOST_TURNS = 1 << 15
_MOST_AMOUNT = 1 << 27
_REPEATS = 5
# Invocations of a work group along each side, as in the shaders.
_GROUP = 8


@dataclass(frozen=True)
class Clock:
    """Times work on a context, as much of it as takes long enough."""

    context: moderngl.Context
    least_seconds: float
    pick: Callable[[Sequence[float]], float] = statistics.median

    def grown(self, run: Callable[[int], None], amount: int) -> tuple[int, float]:
        """Returns an amount, at least `amount`, and its seconds, picked from several runs."""
        run(amount)
        self.context.finish()
        while (seconds := self._seconds(run, amount)) < self.least_seconds and amount < _MOST_AMOUNT:
            amount *= max(2, min(16, int(self.least_seconds / max(seconds, 1e-6))))
        # A run that takes long by itself is measured well enough by few.
        repeats = _REPEATS if seconds < 4 * self.least_seconds else 3
        return amount, self.pick([seconds, *(self._seconds(run, amount) for _ in range(repeats - 1))])

    def _seconds(self, run: Callable[[int], None], amount: int) -> float:
        start = time.perf_counter()
        run(amount)
        self.context.finish()
        return time.perf_counter() - start


class Load:
    """A program with a target texture, and perhaps a `source` texture that it reads."""

    def __init__(self, context: moderngl.Context, size: tuple[int, int], name: Format) -> None:
        self._context = context
        self._made = ExitStack()
        self._program: moderngl.Program | moderngl.ComputeShader
        self.source: moderngl.Texture | None = None
        lanes, dtype = FORMATS[name]
        self.texture = context.texture(size, lanes, dtype=dtype)
        self._made.callback(self.texture.release)
        self.texture.filter = (context.NEAREST, context.NEAREST)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._made.close()

    def set(self, **uniforms: Any) -> None:
        """Sets uniforms by name."""
        for name, value in uniforms.items():
            self._program[name].value = value  # type: ignore[union-attr]

    def run_turns(self, turns: int) -> None:
        """Runs with so many turns of the shader's loop, several times if they exceed the limit of one run."""
        self.set(u_turns=min(turns, _MOST_TURNS))
        self.run(max(turns // _MOST_TURNS, 1))

    def run(self, times: int = 1) -> None:
        """Writes the whole target so many times."""
        raise NotImplementedError


class ShaderStage(Protocol):
    """Runs loads; a target of `side_texels` keeps all processors busy."""

    side_texels: int

    def load(self, shader: str, size: tuple[int, int], name: Format = "rgba32f") -> Load:
        """Makes a load with a target of that size (width, height) and format; leaving it releases it."""


class Drawings:
    """Draws fragment shaders, `shaders/bench/NAME.glsl`."""

    side_texels = 256

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def load(self, shader: str, size: tuple[int, int], name: Format = "rgba32f") -> Load:
        """See `ShaderStage.load`."""
        return _Drawing(self._context, shader, size, name)


class Dispatches:
    """Dispatches compute shaders, `shaders/bench/NAME_compute.glsl`."""

    side_texels = 1024

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context

    def load(self, shader: str, size: tuple[int, int], name: Format = "rgba32f") -> Load:
        """See `ShaderStage.load`."""
        return _Dispatch(self._context, shader, size, name)


class _Drawing(Load):
    def __init__(self, context: moderngl.Context, shader: str, size: tuple[int, int], name: Format) -> None:
        super().__init__(context, size, name)
        fragment = read_shader(f"bench/{shader}.glsl")
        self._program = compiled(context, default_vertex_shader(fragment), fragment)
        self._made.callback(self._program.release)
        self._array = context.vertex_array(self._program, [])
        self._made.callback(self._array.release)
        self._target = context.framebuffer([self.texture])
        self._made.callback(self._target.release)

    def run(self, times: int = 1) -> None:
        """Draws the whole target so many times."""
        with pass_state(self._context, self._target):
            if self.source is not None:
                self.source.use(0)
            for _ in range(times):
                self._array.render(vertices=3)


class _Dispatch(Load):
    def __init__(self, context: moderngl.Context, shader: str, size: tuple[int, int], name: Format) -> None:
        super().__init__(context, size, name)
        self._groups = (size[0] // _GROUP, size[1] // _GROUP)
        self._compute = context.compute_shader(read_shader(f"bench/{shader}_compute.glsl"))
        self._program = self._compute
        self._made.callback(self._compute.release)

    def run(self, times: int = 1) -> None:
        """Dispatches work groups over the whole target so many times."""
        self.texture.bind_to_image(0, read=False, write=True)
        if self.source is not None:
            self._context.memory_barrier()  # it may have been stored into
            self.source.use(0)
        for _ in range(times):
            self._compute.run(*self._groups)
