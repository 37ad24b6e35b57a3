"""Runs the traced version of a pass for one fragment, and keeps its program: a second trace costs a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.program import compiled_variant, refusal
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass, ProgramSource, Sampler
from texelscope.pipeline.read_trace.expected import element_at
from texelscope.pipeline.read_trace.kinds import check_views
from texelscope.pipeline.read_trace.recorder import has_buffers
from texelscope.pipeline.step_trace.decode import Decoder
from texelscope.pipeline.step_trace.log import WORDS, TraceLog, reads_of
from texelscope.pipeline.step_trace.rewriting.rewrite import TracedShader, traced
from texelscope.pipeline.step_trace.rewriting.sites import watch_of
from texelscope.pipeline.step_trace.trace import SamplerState, Trace

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# So many programs are kept: those of a few passes, with and without watches.
_KEPT = 12
# So many steps are recorded by default.
WINDOW = 20_000
# Entries of the log: at first, and at most, and steps that are skipped at a time on the way to a window.
FIRST_ENTRIES = 1 << 16
MOST_ENTRIES = 1 << 22
STRIDE = 100_000
# Steps are counted to here.
MOST_STEPS = 1 << 31
_HEADER = 4


@dataclass(frozen=True, eq=False)
class Prepared:
    """A tracing program, its text, the watches that it has and why it lacks the others."""

    source: ProgramSource
    traced: TracedShader
    program: moderngl.Program
    array: moderngl.VertexArray
    watches: tuple[str, ...]
    refused: Mapping[str, str]

    def release(self) -> None:
        """Frees the GL objects."""
        self.array.release()
        self.program.release()


class TracePrograms:
    """Caches programs of passes of one session, by their watches."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, tuple[str, ...]], Prepared] = {}

    def release(self) -> None:
        """Frees them."""
        for each in self._known.values():
            each.release()
        self._known.clear()

    def of(self, shader_pass: Pass, watches: Sequence[str]) -> Prepared:
        """Returns the program of a pass. Raises UnsupportedError where the shader cannot be followed, watches apart."""
        source = self._session.program_source(shader_pass.name)
        key = (shader_pass.name, tuple(dict.fromkeys(watches)))
        known = self._known.pop(key, None)
        if known is None or known.source is not source:
            if known is not None:
                known.release()
            known = self._made(shader_pass, source, key[1])
        self._known[key] = known  # the newest last
        while len(self._known) > _KEPT:
            self._known.pop(next(iter(self._known))).release()
        return known

    def _made(self, shader_pass: Pass, source: ProgramSource, texts: Sequence[str]) -> Prepared:
        who = f"trace of '{shader_pass.name}'"
        asked = [watch_of(text) for text in texts]
        refused = {watch.text: watch.problem for watch in asked if watch.problem}
        watches = [watch for watch in asked if not watch.problem]
        made = traced(source, shader_pass.name, watches)
        vertex = same_version(self._session.vertex_text(shader_pass.name), made.fragment)
        if watches and self._refusal(vertex, made):
            for watch in watches:
                reason = self._refusal(vertex, traced(source, shader_pass.name, [watch]))
                refused |= {watch.text: reason} if reason else {}
            watches = [watch for watch in watches if watch.text not in refused]
            made = traced(source, shader_pass.name, watches)
        program = compiled_variant(self._session.context, vertex, made.fragment, who)
        for watch in watches:
            if changing := sorted(watch.calls & made.changing):
                refused[watch.text] = f"a call that changes variables: {', '.join(changing)}"
            elif watch.text not in made.watched:
                refused[watch.text] = f"nowhere are all of these declared: {', '.join(sorted(watch.names))}"
        taken = tuple(watch.text for watch in watches if watch.text not in refused)
        return Prepared(source, made, program, self._session.geometry(program), taken, refused)

    def _refusal(self, vertex: str, made: TracedShader) -> str:
        """Returns the driver's first message on a text; empty if it takes it."""
        log = refusal(self._session.context, vertex, made.fragment) or ""
        lines = [line.strip() for line in log.splitlines() if ":" in line]
        return lines[0].partition("error:")[2].strip() or lines[0] if lines else log.strip()


@dataclass(frozen=True, eq=False)
class _Drawn:
    total: int
    is_discarded: bool
    log: TraceLog
    agrees: bool | None


class _TooManyEntriesError(TexelscopeError):
    """The log is larger than is kept."""


