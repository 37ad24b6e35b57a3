"""Runs the recording version of a compute pass, and reads the log of its invocations.

A first run finds who writes an element; then everything that this invocation does is logged, and, where the shader has
shared memory, everything that its work group does: other invocations read what it takes from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.dispatching.dispatcher import bind_block
from texelscope.pipeline.gl.program import compiled_dispatch
from texelscope.pipeline.gl.state import drawing_state, set_uniforms
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import BufferBinding, Pass, ProgramSource, StoredTensor, UniformValue
from texelscope.pipeline.read_trace.dispatch_reads import Hazard, ReadLanes, hazards_of, reads_of
from texelscope.pipeline.read_trace.dispatch_text import InstrumentedDispatch, instrument_dispatch
from texelscope.pipeline.read_trace.recording import ReadRecording
from texelscope.pipeline.read_trace.shared_contents import BLOCK as CONTENTS_BLOCK
from texelscope.pipeline.read_trace.shared_contents import SharedVariable, with_contents
from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory, phases_of

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

Words = NDArray[np.uint32]
ENTRY_WORDS, HEADER_WORDS = 8, 4
FIRST_ENTRIES, MOST_ENTRIES = 1 << 14, 1 << 20
# Copies of shared memory, one for each barrier, have this room: at 32 kB a copy there are 256.
CONTENTS_BYTES = 1 << 23
_RACES, _WRITERS, _ALL = 0, 1, 2
_LANE_BYTES = {"float32": 4, "float16": 2, "uint8": 1}


@dataclass(frozen=True)
class Race:
    """Describes two invocations (numbers along x, y, z) that write lane `lane` of an output, and where in the text."""

    lane: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    file: str
    line: int


class DispatchRecorder:
    """Records the accesses of compute passes of one session; keeps the instrumented programs.

    One that does not follow reads knows writers only, of more texts.
    """

    def __init__(self, session: Session, *, follows_reads: bool = True) -> None:
        self._session, self._follows_reads = session, follows_reads
        self._programs: dict[str, tuple[ProgramSource, InstrumentedDispatch, moderngl.ComputeShader]] = {}
        self._copying: dict[str, tuple[ProgramSource, tuple[SharedVariable, ...], moderngl.ComputeShader]] = {}

    def release(self) -> None:
        """Frees the instrumented programs."""
        for _, _, program in (*self._programs.values(), *self._copying.values()):
            program.release()
        self._programs.clear()
        self._copying.clear()

    def record(self, shader_pass: Pass, tx: int, ty: int, lane: int) -> ReadRecording:
        """Returns the reads for lane `lane` of texel (tx, ty) of the pass's output, in order.

        Raises UnsupportedError where the shader cannot be instrumented, where nobody writes the element, and where
        more is read than can be kept.
        """
        made, _ = self._program(shader_pass)
        writer = self.writer(shader_pass, tx, ty, lane)
        words = self._run(shader_pass, _ALL, writer=writer)
        return reads_of(words, self._places(shader_pass), made, writer, self._all(shader_pass))

    def writer(self, shader_pass: Pass, tx: int, ty: int, lane: int) -> tuple[int, int, int]:
        """Returns the invocation, along x, y and z, that writes a lane of the pass's output; the last one that does.

        Raises UnsupportedError where the shader cannot be instrumented, and where nobody writes the element.
        """
        stored = self._session.plan.textures[shader_pass.output]
        _, width = stored.texture_shape
        at = (ty * width + tx) * stored.layout.lanes + lane
        writers = [self._writer(shader_pass, number, at) for number in self._arrays_of(shader_pass, stored)]
        found = next((each for each in writers if each is not None), None)
        if found is None:
            got = f"none that writes element {stored.layout.index_of(stored.shape, tx, ty, lane)}"
            raise UnsupportedError(
                f"taps of '{shader_pass.name}'", "an invocation", got, "It keeps what it held before."
            )
        return found

    def invocations(self, shader_pass: Pass) -> tuple[int, int, int]:
        """Counts the invocations of the pass along x, y and z. Raises UnsupportedError where the text hides it."""
        return self._all(shader_pass)

    def races(self, shader_pass: Pass) -> list[Race]:
        """Returns where two invocations of the pass write one place of its output."""
        made, _ = self._program(shader_pass)
        stored = self._session.plan.textures[shader_pass.output]
        found: list[Race] = []
        for number in self._arrays_of(shader_pass, stored):
            per = self._lanes_of(shader_pass, number)
            for entry in self._run(shader_pass, _RACES, what=number, owners=self._count(stored) // per + 1):
                site = made.sites[int(entry[0]) >> 4 & 0xFFFFF]
                first, second = self._place(shader_pass, int(entry[4])), self._place(shader_pass, int(entry[7]))
                lanes = range(int(entry[1]) * per, int(entry[1]) * per + per)
                found += [Race(lane, first, second, site.file, site.line) for lane in lanes]
        return found

    def hazards(self, shader_pass: Pass) -> list[Hazard]:
        """Returns accesses to shared memory that no barrier orders, of the work group in the middle of the dispatch."""
        made, _ = self._program(shader_pass)
        if not made.has_shared:
            return []
        x, y, z = (count // 2 for count in self._all(shader_pass))
        return hazards_of(self._run(shader_pass, _ALL, writer=(x, y, z)), made)

    def shared_memory(self, shader_pass: Pass, tx: int, ty: int, lane: int) -> RecordedSharedMemory:
        """Returns what the work group that writes lane `lane` of texel (tx, ty) of the output does in shared memory.

        Raises UnsupportedError where it has none, and as `record` does.
        """
        made, _ = self._program(shader_pass)
        variables, program = self._copying_program(shader_pass, made)
        if not variables:
            raise UnsupportedError(
                f"shared memory of '{shader_pass.name}'", "shared variables of numbers or vectors", "none",
                "Taps show what it reads.",
            )  # fmt: skip
        writer = self.writer(shader_pass, tx, ty, lane)
        copies = self._session.context.buffer(reserve=CONTENTS_BYTES)
        try:
            copies.clear()
            also = {CONTENTS_BLOCK: copies}
            words = self._run(shader_pass, _ALL, program=program, also=also, writer=writer)
            held = np.frombuffer(copies.read(), dtype=np.uint32)
        finally:
            copies.release()
        size = self._local_size(shader_pass)
        group = tuple(place // extent for place, extent in zip(writer, size, strict=True))
        who = np.unique(words[:, 7])
        x, y, _ = self._all(shader_pass)
        local = _in_group((who % x, who // x % y, who // x // y), size)
        return RecordedSharedMemory(
            (group[0], group[1], group[2]),
            size,
            _in_group(writer, size),
            variables,
            phases_of(words, held, made, variables, dict(zip(who.tolist(), local.tolist(), strict=True))),
            tuple(hazards_of(words, made)),
        )

    # -- what is where -------------------------------------------------------------------------------------

    def _count(self, stored: StoredTensor) -> int:
        height, width = stored.texture_shape
        return height * width * stored.layout.lanes

    def _places(self, shader_pass: Pass) -> dict[str, ReadLanes]:
        """Maps each binding's name to the tensor behind it and the present lanes of its texels."""
        session = self._session
        keys = dict(shader_pass.bound_reads)
        return {
            name: ReadLanes(session.plan.textures[key], session.texels(key).reshape(-1)) for name, key in keys.items()
        }

    def _bound(self, shader_pass: Pass) -> dict[str, str]:
        assert shader_pass.dispatch is not None
        bound = shader_pass.dispatch.bound
        return {
            binding.block if isinstance(binding, BufferBinding) else binding.uniform: binding.key for binding in bound
        }

    def _arrays_of(self, shader_pass: Pass, stored: StoredTensor) -> list[int]:
        """Returns the numbers of the arrays and images behind which the tensor is."""
        bound = self._bound(shader_pass)
        arrays = self._program(shader_pass)[0].arrays
        return [number for number, array in enumerate(arrays) if bound.get(array.bound) == stored.key]

    def _lanes_of(self, shader_pass: Pass, number: int) -> int:
        """Returns the lanes of the tensor in one element of an array, or texel of an image."""
        array = self._program(shader_pass)[0].arrays[number]
        stored = self._session.plan.textures[self._bound(shader_pass)[array.bound]]
        return max(array.bytes // _LANE_BYTES[stored.storage], 1) if array.bytes else stored.layout.lanes

    def writes_lanes_apart(self, shader_pass: Pass) -> bool:
        """Whether an invocation writes one lane of the output at once."""
        stored = self._session.plan.textures[shader_pass.output]
        return all(self._lanes_of(shader_pass, number) == 1 for number in self._arrays_of(shader_pass, stored))

    def _all(self, shader_pass: Pass) -> tuple[int, int, int]:
        """Counts the invocations along x, y and z."""
        assert shader_pass.dispatch is not None
        size = self._local_size(shader_pass)
        x, y, z = (count * own for count, own in zip(shader_pass.dispatch.groups, size, strict=True))
        return x, y, z

    def _local_size(self, shader_pass: Pass) -> tuple[int, int, int]:
        size = local_size(self._session.program_source(shader_pass.name).fragment)
        if size is None:
            raise UnsupportedError(
                f"taps of '{shader_pass.name}'", "the work group's size in numbers", "another text",
                "Write the size out; the pass itself runs as it is.",
            )  # fmt: skip
        return size

    def _place(self, shader_pass: Pass, number: int) -> tuple[int, int, int]:
        x, y, _ = self._all(shader_pass)
        return number % x, number // x % y, number // x // y

    def _writer(self, shader_pass: Pass, number: int, lane: int) -> tuple[int, int, int] | None:
        """Finds the invocation that writes a lane of the output through that array, the last one that does."""
        at = lane // self._lanes_of(shader_pass, number)
        found = self._run(shader_pass, _WRITERS, what=number, first=at, last=at)
        return self._place(shader_pass, int(found[-1][7])) if len(found) else None

    # -- running -------------------------------------------------------------------------------------------

    def _program(self, shader_pass: Pass) -> tuple[InstrumentedDispatch, moderngl.ComputeShader]:
        source = self._session.program_source(shader_pass.name)
        known = self._programs.get(shader_pass.name)
        if known is not None and known[0] is source:
            return known[1], known[2]
        made = instrument_dispatch(source, shader_pass.name, follows_reads=self._follows_reads)
        program = compiled_dispatch(self._session.context, made.text, f"taps of '{shader_pass.name}'")
        if known is not None:
            known[2].release()
        self._programs[shader_pass.name] = (source, made, program)
        return made, program

    def _copying_program(
        self, shader_pass: Pass, made: InstrumentedDispatch
    ) -> tuple[tuple[SharedVariable, ...], moderngl.ComputeShader]:
        """Returns the program that copies shared memory too, and the variables that it copies."""
        source = self._session.program_source(shader_pass.name)
        known = self._copying.get(shader_pass.name)
        if known is not None and known[0] is source:
            return known[1], known[2]
        text, variables = with_contents(made.text)
        program = compiled_dispatch(self._session.context, text, f"shared memory of '{shader_pass.name}'")
        if known is not None:
            known[2].release()
        self._copying[shader_pass.name] = (source, variables, program)
        return variables, program

    def _run(
        self,
        shader_pass: Pass,
        mode: int,
        *,
        owners: int = 1,
        program: moderngl.ComputeShader | None = None,
        also: Mapping[str, moderngl.Buffer] = MappingProxyType({}),
        **settings: Any,
    ) -> Words:
        """Returns the entries of a run in that mode, uint32 [entries, 8]; restores the session.

        `program` runs in place of the usual one, with the buffers `also` bound by their blocks.
        """
        entries = FIRST_ENTRIES
        while True:
            words = self._dispatch(shader_pass, mode, entries, owners, settings, program, also)
            count = int(words[0])
            if count <= entries or mode != _ALL:
                count = min(count, entries)
                return words[HEADER_WORDS : HEADER_WORDS + count * ENTRY_WORDS].reshape(count, ENTRY_WORDS)
            if count > MOST_ENTRIES:
                raise UnsupportedError(
                    f"taps of '{shader_pass.name}'", f"at most {MOST_ENTRIES} accesses for one element", str(count),
                    "Choose a smaller layer.",
                )  # fmt: skip
            entries = count

    def _dispatch(
        self,
        shader_pass: Pass,
        mode: int,
        entries: int,
        owners: int,
        settings: dict[str, Any],
        other: moderngl.ComputeShader | None,
        also: Mapping[str, moderngl.Buffer],
    ) -> Words:
        assert shader_pass.dispatch is not None
        session, context = self._session, self._session.context
        made, program = self._program(shader_pass)
        program = other or program
        held = {key: session.texture(key).read(alignment=1) for key in shader_pass.outputs}
        log = context.buffer(reserve=4 * (HEADER_WORDS + entries * ENTRY_WORDS))
        owner = context.buffer(reserve=4 * max(owners, 4))
        try:
            log.clear()
            owner.clear()
            with drawing_state(context):
                session.bind(shader_pass, program)
                self._set(shader_pass, program, mode, made, settings)
                first = len(shader_pass.dispatch.buffers)
                bind_block(program, "TapLog", log, first)
                bind_block(program, "TapOwners", owner, first + 1)
                for number, (block, buffer) in enumerate(also.items(), first + 2):
                    bind_block(program, block, buffer, number)
                program.run(*shader_pass.dispatch.groups)
                context.memory_barrier()
                context.finish()
            return np.frombuffer(log.read(), dtype=np.uint32)
        finally:
            for key, data in held.items():
                session.texture(key).write(data, alignment=1)
            log.release()
            owner.release()

    def _set(
        self,
        shader_pass: Pass,
        program: moderngl.ComputeShader,
        mode: int,
        made: InstrumentedDispatch,
        settings: dict[str, Any],
    ) -> None:
        values: dict[str, UniformValue] = {
            "u_tap_mode": mode,
            "u_tap_what": settings.get("what", 0),
            "u_tap_first": settings.get("first", 0),
            "u_tap_last": settings.get("last", 0),
            "u_tap_invocation": settings.get("writer", (0, 0, 0)),
            "u_tap_size": self._local_size(shader_pass),
            "u_tap_group": made.has_shared,
        }
        set_uniforms(program, values)


def _in_group(place: tuple[Any, Any, Any], size: tuple[int, int, int]) -> Any:
    """Returns the number in its work group of the invocation at a place in the dispatch, or of several in arrays."""
    x, y, z = (along % extent for along, extent in zip(place, size, strict=True))
    return (z * size[1] + y) * size[0] + x
