"""Draws: an element of a pass of a source, traced, and held against what the pass wrote there."""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from tests.traces.sources import Source
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.program import compiled_variant
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.step_trace.recorder import TraceRecorder
from texelscope.pipeline.step_trace.recorder import trace as traced
from texelscope.pipeline.step_trace.trace import Trace


@dataclass(frozen=True)
class Draw:
    """One draw: `problem` says how the trace differs from the texel, `refusal` why there is none; both may be empty.

    `admitted`: the trace itself says that it differs (`Trace.agrees`). A driver may compute sums in another order where
    nobody looks at what they are on the way.
    """

    kind: str
    title: str
    problem: str = ""
    refusal: str = ""
    steps: int = 0
    first_ms: float = 0.0
    again_ms: float = 0.0
    admitted: bool = False
    colours_ms: float = 0.0


def drawn(source: Source, gl: moderngl.Context, random_: random.Random, *, in_colours: bool = False) -> Draw:
    """Returns a trace of an element of a pass of the source.

    With `in_colours` it is held against one that is logged in colours.
    """
    try:
        session = source.open(gl)
    except TexelscopeError as error:
        return Draw(source.kind, source.title, refusal=f"not opened: {error}")
    with session:
        session.run()
        passes = [each for each in session.plan.passes if each.dispatch is None and session.has_run(each.name)]
        passes = [each for each in passes if math.prod(session.plan.textures[each.output].shape)]
        if not passes:
            return Draw(source.kind, source.title, refusal="nothing that is drawn")
        return _traced(session, random_.choice(passes), source, random_, in_colours=in_colours)


def _traced(
    session: DebugSession, shader_pass: Pass, source: Source, random_: random.Random, *, in_colours: bool
) -> Draw:
    element = random_.randrange(math.prod(session.plan.textures[shader_pass.output].shape))
    title = f"{source.title}, {shader_pass.name}[{element}]"
    begun = time.process_time()
    try:
        trace = session.trace(shader_pass.name, element)
    except UnsupportedError as error:
        return Draw(source.kind, title, refusal=str(error))
    between = time.process_time()
    again = session.trace(shader_pass.name, element)
    stop = time.process_time()
    problem = "" if again.to_json() == trace.to_json() else "a second trace is another"
    colours_ms = 0.0
    if in_colours and not problem:
        start = time.process_time()
        problem = unlike_in_colours(session, shader_pass, element, trace)
        colours_ms = 1e3 * (time.process_time() - start)
    return Draw(
        source.kind, title, problem or difference(session, shader_pass, element, trace), "", trace.total,
        1e3 * (between - begun), 1e3 * (stop - between), trace.agrees is False, colours_ms,
    )  # fmt: skip


def unlike_in_colours(session: DebugSession, shader_pass: Pass, element: int, trace: Trace) -> str:
    """Returns how a trace logged in colours differs from `trace`, logged in a storage buffer; empty if in nothing."""
    recorder = TraceRecorder(session, in_colours=True)
    try:
        other = traced(session, recorder, shader_pass.name, element)
    except UnsupportedError as error:
        return f"refused in colours: {error}"
    finally:
        recorder.release()
    for field in dataclasses.fields(trace):
        # Two programs: a driver may drop a product with zero from one of them, and with it the sign of a zero.
        own, others = (repr(getattr(each, field.name)).replace("-0.0", "0.0") for each in (trace, other))
        if own != others:
            place = next((at for at, (a, b) in enumerate(zip(own, others, strict=False)) if a != b), 0)
            near = slice(max(place - 60, 0), place + 60)
            return f"in colours {field.name} is …{others[near]}…, not …{own[near]}…"
    return ""


def difference(session: DebugSession, shader_pass: Pass, element: int, trace: Trace) -> str:
    """Returns how the trace's final value differs from the pass's texel; empty if it is the same bit for bit."""
    stored = session.plan.textures[shader_pass.output]
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    texel = session.texels(stored.key)[ty, tx]
    if (trace.place, trace.element) != ((tx, ty), element):
        return f"traced at {trace.place}"
    if trace.discarded:
        return "discarded"
    if trace.agrees is False:
        return "the traced shader wrote something else"
    if session.form(shader_pass.name) is not None:
        texel = _own_texel(session, shader_pass, tx, ty)[: len(texel)]
    value = next(iter(trace.outputs.values()))[lane]
    if not _same(value, float(texel[lane]), stored.storage):
        return f"{value!r} is not {texel[lane]!r}"
    return _last(trace, value, lane)


def _own_texel(session: DebugSession, shader_pass: Pass, tx: int, ty: int) -> NDArray[np.float32]:
    """Returns the texel of the pass's own program, where a form of it ran."""
    context, source = session.context, session.program_source(shader_pass.name)
    vertex = same_version(session.vertex_text(shader_pass.name), source.fragment)
    program = compiled_variant(context, vertex, source.fragment, shader_pass.name)
    targets = [session.scratch_like(key) for key in shader_pass.outputs]
    framebuffer, array = context.framebuffer(targets), session.geometry(program)
    try:
        with pass_state(context, framebuffer):
            session.bind(shader_pass, program)
            array.render(vertices=3)
        return np.frombuffer(framebuffer.read((tx, ty, 1, 1), 4, dtype="f4"), np.float32)
    finally:
        framebuffer.release()
        for target in targets:
            target.release()
        array.release()
        program.release()


def _last(trace: Trace, value: float, lane: int) -> str:
    """Returns the last assignment to the output, whose value is the output's where an author assigns it."""
    name = next(iter(trace.outputs))
    whole = [made for step in trace.steps for made in step.assigned if made.name == name and made.function]
    if trace.total > len(trace.steps) or not whole or any(made.name != name for made in whole):
        return ""
    later = [made for step in trace.steps for made in step.assigned if made.name.startswith((f"{name}.", f"{name}["))]
    if later or len(whole[-1].value) <= lane:
        return ""
    return "" if _same(float(whole[-1].value[lane]), value, "float32") else "the last assignment is another value"


def _same(value: float, texel: float, storage: str) -> bool:
    if storage == "float16":
        with np.errstate(over="ignore"):
            value = float(np.float16(value))
    elif storage == "uint8":
        return abs(min(max(value, 0.0), 1.0) - texel) <= 0.5 / 255 + 1e-6
    bits = [np.float32(each).view(np.uint32) for each in (value, texel)]
    return bool(bits[0] == bits[1] or (math.isnan(value) and math.isnan(texel)))


def chosen(found: Sequence[Source], count: int, seed: int) -> list[Source]:
    """So many sources, each kind with its share and every one of a kind before one comes again."""
    random_ = random.Random(seed)
    kinds: dict[str, list[Source]] = {}
    for source in found:
        kinds.setdefault(source.kind, []).append(source)
    shares = {kind: max(count // (2 * len(kinds)), 1) for kind in kinds}
    shares[max(kinds, key=lambda kind: len(kinds[kind]))] += count - sum(shares.values())
    made: list[Source] = []
    for kind, share in shares.items():
        pool: list[Source] = []
        while len(pool) < share:
            pool += random_.sample(kinds[kind], len(kinds[kind]))
        made += pool[:share]
    return made
