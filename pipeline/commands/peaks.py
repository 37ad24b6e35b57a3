"""What this device can do at most, measured: by a shader that only computes, and by one that only copies.

A pass cannot be faster than these; how near it comes says how much there is to gain.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pipeline.gl.state import pass_state
from pipeline.glsl.assemble import read_shader
from pipeline.glsl.default_vertex import default_vertex_shader

if TYPE_CHECKING:
    import moderngl

# Operations of one turn of `bench/fma.glsl`: eight chains, four lanes, a product and a sum.
OPERATIONS_A_TURN = 8 * 4 * 2
_FMA_TEXELS, _COPY_TEXELS = 256, 1024
# A measurement takes at least this long, or its start and end would weigh too much.
_LEAST_SECONDS = 0.02
# Software drivers end a fragment's loops after 65,535 turns.
_MOST_TURNS = 1 << 15
_REPEATS = 5


@dataclass(frozen=True)
class Peaks:
    """10⁹ float32 operations and 10⁹ bytes (read and written) a second."""

    gflops: float
    gbytes: float


def measure_peaks(context: moderngl.Context) -> Peaks:
    """Both, each the median of several runs by the clock on the wall, until the GPU is done."""
    return Peaks(_gflops(context), _gbytes(context))


def _gflops(context: moderngl.Context) -> float:
    def seconds(program: moderngl.Program, draw: Callable[[], None], turns: int) -> float:
        program["u_turns"].value = turns  # type: ignore[union-attr]
        program["u_factors"].value = (0.999, 0.001)  # type: ignore[union-attr]
        return _seconds(context, draw)

    with _Drawing(context, "bench/fma.glsl", _FMA_TEXELS) as drawing:
        turns = 64
        took = seconds(drawing.program, drawing.draw, turns)
        while took < _LEAST_SECONDS and turns < _MOST_TURNS:
            turns *= 2
            took = seconds(drawing.program, drawing.draw, turns)
        return _FMA_TEXELS**2 * turns * OPERATIONS_A_TURN / took / 1e9


def _gbytes(context: moderngl.Context) -> float:
    source = context.texture((_COPY_TEXELS, _COPY_TEXELS), 4, dtype="f4")
    try:
        with _Drawing(context, "bench/copy.glsl", _COPY_TEXELS) as drawing:
            drawing.source = source
            copies = 1
            took = _seconds(context, drawing.draw)
            while took < _LEAST_SECONDS and copies < 1024:
                copies *= 2
                took = _seconds(context, partial(drawing.draw, copies))
            return copies * _COPY_TEXELS**2 * 16 * 2 / took / 1e9
    finally:
        source.release()


def _seconds(context: moderngl.Context, draw: Callable[[], None]) -> float:
    draw()
    context.finish()
    taken = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        draw()
        context.finish()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


class _Drawing:
    """A whole fragment shader drawn into a float target of its own."""

    def __init__(self, context: moderngl.Context, shader: str, side_texels: int) -> None:
        self._context = context
        fragment = read_shader(shader)
        vertex = default_vertex_shader(fragment)
        self.program = context.program(vertex_shader=vertex, fragment_shader=fragment)
        self.source: moderngl.Texture | None = None
        self._array = context.vertex_array(self.program, [])
        self._texture = context.texture((side_texels, side_texels), 4, dtype="f4")
        self._target = context.framebuffer([self._texture])

    def __enter__(self) -> _Drawing:
        return self

    def __exit__(self, *_exception: object) -> None:
        for item in (self._target, self._texture, self._array, self.program):
            item.release()

    def draw(self, times: int = 1) -> None:
        with pass_state(self._context, self._target):
            if self.source is not None:
                self.source.use(0)
            for _ in range(times):
                self._array.render(vertices=3)
