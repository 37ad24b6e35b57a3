"""Holds the results of `bench` as data: for the target, each way of running it, and each pass."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.roofline.peaks import Peaks
from texelscope.pipeline.roofline.work import By

VERSION = 2


@dataclass(frozen=True)
class RunSetting:
    """Describes how a target is run: its layout, the backend of its passes, and whether several may run as one."""

    layout: str
    backend: str = "fragment"
    fused: bool = False

    def __str__(self) -> str:
        return f"{self.layout}, {self.backend}, {'fused' if self.fused else 'unfused'}"


@dataclass(frozen=True)
class WayTimes:
    """Medians of `runs` whole warm runs of one way, which alternate with runs of the other ways.

    `frame_ms` lasts until the GPU is done, `submit_ms` until the driver has all commands; `gpu_ms` is the sum over
    all passes by timer query, in separate runs, None where a pass has no time or several run as one. `ratio` is
    `frame_ms` over that of the first way.

    `texture_bytes` is the most held at once: inputs, other tensors and the scratch of forms, without weights;
    `alive_bytes` counts the inputs and the largest set of other tensors that is alive at the same time;
    `memory_ratio` is the first over the second. `weight_bytes` are those of weights, in textures and packed, in the
    session that runs this way, fused and unfused.
    """

    way: RunSetting
    frame_ms: float
    submit_ms: float
    runs: int
    gpu_ms: float | None
    ratio: float
    texture_bytes: int
    alive_bytes: int
    memory_ratio: float
    weight_bytes: int


@dataclass(frozen=True)
class FirstResults:
    """Times from process start to the outputs read back, in new processes: with empty caches, then with filled ones.

    `cached_bytes` counts what the caches of driver and program hold then; 0: neither keeps any.
    """

    cold_ms: float
    warm_ms: float
    cached_bytes: int


@dataclass(frozen=True)
class PassTime:
    """Describes one pass of the first way: median GPU time, work, and its rates (10⁹ operations and bytes per second).

    `limit_ms` is the least possible time here and `limited_by` its cause: see `pipeline.roofline.work`.
    """

    name: str
    operator: str
    shape: tuple[int, ...]
    gpu_ms: float | None
    operations: int | None
    bytes: int
    gflops: float | None
    gbytes: float | None
    limit_ms: float
    limited_by: By


@dataclass(frozen=True)
class Benchmark:
    """Holds a benchmark; `first_ms` runs from this process's start to its first result, with the caches as they were.

    The ways hold the rest; `first` is None if no new processes were requested.
    """

    target: str
    device: DeviceInfo
    first_ms: float
    first: FirstResults | None
    peak: Peaks
    ways: tuple[WayTimes, ...]
    passes: tuple[PassTime, ...]
    version: int = VERSION

    @property
    def frame_ms(self) -> float:
        """Returns the median of whole warm runs of the first way."""
        return self.ways[0].frame_ms

    def as_json(self) -> str:
        """Returns strict JSON text; fields from the time of a single way keep their place at the top."""
        first = self.ways[0]
        own = {"frame_ms": first.frame_ms, "runs": first.runs}
        return in_json({**dataclasses.asdict(self), **own}, indent=2)
