"""Measures this device's peak rates, by shaders that do one thing each and nothing else.

| figure | its shader |
|---|---|
| `gflops` | products and sums, from registers |
| `read_gbytes` | reads every texel of a texture that is larger than caches, once: what memory gives |
| `fetch_gtexels` | reads the same few texels again and again: what texture units give where caches do the rest |
| `fill` | writes and reads nothing, into textures of several formats |

Each is measured in fragments and, from OpenGL 4.3 on, in compute, which on some devices has many more processors: a
median of several runs by wall-clock time, until the GPU is done, each run long enough that its start and end weigh
little. A pass cannot be faster than these: `pipeline.roofline.work`.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.plan import Storage
from texelscope.pipeline.planning.memory import available_memory
from texelscope.pipeline.roofline.loads import FORMATS, Clock, Dispatches, Drawings, Format, ShaderStage

if TYPE_CHECKING:
    import moderngl

# Operations of one turn of `bench/fma.glsl`: eight chains, four lanes, a product and a sum.
OPERATIONS_A_TURN = 8 * 4 * 2
FETCHES_A_TURN = 8
# Bytes of a texel of four floats, in which reads are counted: no format moves more a read.
TEXEL_BYTES = 16
_FILL_TEXELS = 1024
# The texture that is read once: 256 MiB, more than caches hold. A quarter where memory is short, and on slow
# processors, whose share of the caches is smaller than that.
_READ_TEXELS, _READ_PARTS, _PLENTY_BYTES, _FAST_GTEXELS = 4096, (2, 8), 2 << 30, 1.0
_CACHED_TEXELS, _LITTLE = 32, 8
# A measurement takes at least this long, or its start and end would weigh too much.
LEAST_SECONDS, _QUICK_SECONDS = 0.02, 0.002


@dataclass(frozen=True)
class FillRates:
    """Gives 10⁹ texels a second that are written, by format."""

    r32f: float
    rgba32f: float
    r16f: float
    rgba16f: float

    def gtexels(self, lanes: int, storage: Storage) -> float:
        """Returns the rate for textures of so many lanes; 8 bits count as 16, of which no driver writes fewer."""
        if storage == "float32":
            return self.rgba32f if lanes > 1 else self.r32f
        return self.rgba16f if lanes > 1 else self.r16f


@dataclass(frozen=True)
class Rates:
    """Gives 10⁹ float32 operations, bytes and texels a second, of fragments or of compute; see the table above."""

    gflops: float
    read_gbytes: float
    fetch_gtexels: float
    fill: FillRates

    @property
    def texture_gbytes(self) -> float:
        """The peak 10⁹ bytes a second of textures, out of memory or of caches, whichever is faster."""
        return max(self.read_gbytes, self.fetch_gtexels * TEXEL_BYTES)


@dataclass(frozen=True)
class Peaks:
    """Holds the peaks of fragments and of compute; None before OpenGL 4.3, and where nobody measured them."""

    fragment: Rates
    compute: Rates | None = None


class PeakMeasurement:
    """Measures one figure a step, for a caller with other work in between.

    Each run of a shader takes `least_seconds`; the median over several is kept.
    """

    def __init__(
        self,
        context: moderngl.Context,
        least_seconds: float = LEAST_SECONDS,
        *,
        with_compute: bool = True,
        pick: Callable[[Sequence[float]], float] = statistics.median,
    ) -> None:
        self._clock = Clock(context, least_seconds, pick)
        self._stages: list[ShaderStage] = [Drawings(context)]
        if with_compute and context.version_code >= 430:
            self._stages.append(Dispatches(context))
        self._found: list[Rates] = []
        self._steps = self._measure()

    def step(self) -> Peaks | None:
        """Measures the next figure; returns the peaks once there is none left."""
        if next(self._steps, None) is not None:
            return None
        return Peaks(*self._found)

    def _measure(self) -> Iterator[str]:
        for stage in self._stages:
            figures: dict[str, float] = {}
            steps: dict[str, Callable[[Clock, ShaderStage], float]] = {
                "gflops": _gflops,
                "fetch_gtexels": _fetch_gtexels,
            }
            for name, measure in steps.items():
                figures[name] = measure(self._clock, stage)
                yield name
            fill: dict[str, float] = {}
            for each in FORMATS:
                fill[each] = _fill_gtexels(self._clock, stage, each)
                yield each
            is_fast = fill["rgba32f"] >= _FAST_GTEXELS
            figures["read_gbytes"] = _read_gbytes(self._clock, stage, is_fast=is_fast)
            yield "read_gbytes"
            self._found.append(Rates(**figures, fill=FillRates(**fill)))


def measure_peaks(
    context: moderngl.Context, least_seconds: float = LEAST_SECONDS, *, with_compute: bool = True
) -> Peaks:
    """Measures all of them, in a few seconds on a software driver."""
    return _all(PeakMeasurement(context, least_seconds, with_compute=with_compute))


def _all(measurement: PeakMeasurement) -> Peaks:
    while True:
        peaks = measurement.step()
        if peaks is not None:
            return peaks


def quick_peaks(context: moderngl.Context, *, with_compute: bool) -> Peaks:
    """Measures in a fraction of a second, for a picture on logarithmic axes: the fastest of short runs."""
    return _all(PeakMeasurement(context, _QUICK_SECONDS, with_compute=with_compute, pick=min))


def _gflops(clock: Clock, stage: ShaderStage) -> float:
    with stage.load("fma", (stage.side_texels, stage.side_texels)) as load:
        load.set(u_factors=(0.999, 0.001))
        turns, seconds = clock.grown(load.run_turns, 16)
    return stage.side_texels**2 * turns * OPERATIONS_A_TURN / seconds / 1e9


def _read_gbytes(clock: Clock, stage: ShaderStage, *, is_fast: bool) -> float:
    memory = available_memory()
    plenty = is_fast and (memory is None or memory >= _PLENTY_BYTES)
    side = min(_READ_TEXELS if plenty else _READ_TEXELS // 2, int(clock.context.info["GL_MAX_TEXTURE_SIZE"]))
    with (
        stage.load("fill", (side, side)) as source,
        stage.load("read", (side // _READ_PARTS[0], side // _READ_PARTS[1])) as load,
    ):
        source.run()  # memory that nobody wrote may be no memory at all
        load.set(u_parts=_READ_PARTS)
        load.source = source.texture
        runs, seconds = clock.grown(load.run, 1)
    with stage.load("fill", (_LITTLE, _LITTLE)) as last:
        last.run()  # a driver keeps what a dispatch read until the next, deleted or not
    return runs * side**2 * TEXEL_BYTES / seconds / 1e9


def _fetch_gtexels(clock: Clock, stage: ShaderStage) -> float:
    with (
        stage.load("fill", (_CACHED_TEXELS, _CACHED_TEXELS)) as source,
        stage.load("fetch", (stage.side_texels, stage.side_texels)) as load,
    ):
        source.run()
        load.source = source.texture
        turns, seconds = clock.grown(load.run_turns, 4)
    return stage.side_texels**2 * turns * FETCHES_A_TURN / seconds / 1e9


def _fill_gtexels(clock: Clock, stage: ShaderStage, name: Format) -> float:
    with stage.load("fill", (_FILL_TEXELS, _FILL_TEXELS), name) as load:
        runs, seconds = clock.grown(load.run, 1)
    return runs * _FILL_TEXELS**2 / seconds / 1e9
