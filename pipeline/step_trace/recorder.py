"""Traces a fragment or an invocation: runs the traced version of a pass for each window of steps, decodes logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.plan import Pass, Sampler
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.read_trace.expected import element_at
from texelscope.pipeline.read_trace.kinds import check_views
from texelscope.pipeline.read_trace.recorder import has_buffers
from texelscope.pipeline.step_trace.agreement import agrees_with_outputs
from texelscope.pipeline.step_trace.buffer_log import buffer_log
from texelscope.pipeline.step_trace.colour_log import colour_log
from texelscope.pipeline.step_trace.decode import Decoder
from texelscope.pipeline.step_trace.drawn_log import DrawnLog, LogWindow, TooManyEntriesError
from texelscope.pipeline.step_trace.log import reads_of
from texelscope.pipeline.step_trace.programs import Prepared, TracePrograms
from texelscope.pipeline.step_trace.trace import SamplerState, Trace

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# So many steps are recorded by default.
WINDOW = 20_000
# Steps that are skipped at a time on the way to a window.
STRIDE = 100_000
# Steps are counted to here.
MOST_STEPS = 1 << 31


class TraceRecorder:
    """Traces fragments and invocations of passes of one session; keeps the tracing programs.

    Logs go to a storage buffer where the driver has them, else, and with `in_colours`, to colours.
    """

    def __init__(self, session: Session, *, in_colours: bool = False) -> None:
        self._session = session
        self._buffers = has_buffers(session.context) and not in_colours
        self._programs = TracePrograms(session, buffers=self._buffers)
        self._writers = DispatchRecorder(session, follows_reads=False)

    def release(self) -> None:
        """Frees the programs."""
        self._programs.release()
        self._writers.release()

    def trace(
        self, name: str, texel: tuple[int, int], lane: int = -1, *, watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> Trace:  # fmt: skip
        """Traces the fragment of output texel (tx, ty), for that lane where lanes are computed one by one.

        Of a compute shader it is the invocation that writes the texel's lane, the last one that does. `window` is the
        first step and the one after the last. Raises UnsupportedError where the shader cannot be followed, and where
        nobody writes the lane.
        """
        recorded = self.record(name, texel, lane, watches=watches, window=window)
        return recorded.trace(agrees=recorded.agrees)

    def record(
        self, name: str, texel: tuple[int, int], lane: int = -1, *, watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> RecordedFragment:  # fmt: skip
        """Does the part of `trace` that needs GL; raises the same errors."""
        each = self._session.plan.pass_called(name)
        check_views(each, self._session.plan.textures, f"trace of '{name}'")
        height, width = self._session.plan.textures[each.output].texture_shape
        if not (0 <= texel[0] < width and 0 <= texel[1] < height):
            expected = f"a texel of a texture of {width} by {height}"
            raise TexelscopeError(f"trace of '{name}'", expected, f"{texel[0]},{texel[1]}", "Choose another.")
        invocation = None
        if each.dispatch is not None:
            invocation = self._writers.writer(each, *texel, max(lane, 0))
        return self._recorded(each, texel, lane, watches, window, invocation)

    def trace_invocation(
        self, name: str, invocation: tuple[int, int, int], *, watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> Trace:  # fmt: skip
        """Traces an invocation of a compute shader, by its numbers along x, y and z in the whole dispatch.

        Raises UnsupportedError where the shader cannot be followed, TexelscopeError for one that there is not.
        """
        each = self._session.plan.pass_called(name)
        if each.dispatch is None:
            raise TexelscopeError(
                f"trace of '{name}'", "a compute shader for an invocation", "a pass that is drawn", "Choose a texel."
            )
        counts = self._writers.invocations(each)
        if any(not 0 <= place < count for place, count in zip(invocation, counts, strict=True)):
            expected = f"an invocation of {', '.join(map(str, counts))}"
            raise TexelscopeError(f"trace of '{name}'", expected, ", ".join(map(str, invocation)), "Choose another.")
        check_views(each, self._session.plan.textures, f"trace of '{name}'")
        return self._recorded(each, None, -1, watches, window, invocation).trace()

    def _recorded(
        self,
        each: Pass,
        texel: tuple[int, int] | None,
        lane: int,
        watches: Sequence[str],
        window: tuple[int, int] | None,
        invocation: tuple[int, int, int] | None,
    ) -> RecordedFragment:
        name = each.name
        if invocation is not None and not self._buffers:
            raise UnsupportedError(
                f"trace of '{name}'", "storage buffers (OpenGL 4.3) for a compute shader", "a driver without",
                "Choose a pass that is drawn.",
            )  # fmt: skip
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
            part = LogWindow(*(texel or (0, 0)), lane, begin, end, stop + 1, invocation)
            if self._skip(decoder, each, prepared, part) < end:
                break
        wanted = LogWindow(*(texel or (0, 0)), lane, begins[-2], begins[-1], begins[-1], invocation)
        drawn = self._first_of(each, prepared, wanted, cut=window is None)
        return RecordedFragment(
            self._session, each, prepared, decoder, drawn, texel, max(lane, 0), self._buffers, invocation
        )

    def _skip(self, decoder: Decoder, shader_pass: Pass, prepared: Prepared, window: LogWindow) -> int:
        """Skips steps, in as many parts as they need; returns the number of all steps."""
        try:
            passed = self._draw(shader_pass, prepared, window)
        except TooManyEntriesError:
            middle = (window.first + window.stop) // 2
            if middle == window.first:
                raise
            self._skip(decoder, shader_pass, prepared, replace(window, stop=middle))
            return self._skip(decoder, shader_pass, prepared, replace(window, first=middle))
        decoder.skip(passed.log)
        return passed.total

    def _first_of(self, shader_pass: Pass, prepared: Prepared, window: LogWindow, *, cut: bool) -> DrawnLog:
        """Draws a window; as much of its beginning as can be kept where it may be `cut`."""
        while True:
            try:
                return self._draw(shader_pass, prepared, window)
            except TooManyEntriesError:
                if not cut or window.stop - window.first < 2:
                    raise
                middle = (window.first + window.stop) // 2
                window = replace(window, stop=middle, goal=middle)

    def _draw(self, shader_pass: Pass, prepared: Prepared, window: LogWindow) -> DrawnLog:
        draw = buffer_log if self._buffers else colour_log
        return draw(self._session, shader_pass, prepared, window)


@dataclass(frozen=True)
class RecordedFragment:
    """What a driver recorded of a fragment or an `invocation`; `trace` makes a trace of it, in any thread.

    `texel` is None where an invocation was named, and not what it writes.
    """

    session: Session
    shader_pass: Pass
    prepared: Prepared
    decoder: Decoder
    drawn: DrawnLog
    texel: tuple[int, int] | None
    lane: int
    in_buffers: bool
    invocation: tuple[int, int, int] | None = None

    @cached_property
    def decoded(self) -> Decoder:
        """What the log says: steps, outputs and constants."""
        made, log = self.prepared.traced, self.drawn.log
        textures = self.session.plan.textures
        self.decoder.decode(log, reads_of(log, made.samplers, made.reads, self.shader_pass, textures))
        return self.decoder

    @property
    def agrees(self) -> bool | None:
        """Whether the pass, when it ran, wrote the bits that the traced shader wrote; None if unknown. GL thread."""
        if self.in_buffers or self.drawn.is_discarded or self.texel is None:
            return self.drawn.agrees
        locations = self.prepared.traced.locations
        return agrees_with_outputs(self.session, self.shader_pass, self.decoded.outputs, locations, self.texel)

    def trace(self, *, agrees: bool | None = None) -> Trace:
        """Returns the trace; `agrees` is its field."""
        decoder, drawn = self.decoded, self.drawn
        each, (tx, ty) = self.shader_pass, self.texel or (0, 0)
        constants = {**self.prepared.traced.constants, **decoder.constants}
        x, y, z, w = map(float, constants.pop("gl_FragCoord", (tx + 0.5, ty + 0.5, 0.5, 1.0)))
        return Trace(
            pass_name=each.name,
            place=(tx, ty),
            element=self._element(),
            total=drawn.total,
            steps=decoder.steps,
            outputs={} if drawn.is_discarded else {key: _four(value) for key, value in decoder.outputs.items()},
            discarded=drawn.is_discarded,
            before=decoder.before,
            frag_coord=(x, y, z, w),
            samplers=tuple(self._state(sampler) for sampler in each.samplers),
            uniforms={key: _numbers(value) for key, value in each.uniforms.items()},
            constants=constants,
            watches=self.prepared.watches,
            refused=self.prepared.refused,
            agrees=agrees,
            invocation=self.invocation,
        )

    def _element(self) -> int | None:
        if self.texel is None:
            return None
        stored = self.session.plan.textures[self.shader_pass.output]
        element = stored.layout.index_of(stored.shape, *self.texel, self.lane)
        return element if element >= 0 else None

    def _state(self, sampler: Sampler) -> SamplerState:
        height, width = self.session.plan.textures[sampler.key].texture_shape
        return SamplerState(sampler.uniform, sampler.key, (width, height), sampler.filter, sampler.wrap)


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
    texel, lane = _texel_of(session, name, place)
    return recorder.trace(name, texel, lane, watches=watches, window=window)


def record(session: Session, recorder: TraceRecorder, name: str, place: tuple[int, ...] | int) -> RecordedFragment:
    """Does the part of `trace` that needs GL; raises the same errors."""
    texel, lane = _texel_of(session, name, place)
    return recorder.record(name, texel, lane)


def _texel_of(session: Session, name: str, place: tuple[int, ...] | int) -> tuple[tuple[int, int], int]:
    each = session.plan.pass_called(name)
    stored = session.plan.textures[each.output]
    tx, ty, lane = stored.layout.texel_of(stored.shape, element_at(f"trace of '{each.name}'", stored, place))
    return (tx, ty), lane
