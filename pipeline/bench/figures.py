"""Holds the results of `bench` as data, for the target, each way of running it, and each pass; and formats them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from texelscope.layouts.outside_text import in_cell, in_json
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


_MIB = float(1 << 20)


def render(found: Benchmark) -> str:
    """Formats a row per pass, a row per way, then the first result and the device's peaks."""
    passes = _table(
        ("pass", "operator", "GPU ms", "limit ms", "of limit", "by", "GFLOP/s", "GB/s"),
        [_pass_row(each) for each in found.passes],
        left={0, 1, 5},
    )
    ways = _table(
        (
            "layout",
            "backend",
            "passes",
            "run ms",
            "submit ms",
            "GPU ms",
            "ratio",
            "MiB",
            "MiB alive",
            "held/alive",
            "MiB weights",
            "runs",
        ),
        [_way_row(each) for each in found.ways],
        left={0, 1, 2},
    )
    return "\n".join(
        [
            *passes,
            "",
            *ways,
            "",
            "limit: the least possible time here, and what limits it (by); held/alive: memory held over memory needed",
            f"{in_cell(found.target)} on {found.device.renderer}, {found.device.version}",
            _first(found.first_ms, found.first),
            f"a run takes {found.frame_ms:.2f} ms (median of {found.ways[0].runs})",
            *_peaks(found.peak),
        ]
    )


def _pass_row(each: PassTime) -> tuple[str, ...]:
    took = each.gpu_ms
    return (
        in_cell(each.name),
        in_cell(each.operator),
        f"{took:.3f}" if took is not None else "",
        f"{each.limit_ms:.3f}",
        f"{each.limit_ms / took:.1%}" if took else "",
        each.limited_by,
        f"{each.gflops:.2f}" if each.gflops is not None else "",
        f"{each.gbytes:.2f}" if each.gbytes is not None else "",
    )


def _way_row(each: WayTimes) -> tuple[str, ...]:
    return (
        in_cell(each.way.layout),
        each.way.backend,
        "fused" if each.way.fused else "unfused",
        f"{each.frame_ms:.2f}",
        f"{each.submit_ms:.2f}",
        f"{each.gpu_ms:.2f}" if each.gpu_ms is not None else "",
        f"{each.ratio:.2f}",
        f"{each.texture_bytes / _MIB:.1f}",
        f"{each.alive_bytes / _MIB:.1f}",
        f"{each.memory_ratio:.2f}",
        f"{each.weight_bytes / _MIB:.1f}",
        str(each.runs),
    )


def _first(first_ms: float, first: FirstResults | None) -> str:
    here = f"first result {first_ms:.0f} ms after the start"
    if first is None:
        return here
    kept = f"{first.cached_bytes / _MIB:.1f} MiB kept" if first.cached_bytes else "this driver caches no shaders"
    return (
        f"{here}; read back with empty caches {first.cold_ms:.0f} ms, with filled ones {first.warm_ms:.0f} ms ({kept})"
    )


def _peaks(peak: Peaks) -> list[str]:
    """Formats a row for fragments and a row for compute."""
    stages = (("fragment", peak.fragment), ("compute", peak.compute))
    rows = [
        (
            name,
            f"{rates.gflops:.1f}",
            f"{rates.read_gbytes:.1f}",
            f"{rates.fetch_gtexels:.2f}",
            *(f"{each:.2f}" for each in (rates.fill.r32f, rates.fill.rgba32f, rates.fill.r16f, rates.fill.rgba16f)),
        )
        for name, rates in stages
        if rates is not None
    ]
    heads = ("measured peaks", "GFLOP/s", "GB/s memory", "Gtexel/s caches", "fill r32f", "rgba32f", "r16f", "rgba16f")
    return _table(heads, rows, left={0})


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Aligns columns two spaces apart; those of `left` to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    return [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    ]
