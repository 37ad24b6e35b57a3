"""Measures a target in one or several ways side by side, and every pass beside its limit on this device."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from texelscope.pipeline.bench.figures import Benchmark, PassTime, RunSetting, WayTimes
from texelscope.pipeline.bench.timing import SECONDS, TIMED_RUNS, TimedRuns, first_results, pass_times, take_turns
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.gl.context import device_of, headless_context, limits_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.lowerings.fusion.buffer_reuse import MostHeld, scratch_bytes
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.solo import dispatches
from texelscope.pipeline.opening import open_session, set_inputs
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.planning.memory import memory_use
from texelscope.pipeline.roofline.peaks import Peaks, measure_peaks
from texelscope.pipeline.roofline.work import dispatched, limit_of, work_of
from texelscope.pipeline.start_marks import mark, process_start
from texelscope.pipeline.target import OpenOptions, Target


@dataclass(frozen=True)
class BenchRequest:
    """Says what to measure beside the target as it is (other layouts, first results), and for how long per way."""

    against_layouts: tuple[str, ...] = ()
    first: bool = True
    seconds: float = SECONDS
    peaks: Peaks | None = None


def bench(target: Target, asked: BenchRequest | None = None) -> Benchmark:
    """Opens, runs and times the target in every requested way on one context. Raises TexelscopeError if it cannot.

    If both backends are allowed, the one that the planner did not choose is measured too.
    `asked.peaks` are this device's if they were measured before.
    """
    asked = BenchRequest() if asked is None else asked
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
            (RunSetting(options.layout, options.backend, fused), session)
            for options, session in zip(opened, sessions, strict=True)
            for fused in (False, True)
            if not fused or any(isinstance(item, Lowering) for item in session.fused())
        ]
        runs = take_turns([(session, way.fused) for way, session in ways], asked.seconds)
        # Of the other ways only the total is reported.
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
    """Lists the options to open the target with: as given, with the other backend if allowed, in other layouts."""
    first: Backend = "compute" if dispatches(options.backend, limits) else "fragment"
    backends: list[Backend] = [first]
    if options.backend == "auto" and limits.work_groups is not None:
        backends.append("fragment" if first == "compute" else "compute")
    own = [dataclasses.replace(options, backend=each) for each in backends]
    return [*own, *(dataclasses.replace(options, backend=first, layout=layout) for layout in layouts)]


def _way_times(
    ways: Sequence[tuple[RunSetting, DebugSession]],
    runs: Sequence[TimedRuns],
    gpu: Sequence[Mapping[str, float | None]],
) -> tuple[WayTimes, ...]:
    whole = [statistics.median(each.frame_ms) for each in runs]
    memory = [_memory(session, fused=way.fused) for way, session in ways]
    return tuple(
        WayTimes(
            way,
            frame_ms,
            statistics.median(each.submit_ms),
            len(each.frame_ms),
            None if way.fused else _sum(times),
            frame_ms / whole[0],
            held.bytes,
            held.alive,
            held.ratio,
            session.held().weights,
        )
        for (way, session), each, times, frame_ms, held in zip(ways, runs, gpu, whole, memory, strict=True)
    )


def _memory(session: DebugSession, *, fused: bool) -> MostHeld:
    """Returns the bytes of a run: all tensors, and the scratch of forms, or as many as it holds at once."""
    if fused:
        return session.sharing().held
    plan, use = session.plan, memory_use(session.plan)
    forms = [form for each in plan.passes if (form := session.form(each.name)) is not None]
    buffers: dict[str, int] = {}
    for name, size in (each for form in forms for each in form.buffers):
        buffers[name] = max(buffers.get(name, 0), size)
    scratch = sum(map(scratch_bytes, {each for form in forms for each in form.scratch})) + sum(buffers.values())
    return MostHeld(use.inputs + use.activations + scratch, use.alive)


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
