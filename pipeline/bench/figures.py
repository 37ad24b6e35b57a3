"""What `bench` found, as data: of the target, of each way of running it, of each pass."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.device import Device
from texelscope.pipeline.roofline.limits import By
from texelscope.pipeline.roofline.peaks import Peaks

VERSION = 2


@dataclass(frozen=True)
class RunSetting:
    """How a target is run: the layout asked for, what runs its passes, and whether several may run as one."""

    layout: str
    backend: str = "fragment"
    fused: bool = False

    def __str__(self) -> str:
        return f"{self.layout}, {self.backend}, {'fused' if self.fused else 'unfused'}"


@dataclass(frozen=True)
class WayTimes:
    """Medians of `runs` whole warm runs of one way, which took turns with those of the others.

    `frame_ms` until the GPU is done, `submit_ms` until everything is handed over to the driver; `gpu_ms` is the sum of
    all passes by timer query, in runs of its own, None where a pass has no time or several run as one. `ratio` is
    `frame_ms` over that of the first way.

    `texture_bytes` are held at most at once, inputs, other tensors and the scratch of forms, weights aside;
    `alive_bytes` are those of the inputs and of the largest set of other tensors that is alive at the same time;
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
    """Process start to the outputs read back, in processes of their own: with empty caches, and with what that left.

    `cached_bytes` are in the caches then, the driver's and the program's own; 0: neither keeps any.
    """

    cold_ms: float
    warm_ms: float
    cached_bytes: int


@dataclass(frozen=True)
class PassTime:
    """One pass of the first way: median GPU time, work, and what it achieved (10⁹ operations and bytes a second).

    `limit_ms` is the least that it could take here and `limited_by` what of: see `pipeline.roofline.limits`.
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
    """`first_ms`: start of this process to its first result, with the caches as they were; the rest of the first way.

    `first` is None where nobody asked for processes of their own.
    """

    target: str
    device: Device
    first_ms: float
    first: FirstResults | None
    peak: Peaks
    ways: tuple[WayTimes, ...]
    passes: tuple[PassTime, ...]
    version: int = VERSION

    @property
    def frame_ms(self) -> float:
        """Median of whole warm runs of the first way."""
        return self.ways[0].frame_ms

    def as_json(self) -> str:
        """Strict JSON text; what stood at the top for one way stands there still."""
        first = self.ways[0]
        own = {"frame_ms": first.frame_ms, "runs": first.runs}
        return in_json({**dataclasses.asdict(self), **own}, indent=2)