class TraceRecorder:
    """Traces fragments of passes of one session; keeps the tracing programs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._programs = TracePrograms(session)

    def release(self) -> None:
        """Frees the programs."""
        self._programs.release()

    def trace(
        self, name: str, texel: tuple[int, int], lane: int = -1, *, watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> Trace:  # fmt: skip
        """Traces the fragment of output texel (tx, ty), for that lane where lanes are computed one by one.

        `window` is the first step and the one after the last. Raises UnsupportedError where the shader cannot be
        followed, is a compute shader, or the driver has no storage buffers.
        """
        each = self._session.plan.pass_called(name)
        if each.dispatch is not None:
            raise UnsupportedError(
                f"trace of '{name}'", "a pass that is drawn", "a compute shader", "Taps show what it reads."
            )
        if not has_buffers(self._session.context):
            raise UnsupportedError(
                f"trace of '{name}'", "storage buffers (OpenGL 4.3)", "a driver without", "Taps show what it reads."
            )
        check_views(each, self._session.plan.textures, f"trace of '{name}'")
        height, width = self._session.plan.textures[each.output].texture_shape
        if not (0 <= texel[0] < width and 0 <= texel[1] < height):
            expected = f"a texel of a texture of {width} by {height}"
            raise TexelscopeError(f"trace of '{name}'", expected, f"{texel[0]},{texel[1]}", "Choose another.")
        for key in each.reads:
            if not self._session.is_valid(key):
                self._session.tensor(key)  # made now, or reported by name as impossible
        prepared = self._programs.of(each, watches)
        decoder = Decoder(prepared.traced.sites, prepared.traced.parts, prepared.traced.later)
        first, stop = window or (0, WINDOW)
        if not 0 <= first < stop:
            raise TexelscopeError(
                f"trace of '{name}'", "a window of steps, the first and the one behind the last", f"{first}, {stop}",
                "Choose another.",
            )  # fmt: skip
        first, stop = min(first, MOST_STEPS - 1), min(stop, MOST_STEPS)
        begins = [*range(0, first + 1 if first else 0, STRIDE), first + 1 if first else 0, stop + 1]
        for begin, end in pairwise(begins[:-1]):
            if self._skip(decoder, each, prepared, (*texel, lane), (begin, end)) < end:
                break
        drawn = self._first_of(each, prepared, (*texel, lane), (begins[-2], begins[-1]), cut=window is None)
        made, textures = prepared.traced, self._session.plan.textures
        decoder.decode(drawn.log, reads_of(drawn.log, made.samplers, made.reads, each, textures))
        constants = {**made.constants, **decoder.constants}
        x, y, z, w = map(float, constants.pop("gl_FragCoord", (texel[0] + 0.5, texel[1] + 0.5, 0.5, 1.0)))
        return Trace(
            pass_name=each.name,
            place=texel,
            element=self._element(each, texel, max(lane, 0)),
            total=drawn.total,
            steps=decoder.steps,
            outputs={} if drawn.is_discarded else {key: _four(value) for key, value in decoder.outputs.items()},
            discarded=drawn.is_discarded,
            before=decoder.before,
            frag_coord=(x, y, z, w),
            samplers=tuple(self._state(sampler) for sampler in each.samplers),
            uniforms={key: _numbers(value) for key, value in each.uniforms.items()},
            constants=constants,
            watches=prepared.watches,
            refused=prepared.refused,
            agrees=drawn.agrees,
        )

    def _skip(
        self,
        decoder: Decoder,
        shader_pass: Pass,
        prepared: Prepared,
        place: tuple[int, int, int],
        begun: tuple[int, int],
    ) -> int:
        """Skips steps, in as many parts as they need; returns the number of all steps."""
        try:
            passed = self._draw(shader_pass, prepared, place, begun)
        except _TooManyEntriesError:
            middle = (begun[0] + begun[1]) // 2
            if middle == begun[0]:
                raise
            self._skip(decoder, shader_pass, prepared, place, (begun[0], middle))
            return self._skip(decoder, shader_pass, prepared, place, (middle, begun[1]))
        decoder.skip(passed.log)
        return passed.total

    def _first_of(
        self, shader_pass: Pass, prepared: Prepared, place: tuple[int, int, int], begun: tuple[int, int], *, cut: bool
    ) -> _Drawn:
        """Draws a window; as much of its beginning as can be kept where it may be `cut`."""
        while True:
            try:
                return self._draw(shader_pass, prepared, place, begun)
            except _TooManyEntriesError:
                if not cut or begun[1] - begun[0] < 2:
                    raise
                begun = (begun[0], (begun[0] + begun[1]) // 2)

    def _element(self, shader_pass: Pass, texel: tuple[int, int], lane: int) -> int | None:
        stored = self._session.plan.textures[shader_pass.output]
        element = stored.layout.index_of(stored.shape, *texel, lane)
        return element if element >= 0 else None

    def _state(self, sampler: Sampler) -> SamplerState:
        height, width = self._session.plan.textures[sampler.key].texture_shape
        return SamplerState(sampler.uniform, sampler.key, (width, height), sampler.filter, sampler.wrap)

    def _draw(
        self, shader_pass: Pass, prepared: Prepared, place: tuple[int, int, int], begun: tuple[int, int]
    ) -> _Drawn:
        """Logs what happens while at least `begun[0]` and less than `begun[1]` steps have begun."""
        entries = FIRST_ENTRIES
        while True:
            words, agrees = self._drawn(shader_pass, prepared, place, begun, entries)
            used = int(words[1])
            if used < entries:
                log = words[_HEADER : _HEADER + used * WORDS].reshape(used, WORDS)
                return _Drawn(int(words[0]), bool(words[2]), TraceLog.of(log), None if words[2] else agrees)
            if used >= MOST_ENTRIES:
                raise _TooManyEntriesError(
                    f"trace of '{shader_pass.name}'", f"at most {MOST_ENTRIES} entries for a window", str(used),
                    "Ask for a smaller window.",
                )  # fmt: skip
            entries = used + 1

    def _drawn(
        self, shader_pass: Pass, prepared: Prepared, place: tuple[int, int, int], begun: tuple[int, int], entries: int
    ) -> tuple[NDArray[np.uint32], bool | None]:
        session, context = self._session, self._session.context
        tx, ty, lane = place
        buffer = context.buffer(reserve=4 * (_HEADER + (entries + 1) * WORDS))
        buffer.write(bytes(4 * _HEADER))
        targets = [session.scratch_like(key) for key in shader_pass.outputs]
        framebuffer = context.framebuffer(targets)
        try:
            with pass_state(context, framebuffer):
                framebuffer.scissor = (tx, ty, 1, 1)
                session.bind(shader_pass, prepared.program)
                values = {"u_trace_texel": (tx, ty), "u_trace_lane": lane, "u_trace_first": begun[0],
                          "u_trace_stop": begun[1], "u_trace_room": entries}  # fmt: skip
                for name, value in values.items():
                    if name in prepared.program:
                        prepared.program[name].value = value  # type: ignore[union-attr]
                buffer.bind_to_storage_buffer(0)
                prepared.array.render(vertices=3)
                context.memory_barrier()
                context.finish()
            used = int(np.frombuffer(buffer.read(4 * _HEADER), dtype=np.uint32)[1])
            size = 4 * (_HEADER + min(used, entries) * WORDS)
            return np.frombuffer(buffer.read(size), dtype=np.uint32), self._agrees(shader_pass, framebuffer, (tx, ty))
        finally:
            framebuffer.release()
            for target in targets:
                target.release()
            buffer.release()

    def _agrees(self, shader_pass: Pass, traced: moderngl.Framebuffer, texel: tuple[int, int]) -> bool | None:
        """Whether the pass's own program wrote the same bits there, if that is what ran last."""
        session = self._session
        if not session.has_run(shader_pass.name) or session.form(shader_pass.name) is not None:
            return None
        own = session.context.framebuffer([session.texture(key) for key in shader_pass.outputs])
        try:
            viewport = (*texel, 1, 1)
            return all(
                own.read(viewport, 4, attachment=number, dtype="f4")
                == traced.read(viewport, 4, attachment=number, dtype="f4")
                for number in range(len(shader_pass.outputs))
            )
        finally:
            own.release()


def _four(value: tuple[int | float | bool, ...]) -> tuple[float, ...]:
    missing = (0.0, 0.0, 0.0, 1.0)
    return (*(float(each) for each in value), *missing[len(value) :])


def _numbers(value: object) -> tuple[int | float | bool, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)  # type: ignore[return-value]


def trace(
    session: Session,
    recorder: TraceRecorder,
    name: str,
    place: tuple[int, ...] | int,
    *,
    watches: Sequence[str] = (),
    window: tuple[int, int] | None = None,
) -> Trace:
    """Traces the fragment that makes one element, given by its index in the logical shape or linearly.

    Raises TexelscopeError for an index outside the tensor and for an invalid window, UnsupportedError where the
    shader cannot be followed.
    """
    each = session.plan.pass_called(name)
    stored = session.plan.textures[each.output]
    element = element_at(f"trace of '{each.name}'", stored, place)
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    return recorder.trace(each.name, (tx, ty), lane, watches=watches, window=window)
