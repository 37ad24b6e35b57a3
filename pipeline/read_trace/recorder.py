"""Runs the recording version of a pass for one texel and reads its log.

The log is a storage buffer. Where the driver has none it is written into colours, three reads a fragment: a first
fragment counts the reads, then there are as many as they need; see `colour_scan`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.program import compiled_variant
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.read_trace.colour_scan import ColourScan
from texelscope.pipeline.read_trace.dispatch_reads import Hazard
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder, Race
from texelscope.pipeline.read_trace.instrument import Instrumented, instrument
from texelscope.pipeline.read_trace.kinds import check_views
from texelscope.pipeline.read_trace.recording import ReadRecording
from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# Reads that a fragment keeps, as in `scan_main.glsl` and `scan_main_narrow.glsl`; each takes two colours, for sampler
# and value, beside one for the number of reads.
_READS_A_FRAGMENT, _FEWEST_READS = 3, 1


def _colours(reads: int) -> int:
    return 1 + 2 * reads


MAX_READS = 1 << 15
# Words of an entry, and of the count before the first.
WORDS = 8
HEADER = 4
MAX_ENTRIES = 1 << 20
FIRST_ENTRIES = 1 << 14


def scan(
    session: Session,
    shader_pass: Pass,
    instrumented: Instrumented,
    program: moderngl.Program,
    array: moderngl.VertexArray,
    place: tuple[int, int, int],
) -> ReadRecording:
    """Returns the reads for lane `place[2]` of output texel `place[:2]`; raises UnsupportedError for too many."""
    reads = _FEWEST_READS if has_few_colours(session.context) else _READS_A_FRAGMENT
    colours = ColourScan(session, shader_pass, program, array, texel=place[:2], colours=_colours(reads), dtype="f4")
    lane = {"u_tap_lane": place[2]}
    count = int(colours.draw(1, lane, is_placed=instrumented.is_placed)[0, 0, 0])
    if count > MAX_READS:
        raise UnsupportedError(
            f"taps of '{shader_pass.name}'", f"at most {MAX_READS} reads for one element without storage buffers",
            str(count),
            "Choose a smaller layer, or a driver with OpenGL 4.3.",
        )  # fmt: skip
    fragments = max(math.ceil(count / reads), 1)
    drawn = colours.draw(fragments, lane, is_placed=instrumented.is_placed)
    # [read, who or value, four]
    kept = drawn[:, 1:].reshape(-1, 2, 4)[:count]
    who = kept[:, 0].astype(np.int64)
    return ReadRecording(
        instrumented.samplers,
        instrumented.sites,
        who[:, 0] >> 4,
        who[:, 1],
        who[:, 0] & 0xF,
        kept[:, 0, 2:].astype(np.float64),
        np.ascontiguousarray(kept[:, 1]),
    )


class ReadRecorder:
    """Records the reads of passes of one session; keeps the instrumented programs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dispatches = DispatchRecorder(session)
        self._plain: dict[str, tuple[ProgramSource, moderngl.Program, moderngl.VertexArray]] = {}
        self._programs: dict[str, tuple[ProgramSource, Instrumented, moderngl.Program, moderngl.VertexArray]] = {}

    def release(self) -> None:
        """Frees the instrumented programs."""
        self._dispatches.release()
        for _, _, program, array in self._programs.values():
            array.release()
            program.release()
        for _, program, array in self._plain.values():
            array.release()
            program.release()
        self._programs.clear()
        self._plain.clear()

    def record(self, name: str, tx: int, ty: int, lane: int) -> ReadRecording:
        """Returns the reads made for lane `lane` of output texel (tx, ty), in order.

        Where the shader computes all lanes at once, the reads are those of all. Raises UnsupportedError where the
        shader cannot be instrumented, and where one element reads more than can be kept.
        """
        each = self._session.plan.find(name)
        assert each is not None
        check_views(each, self._session.plan.textures, f"taps of '{name}'")
        if each.dispatch is not None:
            return self._dispatches.record(each, tx, ty, lane)
        instrumented, program, array = self._program(each)
        if not has_buffers(self._session.context):
            return scan(self._session, each, instrumented, program, array, (tx, ty, lane))
        entries = FIRST_ENTRIES
        while True:
            words = self._draw(each, program, array, (tx, ty, lane), entries)
            count = int(words[0])
            if count <= entries:
                break
            if count > MAX_ENTRIES:
                raise UnsupportedError(
                    f"taps of '{name}'", f"at most {MAX_ENTRIES} reads for one element", str(count),
                    "Choose a smaller layer.",
                )  # fmt: skip
            entries = count
        written = words[HEADER : HEADER + count * WORDS].reshape(count, WORDS)
        who, numbers = written[:, 0].astype(np.int64), written[:, 1:7].view(np.float32)
        return ReadRecording(
            instrumented.samplers,
            instrumented.sites,
            who >> 24,
            who >> 4 & 0xFFFFF,
            who & 0xF,
            numbers[:, :2].astype(np.float64),
            numbers[:, 2:],
        )

    def lanes_apart(self, name: str) -> bool:
        """Whether `record` distinguishes the reads of the pass's lanes."""
        each = self._session.plan.find(name)
        assert each is not None
        if each.dispatch is not None:
            return self._dispatches.writes_lanes_apart(each)
        return self._program(each)[0].lanes_apart

    def races(self, shader_pass: Pass) -> list[Race]:
        """Returns where two invocations of a compute pass write one place of its output."""
        return self._dispatches.races(shader_pass)

    def shared_memory(self, name: str, tx: int, ty: int, lane: int) -> RecordedSharedMemory:
        """Returns what the work group that writes lane `lane` of output texel (tx, ty) does in shared memory.

        Raises UnsupportedError where the pass is no dispatch, has none, or cannot be instrumented.
        """
        each = self._session.plan.find(name)
        assert each is not None
        if each.dispatch is None:
            raise UnsupportedError(
                f"shared memory of '{name}'", "a compute shader", "a pass that is drawn", "Step through it with F10."
            )
        check_views(each, self._session.plan.textures, f"taps of '{name}'")
        return self._dispatches.shared_memory(each, tx, ty, lane)

    def hazards(self, shader_pass: Pass) -> list[Hazard]:
        """Returns accesses of a compute pass to shared memory that no barrier orders, in one work group."""
        return self._dispatches.hazards(shader_pass)

    def output_program(self, shader_pass: Pass) -> tuple[moderngl.Program, moderngl.VertexArray]:
        """Returns a program that writes the pass's outputs; it may record besides."""
        if has_buffers(self._session.context):
            return self._program(shader_pass)[1:]
        source = self._session.program_source(shader_pass.name)
        known = self._plain.get(shader_pass.name)
        if known is not None and known[0] is source:
            return known[1:]
        context, vertex = (
            self._session.context,
            same_version(self._session.vertex_text(shader_pass.name), source.fragment),
        )
        program = compiled_variant(context, vertex, source.fragment, f"taps of '{shader_pass.name}'")
        if known is not None:
            known[2].release()
            known[1].release()
        self._plain[shader_pass.name] = (source, program, self._session.geometry(program))
        return self._plain[shader_pass.name][1:]

    def _program(self, shader_pass: Pass) -> tuple[Instrumented, moderngl.Program, moderngl.VertexArray]:
        source = self._session.program_source(shader_pass.name)
        known = self._programs.get(shader_pass.name)
        if known is not None and known[0] is source:
            return known[1:]
        context = self._session.context
        instrumented = instrument(
            source, shader_pass.name, buffers=has_buffers(context), few_colours=has_few_colours(context)
        )
        vertex = self._session.vertex_text(shader_pass.name)
        vertex = same_version(vertex, instrumented.fragment)
        program = compiled_variant(context, vertex, instrumented.fragment, f"taps of '{shader_pass.name}'")
        array = self._session.geometry(program)
        if known is not None:
            known[3].release()
            known[2].release()
        self._programs[shader_pass.name] = (source, instrumented, program, array)
        return instrumented, program, array

    def _draw(
        self,
        shader_pass: Pass,
        program: moderngl.Program,
        array: moderngl.VertexArray,
        place: tuple[int, int, int],
        entries: int,
    ) -> NDArray[np.uint32]:
        context = self._session.context
        tx, ty, lane = place
        buffer = context.buffer(reserve=4 * (HEADER + entries * WORDS))
        buffer.clear()
        targets = [self._session.scratch_like(key) for key in shader_pass.outputs]
        framebuffer = context.framebuffer(targets)
        try:
            with pass_state(context, framebuffer):
                framebuffer.scissor = (tx, ty, 1, 1)
                self._session.bind(shader_pass, program)
                for name, value in (("u_tap_texel", (tx, ty)), ("u_tap_lane", lane)):
                    if name in program:
                        program[name].value = value  # type: ignore[union-attr]
                buffer.bind_to_storage_buffer(0)
                array.render(vertices=3)
                context.memory_barrier()
                context.finish()
            return np.frombuffer(buffer.read(), dtype=np.uint32)
        finally:
            framebuffer.release()
            for target in targets:
                target.release()
            buffer.release()


def has_few_colours(context: moderngl.Context) -> bool:
    """Reports whether a draw writes to fewer colours than three reads take."""
    return int(context.info["GL_MAX_DRAW_BUFFERS"]) < _colours(_READS_A_FRAGMENT)


def has_buffers(context: moderngl.Context) -> bool:
    """Whether the context has storage buffers: OpenGL 4.3."""
    return context.version_code >= 430
