"""bench: how long the target takes, in one way or in several side by side, and every pass beside its limit."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from pipeline.bench.figures import Benchmark, PassTime, Way, WayTimes
from pipeline.bench.first_result import first_results
from pipeline.bench.timing import SECONDS, TIMED_RUNS, Runs, pass_times, take_turns
from pipeline.debug_session import DebugSession
from pipeline.device import Limits
from pipeline.forms.backend import dispatches
from pipeline.forms.form import Form
from pipeline.forms.fused.sharing import bytes_of, sharing, steps_of_items
from pipeline.gl.context import device_of, headless_context, limits_of
from pipeline.gl.session import Session
from pipeline.opening import open_session, set_inputs
from pipeline.plan import Backend
from pipeline.planning.lifetimes import memory_use
from pipeline.planning.memory import texture_bytes
from pipeline.roofline.dispatched import dispatched
from pipeline.roofline.limits import limit_of
from pipeline.roofline.peaks import Peaks, measure_peaks
from pipeline.roofline.work import work_of
from pipeline.start_marks import mark, process_start
from pipeline.target import OpenOptions, Target


@dataclass(frozen=True)
class Asked:
    """What to measure beside the target as it is: other layouts, first results; and for how long, a way each."""

    against_layouts: tuple[str, ...] = ()
    first: bool = True
    seconds: float = SECONDS
    peaks: Peaks | None = None


def bench(target: Target, asked: Asked | None = None) -> Benchmark:
    """Opens, runs and times the target in every way asked for, all on one context. Raises TexelscopeError if it cannot.

    Where either backend may be taken, the other one is a way of its own beside that which is.
    `asked.peaks` are this device's where somebody measured them already.
    """
    asked = Asked() if asked is None else asked
    with ExitStack() as stack:
        context = headless_context()
        stack.callback(context.release)
        sessions: list[DebugSession] = []
        opened = _opened(target.options, asked.against_layouts, limits_of(context))
        for options in opened:
            session = stack.enter_context(open_session(target.path, options, context))
            set_inputs(session, target)
            mark("opened")
            session.run_fused()
            session.finish()
            if not sessions:
                mark("ran")
                first_ms = (time.time() - process_start()) * 1e3
            session.run()
            sessions.append(session)
        ways = [
            (Way(options.layout, options.backend, fused), session)
            for options, session in zip(opened, sessions, strict=True)
            for fused in (False, True)
            if not fused or any(isinstance(item, Form) for item in session.fused())
        ]
        runs = take_turns([(session, way.fused) for way, session in ways], asked.seconds)
        # Of the other ways only the sum is told.
        gpu = {id(each): pass_times(each, TIMED_RUNS if each is sessions[0] else 2) for each in sessions}
        peak = measure_peaks(context) if asked.peaks is None else asked.peaks
        computed = dispatched(sessions[0])
        return Benchmark(
            target=sessions[0].plan.name,
            device=device_of(context),
            first_ms=first_ms,
            first=first_results(target) if asked.first else None,
            peak=peak,
            ways=_way_times(ways, runs, [gpu[id(session)] for _, session in ways]),
            passes=tuple(
                _pass_time(sessions[0], name, took, peak, in_compute=name in computed)
                for name, took in gpu[id(sessions[0])].items()
            ),
        )


def _opened(options: OpenOptions, layouts: Sequence[str], limits: Limits) -> list[OpenOptions]:
    """How the target is opened: as asked for, with the other backend where either may be taken, in other layouts."""
    first: Backend = "compute" if dispatches(options.backend, limits) else "fragment"
    backends: list[Backend] = [first]
    if options.backend == "auto" and limits.work_groups is not None:
        backends.append("fragment" if first == "compute" else "compute")
    own = [dataclasses.replace(options, backend=each) for each in backends]
    return [*own, *(dataclasses.replace(options, backend=first, layout=layout) for layout in layouts)]


def _way_times(
    ways: Sequence[tuple[Way, DebugSession]], runs: Sequence[Runs], gpu: Sequence[Mapping[str, float | None]]
) -> tuple[WayTimes, ...]:
    whole = [statistics.median(each.frame_ms) for each in runs]
    return tuple(
        WayTimes(
            way,
            frame_ms,
            statistics.median(each.submit_ms),
            len(each.frame_ms),
            None if way.fused else _sum(times),
            frame_ms / whole[0],
            _texture_bytes(session, fused=way.fused),
            _alive_bytes(session, fused=way.fused),
        )
        for (way, session), each, times, frame_ms in zip(ways, runs, gpu, whole, strict=True)
    )


def _texture_bytes(session: DebugSession, *, fused: bool) -> int:
    """Bytes of the textures of inputs and activations that such a run has."""
    plan = session.plan
    if fused:
        items = session.fused()
        return bytes_of(plan, items, sharing(plan, items))
    return sum(texture_bytes(stored) for stored in plan.textures.values() if stored.role != "constant")


def _alive_bytes(session: DebugSession, *, fused: bool) -> int:
    use = memory_use(session.plan, steps_of_items(session.plan, session.fused()) if fused else None)
    return use.inputs + (use.largest.bytes if use.largest is not None else 0)


def _sum(times: Mapping[str, float | None]) -> float | None:
    known = [took for took in times.values() if took is not None]
    return sum(known) if len(known) == len(times) else None


def _pass_time(session: Session, name: str, gpu_ms: float | None, peak: Peaks, *, in_compute: bool) -> PassTime:
    each = session.plan.pass_called(name)
    work = work_of(session.plan, each)
    limit = limit_of(work, peak, in_compute=in_compute)
    seconds = gpu_ms / 1e3 if gpu_ms else None
    return PassTime(
        name=each.name,
        operator=each.operator,
        shape=session.plan.textures[each.output].shape,
        gpu_ms=gpu_ms,
        operations=work.operations,
        bytes=work.bytes,
        gflops=work.operations / seconds / 1e9 if seconds and work.operations is not None else None,
        gbytes=work.bytes / seconds / 1e9 if seconds else None,
        limit_ms=limit.ms,
        limited_by=limit.by,
    )
