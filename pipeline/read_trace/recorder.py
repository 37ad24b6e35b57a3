"""Runs the recording version of a pass for one texel and reads its log.

The log is a storage buffer. Where the driver has none it is written into colours, three reads a fragment: fragments of
a small target run one texel's shader. A first fragment counts the reads. Then the target is as large as they need. The
author's gl_FragCoord is that of the one texel everywhere. Varyings of a vertex shader depend on the place, though:
such a shader is drawn a fragment at a time, with the viewport moved so that the fragment lies where the texel does.
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
from texelscope.pipeline.read_trace.dispatch_reads import Hazard
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder, Race
from texelscope.pipeline.read_trace.instrument import Instrumented, ReadRecording, instrument
from texelscope.pipeline.read_trace.kinds import check_views

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# Colour attachments: the number of reads, then sampler and value for each of three, as in `scan_main.glsl`.
TARGETS = 7
READS_A_FRAGMENT = 3
MAX_READS = 1 << 15
_COLUMNS = 256

Texels = NDArray[np.float32]
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
    scanner = _Scanner(session, shader_pass, program, array, place)
    count = int(scanner.draw((1, 1), moved=instrumented.interpolates)[0, 0, 0, 0])
    if count > MAX_READS:
        raise UnsupportedError(
            f"taps of '{shader_pass.name}'", f"at most {MAX_READS} reads for one element without storage buffers",
            str(count),
            "Choose a smaller layer, or a driver with OpenGL 4.3.",
        )  # fmt: skip
    fragments = max(math.ceil(count / READS_A_FRAGMENT), 1)
    size = (min(fragments, _COLUMNS), math.ceil(fragments / _COLUMNS))
    colours = scanner.draw(size, moved=instrumented.interpolates)
    # [who or value, read, four]
    kept = colours[1:].reshape(READS_A_FRAGMENT, 2, -1, 4).transpose(1, 2, 0, 3).reshape(2, -1, 4)[:, :count]
    who = kept[0].astype(np.int64)
    return ReadRecording(
        instrumented.samplers,
        instrumented.sites,
        who[:, 0] >> 4,
        who[:, 1],
        who[:, 0] & 0xF,
        kept[0, :, 2:].astype(np.float64),
        kept[1],
    )


class _Scanner:
    def __init__(
        self,
        session: Session,
        shader_pass: Pass,
        program: moderngl.Program,
        array: moderngl.VertexArray,
        place: tuple[int, int, int],
    ) -> None:
        self._session = session
        self._pass = shader_pass
        self._program = program
        self._array = array
        self._place = place

    def draw(self, size: tuple[int, int], *, moved: bool) -> Texels:
        """Returns [target, height, width, 4] of fragments of a target of that width and height."""
        context, (width, height) = self._session.context, size
        targets = [context.texture(size, 4, dtype="f4", alignment=1) for _ in range(TARGETS)]
        framebuffer = context.framebuffer(targets)
        try:
            with pass_state(context, framebuffer):
                framebuffer.clear()
                self._session.bind(self._pass, self._program)
                tx, ty, lane = self._place
                for name, value in (("u_tap_texel", (tx, ty)), ("u_tap_lane", lane), ("u_tap_columns", width)):
                    self._set(name, value)
                if moved:
                    self._one_by_one(framebuffer, width, height)
                else:
                    self._set("u_tap_first", 0)
                    self._array.render(vertices=3)
            read = [np.frombuffer(target.read(alignment=1), dtype=np.float32) for target in targets]
            return np.stack(read).reshape(TARGETS, height, width, 4)
        finally:
            framebuffer.release()
            for target in targets:
                target.release()

    def _one_by_one(self, framebuffer: moderngl.Framebuffer, width: int, height: int) -> None:
        """Draws each fragment with the viewport of the pass's target, moved so that the texel lies on it."""
        rows, columns = self._session.plan.textures[self._pass.output].texture_shape
        tx, ty, _ = self._place
        self._set("u_tap_first", 0)
        for y in range(height):
            for x in range(width):
                framebuffer.viewport = (x - tx, y - ty, columns, rows)
                framebuffer.scissor = (x, y, 1, 1)
                framebuffer.use()
                self._array.render(vertices=3)

    def _set(self, name: str, value: int | tuple[int, int]) -> None:
        if name in self._program:
            self._program[name].value = value  # type: ignore[union-attr]


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
        instrumented = instrument(source, shader_pass.name, buffers=has_buffers(self._session.context))
        vertex = self._session.vertex_text(shader_pass.name)
        context = self._session.context
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


def has_buffers(context: moderngl.Context) -> bool:
    """Whether the context has storage buffers: OpenGL 4.3."""
    return context.version_code >= 430
