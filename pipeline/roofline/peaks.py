"""What this device can do at most, measured by shaders that do one thing each and nothing else.

| figure | its shader |
|---|---|
| `gflops` | products and sums in fragments, from registers |
| `compute_gflops` | the same in compute, which on some devices has many more processors; None before OpenGL 4.3 |
| `read_gbytes` | reads every texel of a texture that is larger than caches, once: what memory gives |
| `fetch_gtexels` | reads the same few texels again and again: what texture units give where caches do the rest |
| `fill` | writes and reads nothing, into textures of several formats |

Each is a median of several runs by the clock on the wall, until the GPU is done, each run long enough that its start
and end weigh little. A pass cannot be faster than these: `pipeline.roofline.limits`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pipeline.gl.state import pass_state
from pipeline.glsl.assemble import read_shader
from pipeline.glsl.default_vertex import default_vertex_shader
from pipeline.plan import Storage
from pipeline.planning.memory import available_memory

if TYPE_CHECKING:
    import moderngl

Format = Literal["r32f", "rgba32f", "r16f", "rgba16f"]

# Operations of one turn of `bench/fma.glsl`: eight chains, four lanes, a product and a sum.
OPERATIONS_A_TURN = 8 * 4 * 2
FETCHES_A_TURN = 8
# Bytes of a texel of four floats, in which reads are counted: no format moves more a read.
TEXEL_BYTES = 16
_FMA_TEXELS, _FETCH_TEXELS, _FILL_TEXELS = 256, 256, 1024
_COMPUTE_GROUPS, _GROUP = 2048, 128
# The texture that is read once: 256 MiB, more than caches hold. A quarter where memory is short, and where so much
# would take long: a processor's share of its caches is smaller than that.
_READ_TEXELS, _READ_PARTS, _PLENTY_BYTES, _FAST_GTEXELS = 4096, (2, 8), 2 << 30, 1.0
_CACHED_TEXELS = 32
# A measurement takes at least this long, or its start and end would weigh too much.
LEAST_SECONDS, _QUICK_SECONDS = 0.02, 0.002
# Software drivers end a fragment's loops after 65,535 turns.
_MOST_TURNS = 1 << 15
_MOST_AMOUNT = 1 << 27
_REPEATS = 5
_DTYPE: dict[Format, tuple[int, str]] = {
    "r32f": (1, "f4"),
    "rgba32f": (4, "f4"),
    "r16f": (1, "f2"),
    "rgba16f": (4, "f2"),
}


@dataclass(frozen=True)
class Fill:
    """10⁹ texels a second that fragments write, by format."""

    r32f: float
    rgba32f: float
    r16f: float
    rgba16f: float

    def gtexels(self, lanes: int, storage: Storage) -> float:
        """The rate for textures of so many lanes; 8 bits are taken for 16, of which no driver writes fewer."""
        if storage == "float32":
            return self.rgba32f if lanes > 1 else self.r32f
        return self.rgba16f if lanes > 1 else self.r16f


@dataclass(frozen=True)
class Peaks:
    """10⁹ float32 operations, bytes and texels a second; see the table above."""

    gflops: float
    compute_gflops: float | None
    read_gbytes: float
    fetch_gtexels: float
    fill: Fill

    @property
    def texture_gbytes(self) -> float:
        """10⁹ bytes a second that textures give at most, out of memory or of caches, whichever is faster."""
        return max(self.read_gbytes, self.fetch_gtexels * TEXEL_BYTES)


class PeakMeasurement:
    """Measures one figure a step, for a caller that has something else to do between.

    Each run of a shader is made to take `least_seconds`.
    """

    def __init__(self, context: moderngl.Context, least_seconds: float = LEAST_SECONDS) -> None:
        self._context = context
        self._least_seconds = least_seconds
        self._found: dict[str, float | None] = {}
        self._steps = self._measure()

    def step(self) -> Peaks | None:
        """Measures the next figure; the peaks once there is none left."""
        if next(self._steps, None) is not None:
            return None
        found: dict[str, Any] = dict(self._found)
        fill = Fill(**{name: found.pop(name) for name in _DTYPE})
        return Peaks(**found, fill=fill)

    def _measure(self) -> Iterator[str]:
        clock = _Clock(self._context, self._least_seconds)
        steps: dict[str, Callable[[], float | None]] = {
            "gflops": lambda: _fragment_gflops(clock),
            "compute_gflops": lambda: _compute_gflops(clock),
            "fetch_gtexels": lambda: _fetch_gtexels(clock),
        }
        for name, measure in steps.items():
            self._found[name] = measure()
            yield name
        for each in _DTYPE:
            self._found[each] = fill = _fill_gtexels(clock, each)
            yield each
        self._found["read_gbytes"] = _read_gbytes(clock, is_fast=fill >= _FAST_GTEXELS)
        yield "read_gbytes"


def measure_peaks(context: moderngl.Context, least_seconds: float = LEAST_SECONDS) -> Peaks:
    """All of them, in a second or two on a software driver."""
    measurement = PeakMeasurement(context, least_seconds)
    while True:
        peaks = measurement.step()
        if peaks is not None:
            return peaks


def quick_peaks(context: moderngl.Context) -> Peaks:
    """All of them in a fraction of a second, for a picture on logarithmic axes."""
    return measure_peaks(context, _QUICK_SECONDS)


def _fragment_gflops(clock: _Clock) -> float:
    with _Drawing(clock.context, "bench/fma.glsl", (_FMA_TEXELS, _FMA_TEXELS)) as drawing:
        drawing.set(u_factors=(0.999, 0.001))
        turns, seconds = clock.grown(drawing.draw_turns, 64)
    return _FMA_TEXELS**2 * turns * OPERATIONS_A_TURN / seconds / 1e9


def _compute_gflops(clock: _Clock) -> float | None:
    context = clock.context
    if context.version_code < 430:
        return None
    program = context.compute_shader(read_shader("bench/fma.comp.glsl"))
    result = context.buffer(reserve=_COMPUTE_GROUPS * _GROUP * 16)

    def dispatch(turns: int) -> None:
        program["u_turns"].value = min(turns, _MOST_TURNS)
        for _ in range(max(turns // _MOST_TURNS, 1)):
            program.run(_COMPUTE_GROUPS)

    try:
        program["u_factors"].value = (0.999, 0.001)
        result.bind_to_storage_buffer(0)
        turns, seconds = clock.grown(dispatch, 16)
    finally:
        result.release()
        program.release()
    return _COMPUTE_GROUPS * _GROUP * turns * OPERATIONS_A_TURN / seconds / 1e9


def _read_gbytes(clock: _Clock, *, is_fast: bool) -> float:
    memory = available_memory()
    plenty = is_fast and (memory is None or memory >= _PLENTY_BYTES)
    side = min(_READ_TEXELS if plenty else _READ_TEXELS // 2, int(clock.context.info["GL_MAX_TEXTURE_SIZE"]))
    with (
        _Drawing(clock.context, "bench/fill.glsl", (side, side)) as source,
        _Drawing(clock.context, "bench/read.glsl", (side // _READ_PARTS[0], side // _READ_PARTS[1])) as drawing,
    ):
        source.draw()  # memory that nobody wrote may be no memory at all
        drawing.set(u_parts=_READ_PARTS)
        drawing.source = source.texture
        draws, seconds = clock.grown(drawing.draw, 1)
    return draws * side**2 * TEXEL_BYTES / seconds / 1e9


def _fetch_gtexels(clock: _Clock) -> float:
    with (
        _Drawing(clock.context, "bench/fill.glsl", (_CACHED_TEXELS, _CACHED_TEXELS)) as source,
        _Drawing(clock.context, "bench/fetch.glsl", (_FETCH_TEXELS, _FETCH_TEXELS)) as drawing,
    ):
        source.draw()
        drawing.source = source.texture
        turns, seconds = clock.grown(drawing.draw_turns, 16)
    return _FETCH_TEXELS**2 * turns * FETCHES_A_TURN / seconds / 1e9


def _fill_gtexels(clock: _Clock, name: Format) -> float:
    with _Drawing(clock.context, "bench/fill.glsl", (_FILL_TEXELS, _FILL_TEXELS), name) as drawing:
        draws, seconds = clock.grown(drawing.draw, 1)
    return draws * _FILL_TEXELS**2 / seconds / 1e9


@dataclass(frozen=True)
class _Clock:
    """Times work on a context, as much of it as takes long enough."""

    context: moderngl.Context
    least_seconds: float

    def grown(self, run: Callable[[int], None], amount: int) -> tuple[int, float]:
        """How much of it, at least `amount`, and how many seconds that takes, the median of several runs."""
        run(amount)
        self.context.finish()
        while (seconds := self._seconds(run, amount)) < self.least_seconds and amount < _MOST_AMOUNT:
            amount *= max(2, min(16, int(self.least_seconds / max(seconds, 1e-6))))
        # A run that takes long by itself is measured well enough by few.
        repeats = _REPEATS if seconds < 4 * self.least_seconds else 3
        return amount, statistics.median([seconds, *(self._seconds(run, amount) for _ in range(repeats - 1))])

    def _seconds(self, run: Callable[[int], None], amount: int) -> float:
        start = time.perf_counter()
        run(amount)
        self.context.finish()
        return time.perf_counter() - start


class _Drawing:
    """A whole fragment shader drawn into a float target of its own."""

    def __init__(
        self, context: moderngl.Context, shader: str, size: tuple[int, int], format_: Format = "rgba32f"
    ) -> None:
        self._context = context
        self.source: moderngl.Texture | None = None
        with ExitStack() as made:
            fragment = read_shader(shader)
            vertex = default_vertex_shader(fragment)
            self._program = context.program(vertex_shader=vertex, fragment_shader=fragment)
            made.callback(self._program.release)
            self._array = context.vertex_array(self._program, [])
            made.callback(self._array.release)
            lanes, dtype = _DTYPE[format_]
            self.texture = context.texture(size, lanes, dtype=dtype)
            made.callback(self.texture.release)
            self.texture.filter = (context.NEAREST, context.NEAREST)
            self._target = context.framebuffer([self.texture])
            made.callback(self._target.release)
            self._made = made.pop_all()

    def __enter__(self) -> _Drawing:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._made.close()

    def set(self, **uniforms: Any) -> None:
        """Sets uniforms by name."""
        for name, value in uniforms.items():
            self._program[name].value = value  # type: ignore[union-attr]

    def draw_turns(self, turns: int) -> None:
        """Draws fragments of so many turns of their loop, in several draws where that is more than one may have."""
        self.set(u_turns=min(turns, _MOST_TURNS))
        self.draw(max(turns // _MOST_TURNS, 1))

    def draw(self, times: int = 1) -> None:
        """Draws the whole target so many times."""
        with pass_state(self._context, self._target):
            if self.source is not None:
                self.source.use(0)
            for _ in range(times):
                self._array.render(vertices=3)
