"""bench: how long the target takes, pass by pass, beside what the device can do at most."""

from __future__ import annotations

import dataclasses
import json
import statistics
import time
from dataclasses import dataclass

from pipeline.commands.peaks import Peaks, measure_peaks
from pipeline.commands.work import moved_bytes, operations
from pipeline.device import Device
from pipeline.errors import printable
from pipeline.gl.context import device_of
from pipeline.gl.session import Session
from pipeline.opening import open_and_run
from pipeline.start_marks import process_start
from pipeline.target import Target

# Whole runs that the medians are taken of: at least, at most, and within about so many seconds.
_LEAST_RUNS, _MOST_RUNS = 5, 50
SECONDS = 3.0
VERSION = 1


@dataclass(frozen=True)
class PassTime:
    """One pass: median GPU time, work, and what it achieved (10⁹ operations and bytes a second)."""

    name: str
    operator: str
    shape: tuple[int, ...]
    gpu_ms: float | None
    operations: int | None
    bytes: int
    gflops: float | None
    gbytes: float | None


@dataclass(frozen=True)
class Benchmark:
    """`first_ms`: process start to first result. `frame_ms`: median of `runs` whole warm runs, finished on the GPU."""

    target: str
    device: Device
    first_ms: float
    frame_ms: float
    runs: int
    peak: Peaks
    passes: tuple[PassTime, ...]
    version: int = VERSION

    def as_json(self) -> str:
        """Strict JSON text."""
        return json.dumps(dataclasses.asdict(self), indent=2, allow_nan=False)


def bench(target: Target) -> Benchmark:
    """Opens, runs and times the target. Raises TexelscopeError if it could not run."""
    with open_and_run(target) as session:
        session.finish()
        first_ms = (time.time() - process_start()) * 1e3
        frames, gpu = _frames(session)
        return Benchmark(
            target=session.plan.name,
            device=device_of(session.context),
            first_ms=first_ms,
            frame_ms=statistics.median(frames),
            runs=len(frames),
            peak=measure_peaks(session.context),
            passes=tuple(_pass_time(session, name, gpu[name]) for name in gpu),
        )


def render(found: Benchmark) -> str:
    """The benchmark for a terminal."""
    head = f"{'pass':24} {'operator':18} {'GPU ms':>9} {'GFLOP/s':>9} {'of peak':>8} {'GB/s':>8} {'of peak':>8}"
    lines = [head]
    for each in found.passes:
        rates = (_rate(each.gflops, found.peak.gflops), _rate(each.gbytes, found.peak.gbytes))
        took = f"{each.gpu_ms:9.3f}" if each.gpu_ms is not None else " " * 9
        name, operator = printable(each.name), printable(each.operator)
        lines.append(f"{name:24} {operator:18} {took} {rates[0]} {rates[1]}".rstrip())
    return "\n".join(
        [
            *lines,
            "",
            f"{printable(found.target)} on {found.device.renderer}, {found.device.version}",
            f"first result {found.first_ms:.0f} ms after the start; a run takes {found.frame_ms:.2f} ms "
            f"(median of {found.runs})",
            f"measured peaks: {found.peak.gflops:.1f} GFLOP/s, {found.peak.gbytes:.1f} GB/s",
        ]
    )


def _rate(value: float | None, peak: float) -> str:
    return f"{value:9.2f} {value / peak:8.1%}" if value is not None else " " * 18


def _frames(session: Session) -> tuple[list[float], dict[str, float | None]]:
    """Milliseconds of whole runs after a warm one, and the median GPU time of every pass that ran."""
    session.time_run()
    names = [each.name for each in session.plan.passes if session.has_run(each.name)]
    frames: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in names}
    deadline = time.perf_counter() + SECONDS
    while len(frames) < _LEAST_RUNS or (len(frames) < _MOST_RUNS and time.perf_counter() < deadline):
        frames.append(session.time_run())
        for name in names:
            took = session.gpu_ms(name)
            if took is not None:
                times[name].append(took)
    return frames, {name: statistics.median(taken) if taken else None for name, taken in times.items()}


def _pass_time(session: Session, name: str, gpu_ms: float | None) -> PassTime:
    each = session.plan.find(name)
    assert each is not None
    work, moved = operations(session.plan, each), moved_bytes(session.plan, each)
    seconds = gpu_ms / 1e3 if gpu_ms else None
    return PassTime(
        name=each.name,
        operator=each.operator,
        shape=session.plan.textures[each.output].shape,
        gpu_ms=gpu_ms,
        operations=work,
        bytes=moved,
        gflops=work / seconds / 1e9 if seconds and work is not None else None,
        gbytes=moved / seconds / 1e9 if seconds else None,
    )
